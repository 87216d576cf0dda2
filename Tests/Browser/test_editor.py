"""Editors lose nothing that is not saved, and keep what saves it in reach."""

import unittest
from datetime import date

from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from browsers import DESKTOP, PHONE, show_as
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

    def test_leaving_with_typed_text_asks_until_it_is_saved(self):
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

    def test_leaving_with_an_added_row_asks(self):
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
        row = self.open_remarks(driver, 0)
        self.find(driver, f"{row} textarea").send_keys("Half a note")
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

    def test_the_bar_that_saves_leaves_no_gap_above_the_parts_of_the_app(self):
        driver = self.open_editor("/library")
        self.find(driver, "#checklists-list .row").click()
        self.wait(driver, lambda d: self.find_all(d, "#entry-actions"))
        driver.get(driver.current_url + "/edit")
        self.assertGreaterEqual(self.box(driver, ".save")[1], self.box(driver, "#navigation")[0])
        look = "return getComputedStyle(document.querySelector('.save')).backgroundColor"
        self.assertRegex(driver.execute_script(look), r"^rgb\(")
        # At 400 % zoom nothing stays in sight of itself.
        show_as(driver, (320, 225))
        self.assertEqual(driver.execute_script(
            "return ['.save', '#navigation', '#bar'].map(each => "
            "getComputedStyle(document.querySelector(each)).position)"), ["static"] * 3)

    def test_errors_go_once_they_are_mended(self):
        driver = self.open_editor("/library/checklists/new")
        errors = lambda: [each.text for each in self.find_all(driver, ".error")]
        self.find(driver, ".save .button").send_keys(Keys.ENTER)
        self.wait(driver, lambda d: len(errors()) == 3)
        self.settle(driver)
        self.find(driver, "[name=title]").send_keys("Dinghy")
        self.wait(driver, lambda d: len(errors()) == 2 and "Enter a title." not in errors())
        # What is not mended stays, also when something else is done.
        self.find(driver, ITEM_TITLE).send_keys("Oars")
        self.find(driver, "[value^='add:sections.']").click()
        self.wait(driver, lambda d: errors() == ["Enter a title for the section."])
        self.assertEqual(self.find(driver, "[name=title]").get_attribute("value"), "Dinghy")
        # Broken again, it is said again.
        title = self.find(driver, "[name=title]")
        title.send_keys(Keys.CONTROL, "a")
        title.send_keys(Keys.DELETE)
        self.find(driver, ".save .button").send_keys(Keys.ENTER)
        self.wait(driver, lambda d: "Enter a title." in errors())

    def test_more_opens_by_itself_for_an_error_in_it(self):
        driver = self.open_editor("/charters/new")
        self.fill(driver, name="Kornati")
        self.assertFalse(self.find(driver, "#field-budget").is_displayed())
        self.find(driver, "#more-fields > summary").click()
        budget = self.find(driver, "#field-budget")
        self.assertEqual(budget.get_attribute("inputmode"), "decimal")
        budget.send_keys("abc")
        self.find(driver, "#more-fields > summary").click()
        self.find(driver, ".save .button").send_keys(Keys.ENTER)
        self.wait(driver, lambda d: d.switch_to.active_element.get_attribute("id") == "field-budget")
        self.assertEqual(self.find(driver, "#field-budget-error").text,
                         "Enter an amount such as 1200 or 1,200.50.")
        # Its neighbour is level with it, though it has neither a hint nor an error.
        tops = [self.find(driver, f"#field-{each}").rect["y"] for each in ("budget", "currency")]
        self.assertEqual(*tops)
        self.assert_accessible(driver)
        budget = self.find(driver, "#field-budget")
        budget.send_keys(Keys.CONTROL, "a")
        budget.send_keys("1,200.50")
        self.wait(driver, lambda d: not self.find_all(d, ".error"))
        Select(self.find(driver, "#field-currency")).select_by_value("CHF")
        self.find(driver, ".save .button").send_keys(Keys.ENTER)
        self.wait(driver, lambda d: self.find(d, "#heading").text == "Kornati")
        self.assertIn("CHF", self.find(driver, "#facts-list").text)

    def test_more_opens_without_the_script_too(self):
        driver = self.open("/charters/new", javascript=False)
        self.find(driver, "#more-fields > summary").click()
        self.find(driver, "[value='add:crew']").click()
        self.wait(driver, lambda d: self.find(d, "[name^='crew.'][name$='.name']").is_displayed())

    def test_a_new_charter_begins_on_a_saturday_and_its_name_has_a_limit(self):
        driver = self.open_editor("/charters/new")
        days = [date.fromisoformat(self.find(driver, f"#field-{each}").get_attribute("value"))
                for each in ("startDate", "endDate")]
        self.assertEqual((days[0].weekday(), (days[1] - days[0]).days), (5, 7))
        self.assertEqual(*[self.find(driver, f"#field-{each}").rect["y"]
                           for each in ("startDate", "endDate")])
        self.find(driver, "#field-name").send_keys("x" * 90)
        self.assertEqual(len(self.find(driver, "#field-name").get_attribute("value")), 80)

    def test_short_fields_stand_in_two_columns_in_a_wide_window(self):
        driver = self.open_editor("/charters/new")
        places = lambda: [self.find(driver, each).rect["y"] for each in ("#field-name", "#field-startDate")]
        self.assertLess(*places())
        show_as(driver, DESKTOP)
        self.assertEqual(*places())
        lists = self.find(driver, "#field-checklists").rect
        self.assertGreater(lists["width"], 1.8 * self.find(driver, "#field-name").rect["width"])


if __name__ == "__main__":
    unittest.main()
