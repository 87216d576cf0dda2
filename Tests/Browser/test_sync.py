"""The account, the state of syncing and pending changes, on a phone of the dock and one whose server is out of reach."""

import unittest
import urllib.parse

from browsers import DESKTOP, PHONE
from pages import AnyfleetTestCase
from support import Host
from test_dock import DockHost

STATUS = "#sync-status"


class PhoneHost:
    """A phone of the dock as if it were a host of its own."""

    def __init__(self, address):
        self.address = address

    def url(self, path):
        return urllib.parse.urljoin(self.address, Host.app + path)


class UnreachedHost(Host):
    # A port at which nothing listens.
    arguments = ["--server", "http://127.0.0.1:9"]


class SyncTestCase(AnyfleetTestCase):
    def assert_fine(self, driver, width=PHONE[0]):
        """The page breaks no rule and is not wider than the window."""
        driver.execute_script("document.querySelectorAll('details').forEach(e => { e.open = true; })")
        self.assert_accessible(driver)
        self.assertLessEqual(
            driver.execute_script("return document.documentElement.scrollWidth"), width)

    def for_each_look(self, check):
        """Checks in both themes and languages, and on a small phone."""
        for size, dark, language in ((PHONE, False, "en"), (PHONE, True, "ru"),
                                     ((320, 640), False, "ru"), (DESKTOP, True, "en")):
            with self.subTest(size=size, dark=dark, language=language):
                driver = self.open("/", size=size, dark=dark)
                self.use_language(driver, language)
                check(driver, size[0])
                driver.quit()

    def status(self, driver):
        return self.find(driver, STATUS).text

    def sign_in(self, driver, password, name=None):
        driver.get(self.host.url("/profile/account"))
        if name:
            self.find(driver, "#field-name").send_keys(name)
        self.find(driver, "#field-password").send_keys(password)
        self.find(driver, "#sign-in button").click()


class SyncTests(SyncTestCase):
    def setUp(self):
        self.host = DockHost()
        self.addCleanup(self.host.remove)
        driver = self.open("/", size=DESKTOP)
        self.wait(driver, lambda d: len(self.find_all(d, "iframe")) == 2, seconds=20)
        self.host = PhoneHost(self.find(driver, "#frame-1").get_attribute("src"))
        # The dock's page names the accounts of the phones.
        self.password = self.find(driver, "#account").text.split("“")[1].split("”")[0]
        driver.quit()

    def switch(self, driver, is_on):
        driver.get(self.host.url("/profile/sync"))
        switch = self.find(driver, "#airplane button")
        if switch.get_attribute("aria-checked") != str(is_on).lower():
            switch.click()
        self.wait(driver, lambda d: self.find(d, "#airplane button").get_attribute(
            "aria-checked") == str(is_on).lower())

    def test_pending_changes_are_counted_listed_and_cancelled(self):
        driver, other = self.open("/"), self.open("/library")
        self.wait(other, lambda d: self.status(d) == "Synced")
        self.wait_for_stream(other)
        self.switch(driver, True)
        self.wait(driver, lambda d: self.status(d) == "Airplane mode")
        # The other page says so by itself.
        self.wait(other, lambda d: self.status(d) == "Airplane mode")
        self.create_charter(driver, "Made in the air")
        for each in (driver, other):
            self.wait(each, lambda d: "change" in self.status(d))
            label = self.find(each, f"{STATUS} a").get_attribute("aria-label")
            self.assertTrue(label.startswith("Sync status: Airplane mode, "), label)
        self.find(driver, f"{STATUS} a").click()
        self.wait(driver, lambda d: "Made in the air" in self.find(d, "#unsent").text)
        self.find(driver, "#unsent details > summary").click()
        self.find(driver, "#unsent .destructive").click()
        self.wait(driver, lambda d: self.find(d, "#waiting").text == "No changes wait")
        self.wait(driver, lambda d: self.status(d) == "Airplane mode")
        driver.get(self.host.url("/charters"))
        self.assertNotIn("Made in the air", self.find(driver, "#main").text)
        self.switch(driver, False)
        self.wait(driver, lambda d: self.status(d) == "Synced")
        self.assert_quiet(driver)

    def test_a_tick_that_is_sent_at_once_leaves_the_bar_alone(self):
        driver = self.open("/")
        driver.get(self.host.address)
        self.wait(driver, lambda d: self.status(d) == "Synced")
        self.wait_for_stream(driver)
        driver.execute_script(
            "window.said = [];"
            "new MutationObserver(() => said.push([Date.now(),"
            " document.querySelector('#sync-status').textContent]))"
            ".observe(document.querySelector('#bar'), {subtree: true, childList: true,"
            " characterData: true, attributes: true});")
        clicks = []
        for number in range(3):
            clicks.append(driver.execute_script(
                "document.querySelectorAll('button[role=checkbox]')[arguments[0]].click();"
                "return Date.now();", number))
            self.wait(driver, lambda d: self.is_ticked(d, number))
        # A busy machine may take longer than the second after which it is said that a tick waits.
        said = driver.execute_script("return window.said")
        self.assertEqual(
            [each for each in said if not any(each[0] >= click + 1000 for click in clicks)], [])

    def test_pages_of_a_phone_with_an_account_break_no_rule(self):
        def check(driver, width):
            self.switch(driver, False)
            self.wait(driver, lambda d: self.find_all(d, f"{STATUS} a"))
            self.assert_fine(driver, width)
            self.switch(driver, True)
            driver.get(self.host.url("/profile/sync"))
            self.assert_fine(driver, width)
            driver.get(self.host.url("/profile/account"))
            self.assert_fine(driver, width)
            self.find(driver, "#change-password button").click()
            self.wait(driver, lambda d: self.find_all(d, "#field-newPassword-error"))
            self.assert_fine(driver, width)

        driver = self.open("/")
        self.switch(driver, True)
        self.create_charter(driver, "Waits for a network with a long name")
        driver.quit()
        self.for_each_look(check)

    def test_signing_out_and_in_again_needs_no_script(self):
        driver = self.open("/profile/account", javascript=False)
        self.assertEqual(self.find(driver, "#account-name").text, "skipper")
        self.find(driver, "#sign-out button").click()
        self.wait(driver, lambda d: self.find_all(d, "#sign-in"))
        self.assertEqual(self.status(driver), "Not synced")
        seen = self.open("/profile/account")
        self.assertTrue(self.find_all(seen, "#sign-in"))
        self.assert_fine(seen)
        self.sign_in(driver, "not the password")
        self.wait(driver, lambda d: self.find_all(d, "#field-password-error"))
        self.assertEqual(self.find(driver, "#field-password").get_attribute("value"), "")
        self.sign_in(driver, self.password)
        self.wait(driver, lambda d: self.find_all(d, "#account-name"))


class UnreachedServerTests(SyncTestCase):
    @classmethod
    def setUpClass(cls):
        cls.host = UnreachedHost()
        cls.addClassCleanup(cls.host.remove)

    def test_forms_of_an_account_break_no_rule(self):
        def check(driver, width):
            driver.get(self.host.url("/profile/account"))
            self.assert_fine(driver, width)
            self.find(driver, "#sign-in button").click()
            self.wait(driver, lambda d: len(self.find_all(d, ".error")) == 2)
            self.assert_fine(driver, width)
            driver.get(self.host.url("/profile/account?new=true"))
            self.assert_fine(driver, width)

        self.for_each_look(check)

    def test_a_server_that_is_not_reached_is_said_and_the_name_stays(self):
        driver = self.open("/")
        self.sign_in(driver, "correct horse", name="skipper")
        self.wait(driver, lambda d: self.find_all(d, "#account [role=alert]"))
        self.assertIn("There is no connection.", self.find(driver, "#account").text)
        self.assertEqual(self.find(driver, "#field-name").get_attribute("value"), "skipper")
        self.assert_fine(driver)


if __name__ == "__main__":
    unittest.main()
