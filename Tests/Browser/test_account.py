"""The devices of an account and its end, as a browser shows them."""

import unittest

from browsers import PHONE, browser
from people import Device, PeopleTestCase

PASSWORD = "all lines ashore"
OTHER = "#devices [value=sign-out-device]"


class AccountTests(PeopleTestCase):
    def sign_in(self, name, **options):
        """A browser at another device of an account."""
        host = Device(self.server)
        self.addCleanup(host.remove)
        driver = browser(size=PHONE, **options)
        self.addCleanup(driver.quit)
        driver.get(host.address)
        driver.host = host
        self.enter_account(driver, name)
        return driver

    def enter_account(self, driver, name):
        """Signs in by the form of the page."""
        driver.get(driver.host.url("/profile/account"))
        for field in self.find_all(driver, "#field-name"):
            field.send_keys(name)
        self.find(driver, "#sign-in #field-password").send_keys(PASSWORD)
        self.find(driver, "#sign-in .primary").click()
        self.wait(driver, lambda d: self.find_all(d, "#account-card"), seconds=30)

    def open_account(self, driver):
        driver.get(driver.host.url("/profile/account"))
        self.wait(driver, lambda d: self.find_all(d, "#devices, #sign-in"), seconds=30)

    def devices(self, driver):
        return self.find_all(driver, "#devices > .row")

    def delete(self, driver, password, confirms):
        """Fills in and sends the form that deletes the account."""
        if self.find(driver, "#delete-account").get_attribute("open") is None:
            self.find(driver, "#delete-account > summary").click()
        field = self.find(driver, "#deletion-password")
        field.clear()
        field.send_keys(password)
        box = self.find(driver, "#field-confirmed")
        if box.is_selected() != confirms:
            box.click()
        self.find(driver, "#deletion .destructive").click()

    def test_a_device_is_seen_and_signed_out_on_another_one(self):
        first = self.person("navigator")
        second = self.sign_in("navigator")
        for driver in (first, second):
            self.open_account(driver)
            self.wait(driver, lambda d: len(self.devices(d)) == 2)
            # This device is the first, and has no button.
            self.assertIn("This device", self.devices(driver)[0].text)
            self.assertEqual(len(self.find_all(driver, OTHER)), 1)
            self.assert_accessible(driver)
        self.wait_for_stream(second)
        self.find(second, OTHER).click()
        self.wait(second, lambda d: len(self.devices(d)) == 1 and not self.find_all(d, OTHER))
        self.wait(first, lambda d: self.find_all(d, "#sign-in"), seconds=30)
        self.assertIn("nothing is lost", self.find(first, "#account").text)
        self.assert_accessible(first)
        # The device can sign in again, and is then in the list of the other one.
        self.enter_account(first, "navigator")
        self.open_account(second)
        self.wait(second, lambda d: len(self.devices(d)) == 2)

    def test_a_device_is_signed_out_without_scripts(self):
        self.person("purser")
        plain = self.sign_in("purser", javascript=False)
        self.open_account(plain)
        self.find(plain, OTHER).click()
        self.wait(plain, lambda d: len(self.devices(d)) == 1 and not self.find_all(d, OTHER))

    def test_an_account_is_deleted_and_the_crew_goes_on(self):
        skipper, mate = self.person("boatswain"), self.person("helmsman")
        charter = self.plan(skipper, "Elba week")
        self.join(mate, self.invite(skipper, charter, "editor"), "Elba week")
        self.open_account(skipper)
        self.delete(skipper, "wrong horse", True)
        self.wait(skipper, lambda d: self.find_all(d, "#deletion-password-error"))
        self.assert_accessible(skipper)
        self.delete(skipper, PASSWORD, False)
        self.wait(skipper, lambda d: self.find_all(d, "#field-confirmed-error"))
        self.assertEqual(self.find_all(skipper, "#deletion-password-error"), [])
        self.delete(skipper, PASSWORD, True)
        self.wait(skipper, lambda d: self.find_all(d, "#account-deleted"), seconds=30)
        self.assert_accessible(skipper)
        # The data stays on the device.
        skipper.get(charter)
        self.wait(skipper, lambda d: self.find(d, "#heading").text == "Elba week")
        # The charter belongs to the other member now.
        path = self.crew(charter)[len(skipper.host.url("")):]
        mate.get(mate.host.url(path))
        self.wait(mate, lambda d: "Owner" in self.find(d, "#members").text
                  and "boatswain" not in self.find(d, "#members").text, seconds=30)
        # No device signs in to the account any more.
        skipper.get(skipper.host.url("/profile/account"))
        self.find(skipper, "#sign-in #field-password").send_keys(PASSWORD)
        self.find(skipper, "#sign-in .primary").click()
        self.wait(skipper, lambda d: self.find_all(d, "#field-password-error"), seconds=30)


if __name__ == "__main__":
    unittest.main()
