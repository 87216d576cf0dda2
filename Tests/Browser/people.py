"""People with a device each and a server of their own, for tests of what they do together."""

from browsers import PHONE, browser
from pages import AnyfleetTestCase
from support import Host, SyncServer


class Device(Host):
    """A device of one person, which knows of a server."""

    def __init__(self, server):
        self.arguments = ["--server", server.address]
        super().__init__()


class PeopleTestCase(AnyfleetTestCase):
    # The path of the app, and the kind of what its people share.
    app, kind = "/anyfleet", "charter"

    @classmethod
    def setUpClass(cls):
        cls.server = SyncServer("offshore-apps", "anyfleet", "messai", "shiftscheduler")
        cls.addClassCleanup(cls.server.remove)

    def person(self, name):
        """A browser at a device of its own, signed up."""
        host = Device(self.server)
        host.app = self.app
        self.addCleanup(host.remove)
        driver = browser(size=PHONE)
        self.addCleanup(driver.quit)
        driver.get(host.address)
        (driver.host, driver.person) = (host, name)
        self.prepare(driver)
        driver.get(host.url("/profile/account?new=true"))
        self.find(driver, "#field-name").send_keys(name)
        self.find(driver, "#field-password").send_keys("all lines ashore")
        self.find(driver, "#sign-up button").click()
        self.wait(driver, lambda d: name in self.find(d, "#account").text, seconds=30)
        return driver

    def prepare(self, driver):
        """Prepares a device for an account."""

    def plan(self, driver, name):
        """Makes a charter by its form, and stays on its page."""
        self.host = driver.host
        self.create_charter(driver, name)
        return driver.current_url

    def crew(self, charter):
        """The address of the members of a charter or conversation."""
        return charter.replace(f"/{self.kind}s/", f"/members/{self.kind}/")

    def invite(self, driver, charter, role):
        """A code for a charter or conversation, once the server has it."""
        def is_shared(d):
            d.get(self.crew(charter))
            return self.find_all(d, "#invite")
        self.wait(driver, is_shared, seconds=30)
        self.find(driver, f"#invited-role option[value={role}]").click()
        self.find(driver, "#invite button").click()
        self.wait(driver, lambda d: self.find_all(d, "#invitation-code"))
        return self.find(driver, "#invitation-code").text

    def join(self, driver, code, name):
        driver.get(driver.host.url(f"/join/{self.kind}"))
        self.find(driver, "#field-code").send_keys(code)
        self.find(driver, "#join-form button").click()
        self.wait(driver, lambda d: self.find(d, "#heading").text == name, seconds=30)

    def switch_airplane_mode(self, person, is_on):
        """Switches the airplane mode of a person's device, in another browser."""
        driver = browser(size=PHONE)
        driver.get(person.host.address)
        driver.get(person.host.url("/profile/sync"))
        state = str(is_on).lower()
        self.find(driver, "#airplane button").click()
        self.wait(driver, lambda d: self.find(d, "#airplane button").get_attribute(
            "aria-checked") == state)
        driver.quit()
