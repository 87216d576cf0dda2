"""Draws every page into Docs/Screenshots: phone and desktop, light and dark.

    make screenshots
"""

import sys

from pages import AnyfleetTestCase
from support import DESKTOP, PHONE, ROOT

FOLDER = ROOT / "Docs/Screenshots"
KINDS = {
    "phone-light": dict(size=PHONE), "phone-dark": dict(size=PHONE, dark=True),
    "desktop-light": dict(size=DESKTOP), "desktop-dark": dict(size=DESKTOP, dark=True),
}


class Screenshots(AnyfleetTestCase):
    def runTest(self):
        driver = self.open("/")
        self.create_charter(driver, "Kornati in June", vessel="Alma", destination="Biograd na Moru")
        charter = driver.current_url
        self.open_checklist(driver)
        for number in (0, 1, 2, 3, 5):
            self.item(driver, number).click()
            self.wait(driver, lambda d: self.is_ticked(d, number))
        checklist = driver.current_url
        driver.get(charter)
        self.open_checklist(driver, 2)
        self.item(driver, 0).click()
        self.wait(driver, lambda d: self.is_ticked(d, 0))
        template = checklist.split("/checklists/")[1]
        pages = {
            "home": self.host.url("/"), "charters": self.host.url("/charters"),
            "new-charter": self.host.url("/charters/new"), "charter": charter,
            "report": f"{charter}/report", "checklist": checklist,
            "library": self.host.url("/library"),
            "template": self.host.url(f"/library/checklists/{template}"),
            "editor": self.host.url(f"/library/checklists/{template}/edit"),
            "settings": self.host.url("/settings"), "about": self.host.url("/about"),
        }
        for kind, options in KINDS.items():
            driver = self.open("/", **options)
            for name, address in pages.items():
                driver.get(address)
                self.draw(driver, f"{name}-{kind}")

    def draw(self, driver, name):
        FOLDER.mkdir(parents=True, exist_ok=True)
        driver.save_screenshot(str(FOLDER / f"{name}.png"))
        print(FOLDER / f"{name}.png")


if __name__ == "__main__":
    Screenshots.setUpClass()
    outcome = Screenshots().run()
    Screenshots.doClassCleanups()
    for _, problem in outcome.errors + outcome.failures:
        print(problem, file=sys.stderr)
    sys.exit(not outcome.wasSuccessful())
