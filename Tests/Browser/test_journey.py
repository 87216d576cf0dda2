"""A skipper plans a charter, ticks items, and finds them again."""

import signal
import unittest
from datetime import date

from selenium.webdriver.common.keys import Keys

from pages import AnyfleetTestCase


class JourneyTests(AnyfleetTestCase):
    def test_a_charter_is_planned_run_and_found_again_by_the_pages_alone(self):
        driver = self.open("/")
        self.find(driver, "a[href$='/charters/new']").click()
        self.wait(driver, lambda d: self.find_all(d, "#field-checklists input"))
        for box in self.find_all(driver, "#field-checklists input:checked"):
            box.click()
        self.fill(driver, name="Cyclades", startDate=date.today(), endDate=date.today())
        self.find(driver, ".save button").click()
        self.wait(driver, lambda d: self.find(d, "#heading").text == "Cyclades")
        self.assertEqual(self.find_all(driver, "#checklist-list"), [])
        choice = self.find(driver, "#add-checklists-form label")
        title = choice.text.split("\n")[0]
        choice.click()
        self.find(driver, "#add-checklists-form button").click()
        self.wait(driver, lambda d: title in self.find(d, "#checklist-list").text)
        self.open_checklist(driver)
        for number in (0, 1):
            self.item(driver, number).click()
            self.wait(driver, lambda d: self.is_ticked(d, number))
        self.wait(driver, lambda d: not self.find_all(d, "[aria-busy=true]"))
        self.host.end(signal.SIGKILL)
        self.host.start()
        self.reopen(driver, self.host.url("/"))
        self.find(driver, "#continue").click()
        self.wait(driver, lambda d: self.find(d, "#heading").text == title)
        self.assertEqual(self.count(driver), 2)

    def test_ticks_survive_the_process_being_killed(self):
        driver = self.open("/")
        self.create_charter(driver, "Kornati week")
        self.open_checklist(driver)
        for number in (0, 2, 3):
            self.item(driver, number).click()
            self.wait(driver, lambda d: self.is_ticked(d, number))
        self.wait(driver, lambda d: not self.find_all(d, "[aria-busy=true]"))
        address = driver.current_url
        self.host.end(signal.SIGKILL)
        self.host.start()
        self.reopen(driver, address)
        self.assertEqual(self.count(driver), 3)
        self.assertEqual([self.is_ticked(driver, each) for each in range(5)],
                         [True, False, True, True, False])

    def test_the_charter_shows_how_far_its_checklists_have_got(self):
        driver = self.open("/")
        self.create_charter(driver, "Ionian week")
        address = driver.current_url
        self.open_checklist(driver, 1)
        self.item(driver, 0).click()
        self.wait(driver, lambda d: self.count(d) == 1)
        driver.get(address)
        rows = [each.text for each in self.find_all(driver, "#checklist-list a.row small")]
        self.assertTrue(rows[1].startswith("1 of "), rows)
        self.assertTrue(rows[0].startswith("0 of "), rows)

    def test_removing_a_checklist_is_announced_and_keeps_the_focus_near(self):
        driver = self.open("/")
        self.create_charter(driver, "Fewer lists")
        self.wait_for_stream(driver)
        self.find(driver, "#arrange > summary").click()
        rows = [each.get_attribute("id") for each in self.find_all(driver, "#arrange-list > .entry")]
        names = [self.find(driver, f"#{each} .label").text for each in rows]
        self.assertEqual(self.find(driver, "#arranged").get_attribute("role"), "status")
        focus = "return document.activeElement.closest('.entry')?.id"
        for number, neighbour in ((0, rows[1]), (2, rows[1])):
            self.find(driver, f"#{rows[number]} summary").click()
            self.find(driver, f"#{rows[number]} button[value=unassign]").send_keys(Keys.ENTER)
            self.wait(driver, lambda d: not self.find_all(d, f"#{rows[number]}"))
            self.wait(driver, lambda d: d.execute_script(focus) == neighbour)
            self.wait(driver, lambda d: self.find(d, "#arranged").text
                      == f"“{names[number]}” was removed from this charter.")

    def test_one_checklist_in_two_charters_has_separate_progress(self):
        driver = self.open("/")
        self.create_charter(driver, "First")
        self.open_checklist(driver)
        self.item(driver, 0).click()
        self.wait(driver, lambda d: self.count(d) == 1)
        self.create_charter(driver, "Second")
        self.open_checklist(driver)
        self.assertEqual(self.count(driver), 0)

    def test_a_problem_stands_beside_the_field_and_the_typed_text_stays(self):
        driver = self.open("/charters/new")
        self.fill(driver, vessel="Alma")
        self.find(driver, ".save button").click()
        self.wait(driver, lambda d: self.find_all(d, "#field-name-error"))
        name = self.find(driver, "#field-name")
        self.assertEqual(name.get_attribute("aria-invalid"), "true")
        self.assertIn("field-name-error", name.get_attribute("aria-describedby"))
        self.assertEqual(self.find(driver, "#field-vessel").get_attribute("value"), "Alma")
        self.wait(driver, lambda d: d.switch_to.active_element.get_attribute("id") == "field-name")

    def test_an_end_before_the_start_is_refused(self):
        driver = self.open("/charters/new")
        self.fill(driver, name="Backwards", startDate=date(2027, 6, 12), endDate=date(2027, 6, 5))
        self.find(driver, ".save button").click()
        self.wait(driver, lambda d: self.find_all(d, "#field-endDate-error"))

    def test_unknown_and_malformed_addresses_get_a_page_that_leads_back(self):
        driver = self.open("/")
        for path in ("/nowhere", "/charters/not-a-uuid",
                     "/charters/00000000-0000-0000-0000-000000000000"):
            driver.get(self.host.url(path))
            self.assertTrue(self.find_all(driver, "header a"), path)
            self.assertTrue(self.find(driver, "[role=alert]").text, path)


if __name__ == "__main__":
    unittest.main()
