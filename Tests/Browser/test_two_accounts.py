"""Two people with a device each and a server of their own: from nothing to a charter that both work on."""

import unittest

from browsers import PHONE, browser
from pages import AnyfleetTestCase
from support import Host, SyncServer


class Device(Host):
    """A device of one person, which knows of a server."""

    def __init__(self, server):
        self.arguments = ["--server", server.address]
        super().__init__()


class TwoAccountsTests(AnyfleetTestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = SyncServer("offshore-apps")
        cls.addClassCleanup(cls.server.remove)

    def person(self, name):
        """A browser at a device of its own, signed up."""
        host = Device(self.server)
        self.addCleanup(host.remove)
        driver = browser(size=PHONE)
        self.addCleanup(driver.quit)
        driver.get(host.address)
        driver.host = host
        driver.get(host.url("/profile/account?new=true"))
        self.find(driver, "#field-name").send_keys(name)
        self.find(driver, "#field-password").send_keys("all lines ashore")
        self.find(driver, "#sign-up button").click()
        self.wait(driver, lambda d: name in self.find(d, "#account").text, seconds=30)
        return driver

    def plan(self, driver, name):
        """Makes a charter by its form, and stays on its page."""
        self.host = driver.host
        self.create_charter(driver, name)
        return driver.current_url

    def crew(self, charter):
        """The address of the members of a charter."""
        return charter.replace("/charters/", "/members/charter/")

    def invite(self, driver, charter, role):
        """A code for a charter, once the server has it."""
        def is_shared(d):
            d.get(self.crew(charter))
            return self.find_all(d, "#invite")
        self.wait(driver, is_shared, seconds=30)
        self.find(driver, f"#invited-role option[value={role}]").click()
        self.find(driver, "#invite button").click()
        self.wait(driver, lambda d: self.find_all(d, "#invitation-code"))
        return self.find(driver, "#invitation-code").text

    def join(self, driver, code, name):
        driver.get(driver.host.url("/join/charter"))
        self.find(driver, "#field-code").send_keys(code)
        self.find(driver, "#join-form button").click()
        self.wait(driver, lambda d: self.find(d, "#heading").text == name, seconds=30)

    def test_a_crew_works_on_a_charter_and_a_guest_looks_on(self):
        skipper, mate = self.person("skipper"), self.person("mate")
        charter = self.plan(skipper, "Kornati week")
        self.join(mate, self.invite(skipper, charter, "editor"), "Kornati week")
        skipper.get(charter)
        for driver in (skipper, mate):
            self.open_checklist(driver)
            self.wait_for_stream(driver)
        self.item(mate, 1).click()
        self.wait(skipper, lambda d: self.is_ticked(d, 1), seconds=30)
        self.item(skipper, 2).click()
        self.wait(mate, lambda d: self.is_ticked(d, 2), seconds=30)

        guest = self.person("guest")
        self.join(guest, self.invite(skipper, charter, "viewer"), "Kornati week")
        self.open_checklist(guest)
        self.wait(guest, lambda d: self.is_ticked(d, 1) and self.is_ticked(d, 2), seconds=30)
        self.assertEqual(self.find_all(guest, "#main form[id^='item-']"), [])

        skipper.get(self.crew(charter))
        self.wait(skipper, lambda d: all(
            name in self.find(d, "#members").text for name in ("skipper", "mate", "guest")))
        self.assert_accessible(skipper)

    def test_what_is_whose_stays_so(self):
        anna, ben = self.person("anna"), self.person("ben")
        charter = self.plan(anna, "Anna's week")
        self.invite(anna, charter, "editor")
        path = charter[len(anna.host.url("")):]
        ben.get(ben.host.url("/charters"))
        self.assertNotIn("Anna's week", self.find(ben, "#main").text)
        ben.get(ben.host.url(path))
        self.assertNotIn("Anna's week", self.find(ben, "body").text)


if __name__ == "__main__":
    unittest.main()
