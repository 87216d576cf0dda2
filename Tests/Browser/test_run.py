"""A crew runs a checklist: notes what it found, finishes, begins anew; in its language, by links."""

import re
import signal
import unittest
import urllib.parse

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from browsers import DESKTOP, PHONE, show_as
from pages import AnyfleetTestCase


class RunTests(AnyfleetTestCase):
    def open_new_checklist(self, name, **options):
        driver = self.open("/", **options)
        self.create_charter(driver, name)
        self.open_checklist(driver)
        return driver

    def ids(self, driver):
        """The ids of charter and checklist that are shown."""
        parts = urllib.parse.urlsplit(driver.current_url).path.split("/")
        return parts[-3], parts[-1]

    # Notes and issues

    def test_note_and_issue_survive_the_process_being_killed(self):
        driver = self.open_new_checklist("Torn sail")
        self.wait_for_stream(driver)
        self.remark(driver, 1, "Torn at the clew", "damaged")
        self.wait(driver, lambda d: not self.find_all(d, "[aria-busy=true]"))
        address = driver.current_url
        self.host.end(signal.SIGKILL)
        self.host.start()
        self.reopen(driver, address)
        row = self.find_all(driver, ".item")[1]
        self.assertEqual(row.find_element(By.CSS_SELECTOR, ".note").text, "Torn at the clew")
        self.assertIn("Damaged", row.find_element(By.CSS_SELECTOR, "button[role=checkbox]").text)
        self.assertIn("1 problem", self.find(driver, "#count").text)

    def test_a_note_shows_in_the_other_browser_and_leaves_the_typed_text_there(self):
        first = self.open_new_checklist("Two pens")
        second = self.open(first.current_url.removeprefix(self.host.url("")))
        for driver in (first, second):
            self.wait_for_stream(driver)
        row = self.open_remarks(second, 0)
        self.find(second, f"{row} textarea").send_keys("Half a sent")
        self.remark(first, 0, "By the first", "missing")
        self.wait(second, lambda d: self.note(d, row) == "By the first")
        self.assertEqual(self.find(second, f"{row} textarea").get_attribute("value"), "Half a sent")
        self.assertIsNotNone(self.find(second, f"{row} .remarks").get_attribute("open"))
        # The condition is stored apart from the note, and follows.
        self.wait(second, lambda d: self.find(d, f"{row} [aria-pressed=true]").text == "Missing")

    def restart(self, driver):
        """Kills the process and starts it again, and waits until the page has another tab."""
        tab = driver.execute_script("return document.body.dataset.tab")
        self.host.end(signal.SIGKILL)
        self.host.start()
        self.wait(driver, lambda d: d.execute_script("return document.body.dataset.tab") != tab)
        self.wait_for_stream(driver)

    def test_notes_that_are_being_typed_outlive_the_tab(self):
        driver = self.open_new_checklist("Half a note")
        self.wait_for_stream(driver)
        folded = self.open_remarks(driver, 2)
        self.find(driver, f"{folded} textarea").send_keys("Folded")
        self.find(driver, f"{folded} .remarks > summary").click()
        row = self.open_remarks(driver, 1)
        self.find(driver, f"{row} textarea").send_keys("Chafed at the")
        driver.execute_script("scrollTo(0, document.body.scrollHeight)")
        for _ in range(2):
            self.restart(driver)
        for each, text in ((row, "Chafed at the"), (folded, "Folded")):
            self.assertEqual(self.find(driver, f"{each} textarea").get_attribute("value"), text)
        driver.execute_script("scrollTo(0, 0)")
        # The part is loaded anew, so that its condition follows again.
        self.wait(driver, lambda d: not self.find_all(d, f"{row} [data-more]"))
        self.assertEqual(self.find(driver, f"{row} textarea").get_attribute("value"), "Chafed at the")
        self.find(driver, f"{row} .chip[value=missing]").click()
        self.wait(driver, lambda d: self.find(d, f"{row} [aria-pressed=true]").text == "Missing")
        self.find(driver, f"{row} [value=note]").click()
        self.wait(driver, lambda d: self.note(d, row) == "Chafed at the")

    def test_notes_and_resets_need_no_script(self):
        driver = self.open_new_checklist("Without scripts", javascript=False)
        self.assertEqual(driver.execute_script("return typeof morph"), "undefined")
        self.remark(driver, 2, "Rusty", "issue")
        self.find(driver, "#finish button").click()
        self.wait(driver, lambda d: self.find_all(d, "#finish .error"))
        self.find(driver, "#finish a.plain").click()
        # Between two pages, there is an empty one, which has no error either.
        self.wait(driver, lambda d: self.find_all(d, "#reset button")
                  and not self.find_all(d, "#finish .error"))
        self.find(driver, "#reset button").click()
        self.wait(driver, lambda d: self.find_all(d, "#reset .destructive"))
        self.find(driver, "#reset .destructive").click()
        self.wait(driver, lambda d: self.find_all(d, "#undo-do button")
                  and "Rusty" not in self.find(d, "main").text)
        self.find(driver, "#undo-do button").click()
        self.wait(driver, lambda d: "Rusty" in self.find(d, "main").text
                  and not self.find_all(d, "#undo-do"))

    # Ticking

    def test_an_ordinary_row_is_one_line(self):
        driver = self.open_new_checklist("One line", size=DESKTOP)
        plain = "button.row:not(:has(small:not(.stamp), .badge))"
        heights = lambda: [row.size["height"] for row in self.find_all(driver, plain)]
        before = heights()
        self.assertLessEqual(min(before), 53)
        self.find_all(driver, plain)[before.index(min(before))].click()
        self.wait(driver, lambda d: self.find(d, f"{plain}[aria-checked=true]"))
        self.assertEqual(heights(), before)

    def test_a_complete_checklist_shows_its_times_and_leads_to_the_report(self):
        driver = self.open_new_checklist("Soon done")
        charter = driver.current_url.split("/checklists/")[0]
        self.wait_for_stream(driver)
        for number in range(len(self.items(driver))):
            self.item(driver, number).click()
            self.wait(driver, lambda d: re.match(
                r"\d\d?:\d\d", self.find_all(d, ".stamp")[number].text))
        self.wait(driver, lambda d: re.match(r"All \d+ done, \d", self.find(d, "#count").text))
        self.find(driver, "#run-end a.primary").click()
        self.wait(driver, lambda d: d.current_url == f"{charter}/report")
        driver.back()
        driver.refresh()
        self.wait(driver, lambda d: self.find_all(d, "details.section"))
        self.assertEqual(self.find_all(driver, "details.section[open]"), [])

    # Ending

    def test_finishing_asks_and_pressing_twice_confirms_nothing(self):
        driver = self.open_new_checklist("In a hurry")
        self.wait_for_stream(driver)
        button = self.find(driver, "#finish button")
        button.send_keys(Keys.ENTER)
        self.wait(driver, lambda d: self.find_all(d, "#finish .error"))
        self.assertIn("open", self.find(driver, "#finish [role=alert]").text)
        self.assertEqual(self.notice(driver), "")
        # The focus is on the link to the open items, not on the button that finishes all the same.
        self.assertEqual(driver.switch_to.active_element.tag_name, "a")
        driver.switch_to.active_element.send_keys(Keys.ENTER)
        self.wait(driver, lambda d: "#item-" in d.current_url)
        self.assertTrue(self.find_all(driver, "#finish .error"))
        self.find(driver, "#finish .destructive").click()
        self.wait(driver, lambda d: self.find(d, "#heading").text == "In a hurry")

    def test_a_reset_in_one_browser_is_undone_in_the_other(self):
        first = self.open_new_checklist("Back again")
        second = self.open(first.current_url.removeprefix(self.host.url("")))
        for driver in (first, second):
            self.wait_for_stream(driver)
        self.item(first, 0).click()
        self.wait(second, lambda d: self.count(d) == 1)
        self.find(first, "#reset button").click()
        self.wait(first, lambda d: self.find_all(d, "#reset .destructive"))
        self.find(first, "#reset .destructive").click()
        self.wait(second, lambda d: self.find_all(d, "#undo-do") and self.count(d) == 0)
        self.find(second, "#undo-do button").click()
        for driver in (first, second):
            self.wait(driver, lambda d: self.count(d) == 1 and not self.find_all(d, "#undo-do"))

    def test_a_link_to_a_critical_item_opens_the_section_that_it_is_in(self):
        driver = self.open_new_checklist("Folded")
        self.wait_for_stream(driver)
        self.find(driver, "#critical-button").click()
        link = self.find(driver, "#critical a")
        target = link.get_attribute("href").split("#")[1]
        self.press(driver, Keys.ESCAPE)
        section = f"details.section:has([id='{target}'])"
        self.find(driver, f"{section} > summary").click()
        self.wait(driver, lambda d: not self.find(d, f"[id='{target}']").is_displayed())
        self.find(driver, "#critical-button").click()
        link.send_keys(Keys.ENTER)
        self.wait(driver, lambda d: not link.is_displayed())
        self.wait(driver, lambda d: self.find(d, f"[id='{target}']").is_displayed())

    def test_a_note_is_written_by_keyboard_alone(self):
        driver = self.open_new_checklist("By keyboard")
        self.wait_for_stream(driver)
        row = self.find_all(driver, ".item")[0].get_attribute("id")
        driver.execute_script(f"document.querySelector('#{row} button').focus()")
        self.press(driver, Keys.TAB, Keys.ENTER)
        self.wait_for_remarks(driver, f"#{row}")
        self.press(driver, Keys.TAB, Keys.TAB, Keys.TAB, Keys.ENTER)
        self.wait(driver, lambda d: "Missing" in self.find(d, f"#{row} button[role=checkbox]").text)
        self.press(driver, Keys.TAB, Keys.TAB, Keys.TAB, "Worn", Keys.TAB, Keys.ENTER)
        self.wait(driver, lambda d: self.note(d, f"#{row}") == "Worn")
        # The note confirms that it is saved, and folds; the focus is on what opens it again.
        self.wait(driver, lambda d: self.notice(d) == "Saved ✓")
        self.assertIsNone(self.find(driver, f"#{row} .remarks").get_attribute("open"))
        focus = "return document.activeElement.closest('.item')?.id"
        self.assertEqual(driver.execute_script(focus), row)

    # Language and links

    def test_a_language_is_seen_at_once_in_another_tab(self):
        driver = self.open_new_checklist("In two tongues")
        self.addCleanup(lambda: self.use_language(self.open("/"), "en"))
        self.item(driver, 0).click()
        self.wait(driver, lambda d: self.count(d) == 1)
        second = self.open(driver.current_url.removeprefix(self.host.url("")))
        self.wait_for_stream(second)
        total = self.find(second, "#count").text.split()[2]
        self.use_language(driver, "ru")
        self.wait(second, lambda d: self.find(d, "#count").text.startswith(f"Готово 1 из {total}"))
        self.wait(second, lambda d: self.find(d, "#finish").text == "Завершить")
        self.assertEqual(self.find(second, ".navigation a").text, "Главная")
        self.wait(second, lambda d: d.execute_script("return document.documentElement.lang") == "ru")
        self.host.end()
        self.host.start()
        self.reopen(driver, self.host.url("/settings"))
        self.assertEqual(self.find(driver, "#field-language").get_attribute("value"), "ru")

    def test_a_link_from_outside_opens_its_page(self):
        driver = self.open_new_checklist("Linked")
        charter, checklist = self.ids(driver)
        page = driver.current_url
        links = {
            f"anyfleet://charter?id={charter}": f"/charters/{charter}",
            f"anyfleet://execute?charter={charter}&checklist={checklist}": page,
            f"anyfleet://checklist?id={checklist}": f"/library/checklists/{checklist}",
        }
        for link, expected in links.items():
            driver.get(self.host.url("/open?" + urllib.parse.urlencode({"link": link})))
            self.assertTrue(driver.current_url.endswith(expected), driver.current_url)
        driver.get(self.host.url("/open?link=anyfleet://nowhere"))
        field = self.find(driver, "#field-link")
        self.assertEqual(field.get_attribute("value"), "anyfleet://nowhere")
        self.assertTrue(self.find(driver, "#field-link-error").text)
        field.clear()
        field.send_keys(f"anyfleet://charter?id={charter}", Keys.ENTER)
        self.wait(driver, lambda d: self.find(d, "#heading").text == "Linked")

    # All users

    def test_pages_break_no_rule(self):
        for size in (PHONE, DESKTOP):
            for dark in (False, True):
                with self.subTest(size=size, dark=dark):
                    driver = self.open_new_checklist("Seen by all", size=size, dark=dark)
                    self.wait_for_stream(driver)
                    for number, condition in enumerate(
                            ("ok", "issue", "missing", "damaged", "notApplicable")):
                        self.remark(driver, number, f"Note {number}", condition)
                    self.find(driver, "#finish button").click()
                    self.wait(driver, lambda d: self.find_all(d, "#finish .error"))
                    self.find(driver, "#reset button").click()
                    self.wait(driver, lambda d: self.find_all(d, "#reset .destructive"))
                    # In a window without a part that a bar covers: one would count as too small.
                    show_as(driver, (size[0], 12_000), dark)
                    self.assert_accessible(driver)
                    show_as(driver, size, dark)
                    self.find(driver, "#reset .destructive").click()
                    self.wait(driver, lambda d: self.find_all(d, "#undo-do"))
                    self.assert_accessible(driver, "#undo")
                    self.find(driver, "#undo .dismiss").click()
                    self.wait(driver, lambda d: not self.find_all(d, "#undo"))
                    show_as(driver, (size[0], 12_000), dark)
                    self.assert_accessible(driver)
                    driver.quit()

    def press(self, driver, *keys):
        for key in keys:
            driver.switch_to.active_element.send_keys(key)


if __name__ == "__main__":
    unittest.main()
