"""The example as its tutorial leads to it: one device, then two of one account, then a friend."""

import unittest

from selenium.webdriver.common.keys import Keys

from browsers import DESKTOP, PHONE, browser
from support import BrowserTestCase, Host, SyncServer


class PackingDevice(Host):
    """A device of the example that syncs with a server."""

    program, app = "packing-list", "/packing"

    def __init__(self, server):
        self.arguments = ["--server", server.address]
        super().__init__()


class PackingTestCase(BrowserTestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = SyncServer("packing-list")
        cls.addClassCleanup(cls.server.remove)

    def device(self, host=None, **options):
        """A browser at a device, by default a new one."""
        host = host or PackingDevice(self.server)
        self.addCleanup(host.remove)
        driver = browser(**options)
        self.addCleanup(driver.quit)
        driver.host = host
        driver.get(host.address)
        return driver

    def sign(self, driver, name, is_new=False):
        driver.get(driver.host.url("/profile/account" + ("?new=true" if is_new else "")))
        self.find(driver, "#field-name").send_keys(name)
        self.find(driver, "#field-password").send_keys("all lines ashore")
        self.find(driver, "#sign-up button" if is_new else "#sign-in button").click()
        self.wait(driver, lambda d: self.find_all(d, "#account-name"), seconds=30)

    def make_list(self, driver, title, *items):
        driver.get(driver.host.url("/lists/new"))
        self.find(driver, "#field-title").send_keys(title, Keys.ENTER)
        self.wait(driver, lambda d: self.find(d, "#heading").text == title)
        for name in items:
            # The focus stays in the field, so that one thing after the other is typed.
            self.find(driver, "#field-name").send_keys(name, Keys.ENTER)
            self.wait(driver, lambda d: self.ticks(d).get(name) is False)
        return driver.current_url.removeprefix(driver.host.url(""))

    def ticks(self, driver):
        """Whether each thing is packed, by its name."""
        return {row.text.removeprefix("✓").strip(): row.get_attribute("aria-checked") == "true"
                for row in self.find_all(driver, "[role=checkbox]")}

    def tick(self, driver, name):
        next(row for row in self.find_all(driver, "[role=checkbox]") if name in row.text).click()


class PackingTests(PackingTestCase):
    def test_two_devices_of_an_account_pack_one_list(self):
        first = self.device()
        page = self.make_list(first, "Weekend", "Tent", "Map")
        self.sign(first, "ann", is_new=True)
        second = self.device(size=DESKTOP, dark=True)
        self.sign(second, "ann")
        for driver in (first, second):
            driver.get(driver.host.url("/"))
            self.wait(driver, lambda d: "0 of 2 packed" in self.find(d, "#main").text, seconds=30)
            self.assert_accessible(driver)
            driver.get(driver.host.url(page))
            self.wait_for_stream(driver)
            self.assert_accessible(driver)
        self.tick(first, "Tent")
        self.wait(second, lambda d: self.ticks(d) == {"Map": False, "Tent": True})
        self.tick(second, "Map")
        self.wait(first, lambda d: self.ticks(d) == {"Map": True, "Tent": True})
        for driver in (first, second):
            self.assert_quiet(driver)

    def test_a_deleted_item_comes_back(self):
        driver = self.device()
        page = self.make_list(driver, "Weekend", "Tent", "Map")
        self.find(driver, "[aria-label='Delete “Tent”']").click()
        self.wait(driver, lambda d: self.ticks(d) == {"Map": False})
        self.assert_accessible(driver)
        self.find(driver, "#undo-do [value=undo-removal]").click()
        self.wait(driver, lambda d: self.ticks(d) == {"Map": False, "Tent": False})
        driver.get(driver.host.url(f"{page}/edit"))
        self.find(driver, "#delete summary").click()
        self.assert_accessible(driver)
        self.find(driver, "#delete button").click()
        self.wait(driver, lambda d: "No lists yet" in self.find(d, "#main").text)
        self.find(driver, "#undo-do [value=undo-removal]").click()
        self.wait(driver, lambda d: "0 of 2 packed" in self.find(d, "#main").text)

    def test_a_form_names_the_missing_field(self):
        for size in (PHONE, DESKTOP):
            driver = self.device(size=size)
            driver.get(driver.host.url("/lists/new"))
            self.find(driver, ".button.primary").click()
            self.wait(driver, lambda d: self.find_all(d, "#field-title-error"))
            self.assert_accessible(driver)


if __name__ == "__main__":
    unittest.main()
