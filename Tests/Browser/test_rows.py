"""Rows of editors are written by keyboard, and moved by mouse, finger and keyboard."""

import unittest

from selenium.webdriver.common.actions import interaction
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.actions.pointer_input import PointerInput
from selenium.webdriver.common.keys import Keys

from browsers import DESKTOP
from pages import AnyfleetTestCase

ITEM_TITLE = "[name*='.items.'][name$='.title']"
SECTION_TITLE = "[name^='sections.'][name$='.title']:not([name*='.items.'])"
ARRANGED = "#arrange-list .label"


class RowTests(AnyfleetTestCase):
    def new_checklist(self, *titles, **options):
        """Opens the form of a new checklist and writes its items, each after the Enter key."""
        driver = self.open("/library/checklists/new", **options)
        self.wait_for_stream(driver)
        self.find(driver, "[name=title]").send_keys("Night watch")
        self.find(driver, SECTION_TITLE).send_keys("Deck")
        for number, title in enumerate(titles):
            if number:
                driver.switch_to.active_element.send_keys(Keys.ENTER)
                self.wait(driver, lambda d: self.focused(d) == number)
            self.find_all(driver, ITEM_TITLE)[number].send_keys(title)
        return driver

    def titles(self, driver):
        return [each.get_attribute("value") for each in self.find_all(driver, ITEM_TITLE)]

    def focused(self, driver):
        """The number of the item whose title has the focus, or -1."""
        return driver.execute_script(
            "return [...document.querySelectorAll(arguments[0])].indexOf(document.activeElement)",
            ITEM_TITLE)

    def settle(self, driver):
        self.wait(driver, lambda d: not self.find_all(d, "[aria-busy=true]"))

    def handle(self, driver, number):
        return self.find_all(driver, ".entry .entry > .handle")[number]

    def save(self, driver):
        self.find(driver, ".save .button").send_keys(Keys.ENTER)
        self.wait(driver, lambda d: self.find(d, "h1").text == "Night watch")
        return [each.text for each in self.find_all(driver, "main .row .label")]

    def test_enter_begins_the_next_item_right_below(self):
        driver = self.new_checklist("Lights", "Harness")
        self.find_all(driver, ITEM_TITLE)[0].send_keys(Keys.ENTER)
        self.wait(driver, lambda d: self.titles(d) == ["Lights", "", "Harness"])
        self.wait(driver, lambda d: self.focused(d) == 1)
        # Several lines that are pasted become one.
        driver.execute_script("document.execCommand('insertText', false, 'Flares,\\nin date')")
        self.assertEqual(self.titles(driver), ["Lights", "Flares, in date", "Harness"])
        self.assert_accessible(driver)
        self.assertEqual(self.save(driver), ["Lights", "Flares, in date", "Harness"])

    def test_text_typed_right_after_enter_is_in_the_next_item(self):
        driver = self.new_checklist("")
        self.find(driver, ITEM_TITLE).send_keys("Lights", Keys.ENTER, "Harness")
        self.wait(driver, lambda d: self.focused(d) == 1)
        self.wait(driver, lambda d: self.titles(d) == ["Lights", "Harness"])

    def test_enter_in_the_title_of_a_section_goes_to_its_first_item(self):
        driver = self.new_checklist("Lights")
        self.find(driver, SECTION_TITLE).send_keys(Keys.ENTER)
        self.wait(driver, lambda d: self.focused(d) == 0)
        self.assertEqual(self.titles(driver), ["Lights"])

    def test_backspace_removes_an_empty_item_and_goes_to_the_one_before(self):
        driver = self.new_checklist("Lights", "Harness")
        second = self.find_all(driver, ITEM_TITLE)[1]
        second.clear()
        second.send_keys(Keys.BACKSPACE)
        self.wait(driver, lambda d: self.titles(d) == ["Lights"])
        self.assertEqual(self.focused(driver), 0)
        self.settle(driver)
        # The only item stays, and so do items with notes.
        self.find(driver, ITEM_TITLE).send_keys(Keys.END, "!", Keys.ENTER)
        self.wait(driver, lambda d: self.focused(d) == 1)
        self.find_all(driver, ".entry .entry .more > summary")[1].click()
        self.find_all(driver, "[name$='.note']")[1].send_keys("At the helm")
        self.find_all(driver, ITEM_TITLE)[1].send_keys(Keys.BACKSPACE)
        self.settle(driver)
        self.assertEqual(self.titles(driver), ["Lights!", ""])

    def drag(self, driver, kind, handle, target, below):
        """Drags a row to the upper or lower part of another one."""
        box = target.rect
        start = handle.rect
        scrolled = driver.execute_script("return scrollY")
        at = (int(start["x"] + 10), int(start["y"] - scrolled + start["height"] / 2))
        to = int(box["y"] - scrolled + box["height"] * (0.8 if below else 0.2))
        pointer = ActionBuilder(driver, mouse=PointerInput(kind, kind), duration=20)
        actions = pointer.pointer_action
        actions.move_to_location(*at).pointer_down()
        for step in (0.3, 0.6, 0.9, 1):
            actions.move_to_location(at[0], int(at[1] + (to - at[1]) * step))
        actions.move_to_location(at[0], to).pointer_up()
        pointer.perform()

    def assert_dragged(self, kind):
        driver = self.new_checklist("Lights", "Harness", "Flares")
        rows = self.find_all(driver, ".entry .entry")
        driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", rows[1])
        self.drag(driver, kind, self.handle(driver, 0), rows[2], below=True)
        self.wait(driver, lambda d: self.titles(d) == ["Harness", "Flares", "Lights"])
        self.wait(driver, lambda d: self.notice(d) == "Now 3 of 3.")
        self.drag(driver, kind, self.handle(driver, 2), self.find_all(driver, ".entry .entry")[1],
                  below=False)
        self.wait(driver, lambda d: self.titles(d) == ["Harness", "Lights", "Flares"])
        self.settle(driver)
        self.assertEqual(self.save(driver), ["Harness", "Lights", "Flares"])

    def test_an_item_is_dragged_by_the_mouse(self):
        self.assert_dragged(interaction.POINTER_MOUSE)

    def test_an_item_is_dragged_by_a_finger(self):
        self.assert_dragged(interaction.POINTER_TOUCH)

    def test_an_item_is_dragged_into_another_section(self):
        driver = self.new_checklist("Lights", "Harness", size=DESKTOP)
        self.find(driver, "[value='add:sections']").send_keys(Keys.ENTER)
        self.wait(driver, lambda d: len(self.find_all(d, SECTION_TITLE)) == 2)
        self.find_all(driver, SECTION_TITLE)[1].send_keys("Below")
        self.find_all(driver, ITEM_TITLE)[2].send_keys("Gas")
        self.settle(driver)
        rows = self.find_all(driver, ".entry .entry")
        driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", rows[1])
        self.drag(driver, interaction.POINTER_MOUSE, self.handle(driver, 0), rows[2], below=True)
        self.wait(driver, lambda d: self.titles(d) == ["Harness", "Gas", "Lights"])
        self.settle(driver)
        ids = [each.get_attribute("id") for each in self.find_all(driver, ".entry [id]")]
        self.assertEqual(len(ids), len(set(ids)))
        self.assert_accessible(driver)
        self.find(driver, ".save .button").send_keys(Keys.ENTER)
        self.wait(driver, lambda d: self.find(d, "h1").text == "Night watch")
        cards = [[row.text for row in card.find_elements("css selector", ".label")]
                 for card in self.find_all(driver, "main .card")]
        self.assertEqual(cards, [["Harness"], ["Gas", "Lights"]])

    def test_the_arrow_keys_move_an_item_and_its_place_is_said(self):
        driver = self.new_checklist("Lights", "Harness", "Flares")
        for key, titles, said in (
                (Keys.ARROW_DOWN, ["Harness", "Lights", "Flares"], "Now 2 of 3."),
                (Keys.ARROW_DOWN, ["Harness", "Flares", "Lights"], "Now 3 of 3."),
                (Keys.ARROW_UP, ["Harness", "Lights", "Flares"], "Now 2 of 3.")):
            handle = self.find(driver, ".handle[aria-label*='“Lights”']")
            handle.send_keys(key)
            self.wait(driver, lambda d: self.titles(d) == titles)
            self.wait(driver, lambda d: self.notice(d) == said)
            self.assertIn("“Lights”", driver.switch_to.active_element.get_attribute("aria-label"))

    def test_a_list_of_37_fits_on_a_few_screens(self):
        driver = self.open("/library")
        row = next(each for each in self.find_all(driver, "#checklists-list .row")
                   if "Yacht check-in" in each.text)
        driver.get(row.get_attribute("href") + "/edit")
        self.wait_for_stream(driver)
        self.assertEqual(len(self.titles(driver)), 37)
        self.assertLessEqual(
            driver.execute_script("return document.documentElement.scrollHeight"), 3500)
        self.assertTrue(self.find_all(driver, ".flags"))
        for place in range(0, 200, 20):
            # Whatever lies below the bar that saves is large enough to be hit beside it.
            driver.execute_script("scrollTo(0, arguments[0])", place)
            self.assert_accessible(driver)

    def test_without_the_script_the_menu_has_all_that_there_is(self):
        driver = self.open("/library/checklists/new", javascript=False)
        self.assertFalse(self.find(driver, ".handle").is_displayed())
        self.find(driver, "[name=title]").send_keys("Night watch")
        self.find(driver, SECTION_TITLE).send_keys("Deck")
        self.find(driver, ITEM_TITLE).send_keys("Lights")
        self.find(driver, "[value^='add:sections.']").send_keys(Keys.ENTER)
        self.wait(driver, lambda d: len(self.titles(d)) == 2)
        self.find_all(driver, ITEM_TITLE)[1].send_keys("Harness")
        self.find_all(driver, ".entry .entry .more > summary")[1].click()
        self.find_all(driver, "[name$='.note']")[1].send_keys("One each")
        self.find_all(driver, "[name$='.isCritical']")[1].click()
        self.find(driver, "[value^='up:'][value*='.items.']").send_keys(Keys.ENTER)
        self.wait(driver, lambda d: self.titles(d) == ["Harness", "Lights"])
        self.assertEqual(self.find(driver, ".flags").text, "✎ !")
        self.find_all(driver, ".entry .entry .more > summary")[1].click()
        self.find_all(driver, "[value^='remove:'][value*='.items.']")[1].send_keys(Keys.ENTER)
        self.wait(driver, lambda d: self.titles(d) == ["Harness"])
        self.assertEqual(len(self.save(driver)), 1)

    def test_checklists_of_a_charter_are_arranged_by_dragging_and_by_keyboard(self):
        driver = self.open("/")
        self.create_charter(driver, "Arranged")
        self.wait_for_stream(driver)
        self.find(driver, "#arrange > summary").click()
        names = lambda: [each.text for each in self.find_all(driver, ARRANGED)]
        shown = lambda: [each.text.split("\n")[0]
                         for each in self.find_all(driver, "#checklist-list .label")]
        before = names()
        visible = [each for each in self.find_all(driver, "#arrange-list button")
                   if each.is_displayed()]
        self.assertEqual(len(visible), len(before))
        first, second = before[:2]
        rows = self.find_all(driver, "#arrange-list > .entry")
        driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", rows[1])
        self.drag(driver, interaction.POINTER_TOUCH, self.find(driver, "#arrange-list .handle"),
                  rows[1], below=True)
        self.wait(driver, lambda d: shown() == [second, first, *before[2:]])
        self.wait(driver, lambda d: self.notice(d) == f"Now 2 of {len(before)}.")
        driver.switch_to.active_element.send_keys(Keys.ARROW_DOWN)
        self.wait(driver, lambda d: shown() == [second, before[2], first, *before[3:]])
        self.wait(driver, lambda d: self.notice(d) == f"Now 3 of {len(before)}.")
        self.assertEqual(names(), shown())
        self.assert_accessible(driver)
        self.assert_quiet(driver)


if __name__ == "__main__":
    unittest.main()
