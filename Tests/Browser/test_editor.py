"""Editors lose nothing that is not saved, and keep what saves it in reach."""

import unittest

from selenium.webdriver.common.keys import Keys

from browsers import PHONE
from pages import AnyfleetTestCase

# The title of an item in the form of a checklist.
ITEM_TITLE = "[name*='.items.'][name$='.title']"

# Whether the page would ask before it is left.
ASKS = """
const leaving = new Event('beforeunload', {cancelable: true});
dispatchEvent(leaving);
return leaving.defaultPrevented;
"""


class EditorTests(AnyfleetTestCase):
    def asks(self, driver):
        return driver.execute_script(ASKS)

    def settle(self, driver):
        self.wait(driver, lambda d: not self.find_all(d, "[aria-busy=true]"))

    def open_editor(self, path):
        driver = self.open(path)
        self.wait_for_stream(driver)
        return driver

    def press(self, driver, action):
        self.find(driver, f'.button[name=action][value^="{action}"]').send_keys(Keys.ENTER)

    def test_what_was_typed_is_asked_about_until_it_is_saved(self):
        driver = self.open_editor("/library/guides/new")
        self.assertFalse(self.asks(driver))
        self.find(driver, "[name=title]").send_keys("Mooring")
        self.assertTrue(self.asks(driver))
        # Refused, it is still not saved.
        self.find(driver, ".save .button").send_keys(Keys.ENTER)
        self.wait(driver, lambda d: self.find_all(d, "#field-body-error"))
        self.settle(driver)
        self.assertTrue(self.asks(driver))
        self.find(driver, "[name=body]").send_keys("Slowly")
        self.find(driver, ".save .button").send_keys(Keys.ENTER)
        self.wait(driver, lambda d: self.find(d, "h1").text == "Mooring")
        self.assertFalse(self.asks(driver))

    def test_what_was_added_is_asked_about(self):
        driver = self.open_editor("/library/decks/new")
        self.press(driver, "add:cards")
        self.wait(driver, lambda d: len(self.find_all(d, "[name$='.front']")) == 2)
        self.settle(driver)
        self.assertTrue(self.asks(driver))

    def test_other_forms_are_left_without_a_question(self):
        driver = self.open_editor("/charters")
        self.create_charter(driver, "Not an editor")
        self.wait_for_stream(driver)
        self.open_checklist(driver)
        self.wait_for_stream(driver)
        self.find(driver, ".remarks > summary").click()
        self.find(driver, ".item textarea").send_keys("Half a note")
        self.assertFalse(self.asks(driver))

    def box(self, driver, selector):
        return driver.execute_script(
            "const {top, bottom} = document.querySelector(arguments[0]).getBoundingClientRect();"
            "return [top, bottom]", selector)

    def test_what_saves_a_long_form_stays_in_sight_and_covers_no_field(self):
        driver = self.open_editor("/library")
        self.find(driver, "#checklists-list .row").click()
        self.wait(driver, lambda d: self.find_all(d, "#entry-actions"))
        driver.get(driver.current_url + "/edit")
        self.wait_for_stream(driver)
        titles = self.find_all(driver, ITEM_TITLE)
        self.assertGreater(len(titles), 10)
        navigation = self.box(driver, "#navigation")
        for place in (0, len(titles) // 2, -1):
            driver.execute_script("arguments[0].focus()", titles[place])
            save = self.box(driver, ".save")
            self.assertGreater(save[0], 0)
            self.assertLessEqual(save[1], navigation[0])
            field = driver.execute_script("return arguments[0].getBoundingClientRect().bottom",
                                          titles[place])
            self.assertLessEqual(field, save[0])
        # At the end nothing is left below it.
        driver.execute_script("scrollTo(0, document.documentElement.scrollHeight)")
        add = self.box(driver, "[value='add:sections']")
        self.assertLessEqual(add[1], self.box(driver, ".save")[0])

    def test_a_long_title_of_an_item_shows_all_of_itself(self):
        driver = self.open_editor("/library/checklists/new")
        field = self.find(driver, ITEM_TITLE)
        low = field.rect["height"]
        field.send_keys("A long thing to check before the first trip, word by word " * 2)
        self.assertGreater(field.rect["height"], low)
        self.assertLessEqual(field.rect["width"], PHONE[0])
        hidden = driver.execute_script(
            "return arguments[0].scrollHeight - arguments[0].clientHeight", field)
        self.assertLessEqual(hidden, 1)


if __name__ == "__main__":
    unittest.main()
