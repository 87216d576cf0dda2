"""Sharing a charter, as a browser shows it."""

import unittest
import urllib.parse

from selenium.webdriver.common.by import By

from browsers import DESKTOP, PHONE, browser
from pages import AnyfleetTestCase
from test_dock import DockHost


class CrewTests(AnyfleetTestCase):
    def setUp(self):
        self.host = DockHost()
        self.addCleanup(self.host.remove)
        self.dock = self.open("/", size=DESKTOP)
        self.wait(self.dock, lambda d: len(self.find_all(d, "iframe")) == 2, seconds=20)
        self.wait_for_stream(self.dock)

    def phone(self, number, **options):
        """A browser at a phone's own pages, at the checklist that the dock shows."""
        driver = browser(size=PHONE, **options)
        self.addCleanup(driver.quit)
        driver.get(self.find(self.dock, f"#frame-{number}").get_attribute("src"))
        self.wait(driver, lambda d: d.find_elements(By.ID, "count"))
        return driver

    def go(self, driver, selector):
        """Follows a link of the page."""
        before = driver.current_url
        self.wait(driver, lambda d: self.find(d, selector).click() is None)
        self.wait(driver, lambda d: d.current_url != before)

    def assert_fine(self, driver):
        self.assert_accessible(driver)
        self.assertLessEqual(
            driver.execute_script("return document.documentElement.scrollWidth"), PHONE[0])

    def test_an_owner_makes_a_code_and_it_leads_to_the_charter(self):
        driver = self.phone(1)
        self.go(driver, ".bar a")
        charter = driver.current_url
        name = self.find(driver, "#heading").text
        self.go(driver, "#people-with-access")
        self.wait(driver, lambda d: "Owner" in self.find(d, "#members").text, seconds=30)
        self.assert_fine(driver)
        self.find(driver, "#invite button").click()
        self.wait(driver, lambda d: d.find_elements(By.ID, "invitation-code"))
        code = self.find(driver, "#invitation-code").text
        self.assertEqual(len(code), 43)
        self.assert_fine(driver)
        driver.refresh()
        self.wait(driver, lambda d: not d.find_elements(By.ID, "invitation-code"))
        plain = self.phone(2, javascript=False)
        plain.get(urllib.parse.urljoin(plain.current_url, "/anyfleet/join/charter"))
        self.find(plain, "#field-code").send_keys("nonsense")
        self.find(plain, "#join-form button").click()
        self.wait(plain, lambda d: self.find(d, "#field-code").get_attribute(
            "aria-invalid") == "true")
        field = self.find(plain, "#field-code")
        self.assertEqual(field.get_attribute("value"), "nonsense")
        field.clear()
        field.send_keys(code)
        self.find(plain, "#join-form button").click()
        self.wait(plain, lambda d: self.find(d, "#heading").text == name)
        self.assertEqual(plain.current_url.split("/charters/")[1], charter.split("/charters/")[1])


if __name__ == "__main__":
    unittest.main()
