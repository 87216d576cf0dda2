"""Every page, in each language, on phone and desktop, light and dark, and with large text."""

import unittest

from browsers import DESKTOP, PHONE, show_as
from fleet import Fleet
from pages import AnyfleetTestCase


# What sticks out of its part of the bar at the lower edge or of the window, is broken, or lies below
# the bar.
CLIPPED = """
const box = (element) => element.getBoundingClientRect();
const parts = [...document.querySelectorAll('.navigation a')].filter((part) => {
  const label = part.querySelector('span');
  const [outer, text, size] = [box(part), box(label), parseFloat(getComputedStyle(label).fontSize)];
  return text.left < outer.left - 1 || text.right > outer.right + 1 || outer.right > arguments[0]
    || text.bottom > innerHeight || text.height > 2 * size;
});
const bar = document.querySelector('.navigation');
const save = [...document.querySelectorAll('.save .button')].filter(
  (button) => box(button).bottom > box(bar).top);
return [...parts, ...save].map((part) => part.textContent);
"""


class EveryPageTests(AnyfleetTestCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        case = cls("entering")
        cls.fleet = Fleet(case, case.open("/"))
        case.doCleanups()

    def entering(self):
        """Stands for the test while the fleet is entered."""

    def test_every_page_in_english(self):
        self.assert_every_page("en", (PHONE, False), (DESKTOP, True))

    def test_every_page_in_russian(self):
        self.assert_every_page("ru", (DESKTOP, False), (PHONE, True))

    def assert_every_page(self, language, *views):
        """No page breaks a rule of accessibility in the views, reports an error, or is too wide for
        a small phone or for text of twice the size."""
        driver = self.open("/")
        self.use_language(driver, language)
        for name, path in self.fleet.pages().items():
            with self.subTest(page=name):
                show_as(driver, *views[0])
                driver.get(self.host.url(path))
                for size, dark in views:
                    with self.subTest(size=size, dark=dark):
                        show_as(driver, size, dark)
                        self.assert_accessible(driver)
                # The browser itself reports pages that are not found.
                if name not in ("not-found", "unknown-link"):
                    self.assert_quiet(driver)
                driver.get_log("browser")
                driver.execute_script(
                    "document.querySelectorAll('details').forEach(e => { e.open = true; })")
                self.assert_fits(driver, (320, 640))
                driver.execute_script("document.documentElement.style.fontSize = '200%'")
                self.assert_fits(driver, PHONE)

    def assert_fits(self, driver, size):
        """The page does not scroll sideways, and the bar, which does not scroll, is whole in the window."""
        with self.subTest(size=size):
            show_as(driver, size)
            self.assertLessEqual(
                driver.execute_script("return document.documentElement.scrollWidth"), size[0])
            self.assertEqual(driver.execute_script(CLIPPED, size[0]), [])


if __name__ == "__main__":
    unittest.main()
