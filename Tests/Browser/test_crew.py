"""Sharing a charter, and what was decided where two phones changed the same, as a browser shows it."""

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

    def switch_both(self, is_on):
        for number in (1, 2):
            switch = self.find(self.dock, f"#switch-{number}")
            switch.click()
            self.wait(self.dock, lambda d: self.find(d, f"#switch-{number}").get_attribute(
                "aria-checked") == str(is_on).lower())

    def go(self, driver, selector):
        """Follows a link of the page."""
        before = driver.current_url
        self.wait(driver, lambda d: self.find(d, selector).click() is None)
        self.wait(driver, lambda d: d.current_url != before)

    def assert_fine(self, driver):
        self.assert_accessible(driver)
        self.assertLessEqual(
            driver.execute_script("return document.documentElement.scrollWidth"), PHONE[0])

    def test_both_phones_tell_what_was_decided_of_an_item(self):
        phones = [self.phone(1), self.phone(2)]
        self.switch_both(True)
        self.remark(phones[0], 3, "Two are torn", "damaged")
        self.remark(phones[1], 3, "All are fine", "ok")
        self.switch_both(False)
        for driver, lost in zip(phones, ("this phone", "another phone")):
            self.wait(driver, lambda d: d.find_elements(By.CSS_SELECTOR, ".history"), seconds=30)
            self.assert_fine(driver)
            self.go(driver, ".history")
            self.wait(driver, lambda d: len(self.find_all(d, ".conflict")) == 2, seconds=30)
            text = self.find(driver, "#conflict-list").text
            self.assertIn("Note: “All are fine”", text)
            self.assertIn(f"“Two are torn” on {lost}", text)
            self.assert_fine(driver)
        row = next(row for row in self.find_all(phones[0], "#conflict-list > div")
                   if "Two are torn" in row.text).get_attribute("id")
        self.find(phones[0], f"#{row} button").click()
        self.wait(phones[0], lambda d: not self.find_all(d, f"#{row} button"))
        self.go(phones[1], ".bar a")
        self.wait(phones[1], lambda d: "Two are torn" in self.find(d, "#main").text, seconds=30)

    def rename(self, driver, name):
        """Gives the charter that is shown another name."""
        self.go(driver, "a[href$='/edit']")
        self.fill(driver, name=name)
        self.find(driver, ".save button").click()
        self.wait(driver, lambda d: self.find(d, "#heading").text == name)

    def test_both_phones_tell_which_name_of_the_charter_stayed(self):
        phones = [self.phone(1), self.phone(2)]
        for driver in phones:
            self.go(driver, ".bar a")
        self.switch_both(True)
        for driver, name in zip(phones, ("Lastovo", "Vis")):
            self.rename(driver, name)
        self.switch_both(False)
        for driver, lost in zip(phones, ("this phone", "another phone")):
            self.wait(driver, lambda d: d.find_elements(By.ID, "charter-history"), seconds=30)
            self.assert_fine(driver)
            self.go(driver, "#charter-history")
            self.wait(driver, lambda d: len(self.find_all(d, ".conflict")) == 1, seconds=30)
            text = self.find(driver, "#conflict-list").text
            self.assertIn("Name: “Vis”", text)
            self.assertIn(f"“Lastovo” on {lost}", text)
            self.assert_fine(driver)
        self.find(phones[0], "#conflict-list button").click()
        self.wait(phones[0], lambda d: not self.find_all(d, "#conflict-list button"))
        phones[1].get(urllib.parse.urljoin(phones[1].current_url, "/anyfleet/charters"))
        self.wait(phones[1], lambda d: "Lastovo" in self.find(d, "#charter-list").text, seconds=30)
        self.find(phones[1], "button.refresh").click()
        self.wait(phones[1], lambda d: not self.find_all(d, "[aria-busy=true]"))
        self.assertIn("Lastovo", self.find(phones[1], "#charter-list").text)
        self.assert_fine(phones[1])

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
