"""Wide windows: the parts of the app at the left, and a list beside the page of one of its entries."""

import unittest

from browsers import DESKTOP, PHONE, show_as
from pages import AnyfleetTestCase

# 64rem, from which on a window is wide.
WIDE = 1024


class WideTests(AnyfleetTestCase):
    def rect(self, driver, selector):
        """The edges of an element in the window."""
        return driver.execute_script(
            "const {left, top, right, bottom} = document.querySelector(arguments[0]).getBoundingClientRect();"
            "return {left, top, right, bottom};", selector)

    def current(self, driver):
        """The title of the row beside the page that leads to the page itself."""
        return self.find(driver, ".beside [aria-current=page] .label").text.split("\n")[0]

    def test_the_parts_of_the_app_stand_at_the_left_of_a_wide_window(self):
        driver = self.open("/charters", size=(WIDE, 800))
        parts = self.rect(driver, ".navigation")
        self.assertEqual((parts["left"], parts["top"], parts["bottom"]), (0, 0, 800))
        for beside in (".bar", "main"):
            self.assertGreaterEqual(self.rect(driver, beside)["left"], parts["right"])
        links = [each.rect for each in self.find_all(driver, ".navigation a")]
        self.assertEqual(len({link["x"] for link in links}), 1)
        self.assertEqual(sorted(link["y"] for link in links), [link["y"] for link in links])
        self.assertTrue(self.find(driver, ".navigation .app").is_displayed())
        self.assert_accessible(driver)
        # In a window that is less wide they stand at the lower edge.
        for size in ((WIDE - 1, 800), PHONE):
            show_as(driver, size)
            parts = self.rect(driver, ".navigation")
            self.assertEqual(parts["bottom"], size[1])
            self.assertGreater(parts["top"], size[1] / 2)
            self.assertFalse(self.find(driver, ".navigation .app").is_displayed())

    def test_the_list_stands_beside_the_page_of_an_entry(self):
        driver = self.open("/", size=DESKTOP)
        for name in ("Kornati", "Vis"):
            self.create_charter(driver, name)
        self.wait(driver, lambda d: len(self.find_all(d, "#others-list a")) == 2)
        self.assertEqual(self.current(driver), "Vis")
        parts, others, page = [
            self.rect(driver, each) for each in (".navigation", ".beside", "main")]
        self.assertLessEqual(parts["right"], others["left"])
        self.assertLessEqual(others["right"], page["left"])
        self.assertLessEqual(page["right"], DESKTOP[0])
        self.assertEqual(others["top"], 0)
        self.assert_accessible(driver)
        # Another entry is one click away, and so are the other checklists of a charter.
        self.find(driver, "#others-list a:not([aria-current])").click()
        self.wait(driver, lambda d: self.find(d, "#heading").text == "Kornati")
        self.assertEqual(self.current(driver), "Kornati")
        self.open_checklist(driver)
        self.assertEqual(self.current(driver), self.find(driver, "#heading").text)
        self.assertLessEqual(
            self.rect(driver, ".beside")["right"], self.rect(driver, "main")["left"])
        show_as(driver, (WIDE - 1, 900))
        self.assertFalse(self.find(driver, ".beside").is_displayed())


if __name__ == "__main__":
    unittest.main()
