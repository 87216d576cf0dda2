"""Every page, in each language, on phone and desktop, light and dark, and with large text."""

import unittest

from fleet import Fleet
from pages import AnyfleetTestCase
from support import DESKTOP, PHONE


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

    def for_each(self, driver, check):
        """Shows one page after the other."""
        for name, path in self.fleet.pages().items():
            with self.subTest(page=name):
                driver.get(self.host.url(path))
                check(name)

    def test_no_page_breaks_a_rule_or_reports_an_error(self):
        for size, dark, language in ((PHONE, False, "en"), (DESKTOP, False, "ru"),
                                     (PHONE, True, "ru"), (DESKTOP, True, "en")):
            with self.subTest(size=size, dark=dark, language=language):
                driver = self.open("/", size=size, dark=dark)
                self.use_language(driver, language)

                def check(name):
                    self.assert_accessible(driver)
                    # The browser itself reports pages that are not found.
                    if name not in ("not-found", "unknown-link"):
                        self.assert_quiet(driver)
                    driver.get_log("browser")

                self.for_each(driver, check)
                driver.quit()

    def test_no_page_is_wider_than_a_small_phone(self):
        self.assert_fits((320, 640))

    def test_no_page_is_wider_than_a_phone_with_text_of_twice_the_size(self):
        self.assert_fits(PHONE, "document.documentElement.style.fontSize = '200%';")

    def assert_fits(self, size, script=""):
        """No page scrolls sideways, and the bar, which does not scroll, is whole in the window."""
        driver = self.open("/", size=size)

        def check(_):
            driver.execute_script(
                script + "document.querySelectorAll('details').forEach(e => { e.open = true; })")
            self.assertLessEqual(
                driver.execute_script("return document.documentElement.scrollWidth"), size[0])
            self.assertEqual(driver.execute_script(CLIPPED, size[0]), [])

        for language in ("en", "ru"):
            with self.subTest(language=language):
                self.use_language(driver, language)
                self.for_each(driver, check)


if __name__ == "__main__":
    unittest.main()
