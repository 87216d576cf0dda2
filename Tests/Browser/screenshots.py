"""Draws every page into .build/screenshots: phone and desktop, light and dark, and in Russian.

Those that README and articles show are drawn anew in Docs/Screenshots, too.

    make screenshots
"""

import sys

from browsers import DESKTOP, PHONE
from fleet import Fleet
from pages import AnyfleetTestCase
from support import ROOT

FOLDER, SHOWN = ROOT / ".build/screenshots", ROOT / "Docs/Screenshots"
KINDS = {
    "phone-light": (dict(size=PHONE), "en"), "phone-dark": (dict(size=PHONE, dark=True), "en"),
    "desktop-light": (dict(size=DESKTOP), "en"),
    "desktop-dark": (dict(size=DESKTOP, dark=True), "en"),
    "phone-russian": (dict(size=PHONE), "ru"),
}


class Screenshots(AnyfleetTestCase):
    def runTest(self):
        pages = Fleet(self, self.open("/")).pages()
        for kind, (options, language) in KINDS.items():
            driver = self.open("/", **options)
            self.use_language(driver, language)
            for name, path in pages.items():
                driver.get(self.host.url(path))
                self.draw(driver, f"{name}-{kind}")

    def draw(self, driver, name):
        FOLDER.mkdir(parents=True, exist_ok=True)
        for folder in (FOLDER, SHOWN):
            file = folder / f"{name}.png"
            if folder == FOLDER or file.exists():
                driver.save_screenshot(str(file))
                print(file)


if __name__ == "__main__":
    Screenshots.setUpClass()
    outcome = Screenshots().run()
    Screenshots.doClassCleanups()
    for _, problem in outcome.errors + outcome.failures:
        print(problem, file=sys.stderr)
    sys.exit(not outcome.wasSuccessful())
