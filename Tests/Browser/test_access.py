"""All users can use the pages: by keyboard, without scripts, by assistive technology."""

import unittest

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from browsers import DESKTOP, PHONE, browser
from pages import AnyfleetTestCase


class AccessTests(AnyfleetTestCase):
    def test_pages_break_no_rule(self):
        for size in (PHONE, DESKTOP):
            for dark in (False, True):
                with self.subTest(size=size, dark=dark):
                    driver = self.open("/charters/new", size=size, dark=dark)
                    self.assert_accessible(driver)
                    self.find(driver, ".save button").click()
                    self.wait(driver, lambda d: self.find_all(d, "#field-name-error"))
                    self.assert_accessible(driver)
                    self.create_charter(driver, "Seen by all")
                    self.assert_accessible(driver)
                    self.open_checklist(driver)
                    self.item(driver, 0).click()
                    self.wait(driver, lambda d: self.is_ticked(d, 0))
                    self.assert_accessible(driver)
                    driver.get(driver.current_url.split("/checklists")[0])
                    for each in self.find_all(driver, "details:not([open]) > summary"):
                        if each.is_displayed():
                            each.click()
                    self.assert_accessible(driver)
                    self.find(driver, "#menu-button").click()
                    self.find(driver, "#delete > summary").click()
                    self.assert_accessible(driver, "#menu")
                    driver.quit()

    def test_a_first_page_without_charters_breaks_no_rule(self):
        driver = self.open("/charters")
        self.assert_accessible(driver)
        driver.get(self.host.url("/"))
        self.assert_accessible(driver)

    def test_the_keyboard_alone_is_enough(self):
        driver = self.open("/charters/new")
        self.press(driver, Keys.TAB)
        self.assertEqual(self.focused(driver, "className"), "skip")
        # Nothing is entered yet, which the form says at the first field, where the focus goes.
        self.reach(driver, lambda: "primary" in self.focused(driver, "className"))
        self.press(driver, Keys.ENTER)
        self.wait(driver, lambda d: self.focused(d, "id") == "field-name")
        self.press(driver, "By keyboard")
        self.press(driver, Keys.TAB)
        self.press(driver, "06122027")
        self.reach(driver, lambda: self.focused(driver, "id") == "field-endDate")
        self.press(driver, "06192027")
        self.press(driver, Keys.ENTER)
        self.wait(driver, lambda d: self.find(d, "#heading").text == "By keyboard")
        self.reach(driver, lambda: "row" in self.focused(driver, "className"))
        self.press(driver, Keys.ENTER)
        self.wait(driver, lambda d: d.find_elements(By.ID, "count"))
        self.reach(driver, lambda: self.focused(driver, "role") == "checkbox")
        focus = "return document.activeElement.closest('form').id"
        before = driver.execute_script(focus)
        self.press(driver, Keys.SPACE)
        self.wait(driver, lambda d: self.count(d) == 1)
        self.assertEqual(driver.execute_script(focus), before)
        self.press(driver, Keys.SPACE)
        self.wait(driver, lambda d: self.count(d) == 0)
        self.reach(driver, lambda: self.focused(driver, "tagName") == "SUMMARY", backwards=True)
        self.press(driver, Keys.ENTER)
        self.wait(driver, lambda d: not self.item(d, 0).is_displayed())
        self.reach(driver, lambda: "/charters/" in self.focused(driver, "href"), backwards=True)
        self.press(driver, Keys.ENTER)
        self.wait(driver, lambda d: self.find_all(d, "#delete"))
        self.reach(driver, lambda: self.focused(driver, "id") == "menu-button")
        self.press(driver, Keys.ENTER)
        self.reach(driver, lambda: driver.execute_script(
            "return document.activeElement.matches('#delete > summary')"))
        self.press(driver, Keys.ENTER)
        self.reach(driver, lambda: "destructive" in self.focused(driver, "className"))
        self.press(driver, Keys.ENTER)
        self.wait(driver, lambda d: d.current_url.endswith("/charters"))
        self.assertIn("By keyboard", self.find(driver, "#undo").text)
        self.assertNotIn("By keyboard", self.find(driver, "#charters").text)
        self.reach(driver, lambda: driver.execute_script(
            "return document.activeElement.matches('#undo button')"))
        self.press(driver, Keys.ENTER)
        self.wait(driver, lambda d: self.find(d, "#heading").text == "By keyboard")

    def test_a_browser_without_access_sees_a_page_like_all_others(self):
        look = "return getComputedStyle(document.body).backgroundColor"
        usual = self.open("/charters").execute_script(look)
        # Another browser, which has no file of the pages yet.
        stranger = browser()
        self.addCleanup(stranger.quit)
        stranger.get(self.host.url("/charters"))
        self.assertIn("token", self.find(stranger, "main").text)
        self.assertEqual(stranger.execute_script(look), usual)
        self.assert_accessible(stranger)

    def test_scripts_are_not_needed(self):
        driver = self.open("/", javascript=False)
        driver.get(self.host.url("/charters/new"))
        # The browser really runs none: the function is one of the script of each page.
        self.assertEqual(driver.execute_script("return typeof morph"), "undefined")
        self.fill(driver, vessel="Alma")
        self.find(driver, ".save button").click()
        self.wait(driver, lambda d: self.find_all(d, "#field-name-error"))
        self.assertEqual(self.find(driver, "#field-vessel").get_attribute("value"), "Alma")
        self.create_charter(driver, "Without scripts")
        self.open_checklist(driver)
        self.item(driver, 1).click()
        self.wait(driver, lambda d: self.count(d) == 1)
        self.assertTrue(self.is_ticked(driver, 1))
        self.item(driver, 1).click()
        self.wait(driver, lambda d: self.count(d) == 0)

    def test_pages_load_nothing_that_is_refused_or_missing(self):
        driver = self.open("/charters")
        self.create_charter(driver, "Quiet")
        self.open_checklist(driver)
        self.item(driver, 0).click()
        self.wait(driver, lambda d: self.is_ticked(d, 0))
        self.assert_quiet(driver)


if __name__ == "__main__":
    unittest.main()
