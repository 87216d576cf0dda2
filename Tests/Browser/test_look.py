"""Pages hold long words, large texts and many marks without running out of the window."""

import unittest

from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select

from pages import AnyfleetTestCase
from support import PHONE

LONG_WORD = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft"

# What sticks out of its part of the bar at the lower edge, or of the window.
CLIPPED = """
return [...document.querySelectorAll('.navigation a')].filter((part) => {
  const [box, text] = [part, part.querySelector('span')].map((e) => e.getBoundingClientRect());
  return text.left < box.left - 1 || text.right > box.right + 1 || box.right > arguments[0]
    || text.bottom > innerHeight;
}).map((part) => part.textContent);
"""


class LookTests(AnyfleetTestCase):
    def use_language(self, driver, code):
        driver.get(self.host.url("/settings"))
        Select(self.find(driver, "#field-language")).select_by_value(code)
        self.find(driver, "#language-form button").click()
        self.wait(driver, lambda d: d.execute_script("return document.documentElement.lang") == code)

    def assert_fits(self, driver):
        width = driver.execute_script("return document.documentElement.scrollWidth")
        self.assertLessEqual(width, PHONE[0], driver.current_url)
        self.assertEqual(driver.execute_script(CLIPPED, PHONE[0]), [], driver.current_url)

    def enlarge(self, driver):
        """Makes all text twice as large, as a reader may."""
        driver.execute_script("document.documentElement.style.fontSize = '32px'")

    def remark(self, driver, number, note, condition):
        row = f"#{self.find_all(driver, '.item')[number].get_attribute('id')}"
        self.find(driver, f"{row} .remarks > summary").click()
        self.find(driver, f"{row} textarea").send_keys(note)
        Select(self.find(driver, f"{row} select")).select_by_value(condition)
        self.find(driver, f"{row} .remarks button").click()
        self.wait(driver, lambda d: self.find(d, f"{row} .remarks > summary").text == note)
        return row

    def test_a_report_breaks_long_words_and_keeps_lines(self):
        driver = self.open("/")
        self.create_charter(driver, "Long words", vessel=LONG_WORD[:60])
        charter = driver.current_url
        self.open_checklist(driver)
        self.remark(driver, 0, f"{LONG_WORD}\nSecond line", "damaged")
        driver.get(f"{charter}/report")
        self.assert_fits(driver)
        notes = [each.text for each in self.find_all(driver, ".report .finding")]
        self.assertIn(f"{LONG_WORD}\nSecond line", notes)
        table = self.find(driver, ".report table").rect
        self.assertLessEqual(table["x"] + table["width"], PHONE[0])

    def test_pages_hold_text_of_twice_the_size_in_both_languages(self):
        driver = self.open("/")
        self.create_charter(driver, "Large texts", vessel="Alma")
        charter = driver.current_url.split(str(self.host.port))[1]
        self.open_checklist(driver)
        checklist = driver.current_url.split(str(self.host.port))[1]
        template = checklist.split("/checklists/")[1]
        self.addCleanup(lambda: self.use_language(self.open("/"), "en"))
        for language in ("ru", "en"):
            self.use_language(driver, language)
            for path in ("/", "/charters", "/charters/new", charter, f"{charter}/edit",
                         f"{charter}/report", checklist, "/library",
                         f"/library/checklists/{template}",
                         f"/library/checklists/{template}/edit", "/library/decks/new",
                         "/settings", "/about", "/open?link=x", "/nowhere"):
                driver.get(self.host.url(path))
                self.enlarge(driver)
                self.assert_fits(driver)

    def test_two_fields_stand_side_by_side_only_where_both_fit(self):
        driver = self.open("/charters/new")
        fields = ("#field-crewName-0", "#field-crewRole-0")
        tops = [self.find(driver, each).rect["y"] for each in fields]
        self.assertEqual(*tops)
        self.enlarge(driver)
        first, second = [self.find(driver, each).rect for each in fields]
        self.assertEqual(second["x"], first["x"])
        self.assertGreater(second["y"], first["y"] + first["height"])

    def test_marks_of_an_item_stand_together_at_its_end(self):
        driver = self.open("/")
        self.create_charter(driver, "Many marks")
        self.open_checklist(driver)
        critical = next(number for number, each in enumerate(self.find_all(driver, ".item"))
                        if each.find_elements(By.CSS_SELECTOR, ".badge.bad"))
        row = self.remark(driver, critical, "Torn", "notApplicable")
        self.wait(driver, lambda d: len(self.find_all(d, f"{row} .badge")) == 2)
        label = self.find(driver, f"{row} .label").rect
        line = self.find(driver, f"{row} .row").rect
        for badge in self.find_all(driver, f"{row} .badge"):
            self.assertGreaterEqual(badge.rect["x"], label["x"])
        last = self.find_all(driver, f"{row} .badge")[-1].rect
        self.assertAlmostEqual(last["x"] + last["width"], line["x"] + line["width"] - 14, delta=1)


if __name__ == "__main__":
    unittest.main()
