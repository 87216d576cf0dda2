"""Pages hold long words, large texts and many marks without running out of the window."""

import unittest

from selenium.webdriver.common.by import By

from browsers import PHONE
from pages import AnyfleetTestCase

LONG_WORD = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft"

class LookTests(AnyfleetTestCase):
    def assert_fits(self, driver):
        width = driver.execute_script("return document.documentElement.scrollWidth")
        self.assertLessEqual(width, PHONE[0], driver.current_url)

    def enlarge(self, driver):
        """Makes all text twice as large, as a reader may."""
        driver.execute_script("document.documentElement.style.fontSize = '32px'")

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

    def test_two_fields_stand_side_by_side_only_if_both_fit(self):
        driver = self.open("/charters/new")
        self.find(driver, "#more-fields > summary").click()
        self.find(driver, "button[value='add:crew']").click()
        fields = ("[name^='crew.'][name$='.name']", "[name^='crew.'][name$='.role']")
        self.wait(driver, lambda d: self.find_all(d, fields[0]))
        tops = [self.find(driver, each).rect["y"] for each in fields]
        self.assertEqual(*tops)
        self.enlarge(driver)
        first, second = [self.find(driver, each).rect for each in fields]
        self.assertEqual(second["x"], first["x"])
        self.assertGreaterEqual(second["y"], first["y"] + first["height"])

    def test_marks_of_an_item_stand_together_below_its_title(self):
        driver = self.open("/")
        self.create_charter(driver, "Many marks")
        self.open_checklist(driver)
        critical = next(number for number, each in enumerate(self.find_all(driver, ".item"))
                        if each.find_elements(By.CSS_SELECTOR, ".badge.bad"))
        row = self.remark(driver, critical, "Torn", "notApplicable")
        self.wait(driver, lambda d: len(self.find_all(d, f"{row} .badge")) == 2)
        label = self.find(driver, f"{row} .label").rect
        note = self.find(driver, f"{row} .note").rect
        badges = [badge.rect for badge in self.find_all(driver, f"{row} .badge")]
        self.assertEqual(badges[0]["y"], badges[1]["y"])
        self.assertAlmostEqual(badges[0]["x"], label["x"], delta=1)
        self.assertGreaterEqual(badges[0]["y"], note["y"] + note["height"] - 1)


if __name__ == "__main__":
    unittest.main()
