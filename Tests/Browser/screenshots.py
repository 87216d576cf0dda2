"""Draws every page into .build/screenshots: phone and desktop, light and dark, and in Russian.

Those that README and articles show are drawn anew in Docs/Screenshots, too.

    make screenshots
"""

import sys

from browsers import DESKTOP, PHONE, show_as
from fleet import Fleet
from pages import AnyfleetTestCase
from support import ROOT
from test_conflicts import ConflictTests
from test_dock import DockTests
from test_every_page import EveryPageOfMessagesTests, EveryPageOfShiftsTests, EveryPageOfTeamsTests

FOLDER, SHOWN = ROOT / ".build/screenshots", ROOT / "Docs/Screenshots"
KINDS = {
    "phone-light": (dict(size=PHONE), "en"), "phone-dark": (dict(size=PHONE, dark=True), "en"),
    "desktop-light": (dict(size=DESKTOP), "en"),
    "desktop-dark": (dict(size=DESKTOP, dark=True), "en"),
    "phone-russian": (dict(size=PHONE), "ru"),
}


class Drawing:
    """Draws what browsers show."""

    def draw(self, driver, name):
        FOLDER.mkdir(parents=True, exist_ok=True)
        for folder in (FOLDER, SHOWN):
            file = folder / f"{name}.png"
            if folder == FOLDER or file.exists():
                driver.save_screenshot(str(file))
                print(file)

    def draw_as_it_is(self, driver, name):
        """Draws a page that cannot be loaded again: in English, in all looks."""
        for kind, (options, language) in KINDS.items():
            if language == "en":
                show_as(driver, **options)
                self.draw(driver, f"{name}-{kind}")
        show_as(driver, PHONE)

    def draw_page(self, driver, name, address):
        """Draws the page of a person at an address."""
        self.host = driver.host
        for kind, (options, language) in KINDS.items():
            self.use_language(driver, language)
            show_as(driver, **options)
            driver.get(address)
            self.draw(driver, f"{name}-{kind}")
        show_as(driver, PHONE)
        self.use_language(driver, "en")


class Pages(Drawing, AnyfleetTestCase):
    """The pages of one device."""

    def runTest(self):
        pages = Fleet(self, self.open("/")).pages()
        for kind, (options, language) in KINDS.items():
            driver = self.open("/", **options)
            self.use_language(driver, language)
            for name, path in pages.items():
                driver.get(self.host.url(path))
                self.draw(driver, f"{name}-{kind}")


class OtherPages(Drawing):
    """The pages of another app that the tests of every page enter. Their names begin with those of the app."""

    def runTest(self):
        for kind, (options, language) in KINDS.items():
            driver = self.open("/")
            show_as(driver, **options)
            self.use_language(driver, language)
            for name, path in self.pages().items():
                driver.get(self.host.url(path))
                self.draw(driver, f"{self.prefix}-{name}-{kind}")


class Messages(OtherPages, EveryPageOfMessagesTests):
    prefix = "messai"


class Shifts(OtherPages, EveryPageOfShiftsTests):
    prefix = "shiftscheduler"


class Teams(OtherPages, EveryPageOfTeamsTests):
    prefix = "shiftscheduler"


class States(Drawing, ConflictTests):
    """The content of a page that is an effect of another person."""

    def runTest(self):
        self.draw_invitation()
        self.draw_conflict()
        self.draw_deletion()

    def draw_invitation(self):
        ada = self.person("ada-code")
        self.invite(ada, self.plan(ada, "Kornati week"), "editor")
        self.draw_as_it_is(ada, "invitation")

    def draw_conflict(self):
        ada, ben = self.two_people("Two versions")
        charter = ada.current_url
        for driver in (ada, ben):
            self.open_checklist(driver)
        checklist, rows = ada.current_url, []

        def change():
            rows.append(self.remark(ada, 3, "Two are torn", "damaged"))
            rows.append(self.remark(ben, 3, "All are fine", "ok"))
        self.apart(ada, ben, change)
        self.wait(ben, lambda d: self.find_all(d, "#homecoming a"), seconds=30)
        self.draw_as_it_is(ben, "back-online")
        self.wait(ada, lambda d: self.versions(d, rows[0]), seconds=30)
        self.find(ada, f"{rows[0]} .versions").click()
        self.wait(ada, lambda d: len(self.find_all(d, ".conflict")) == 2, seconds=30)
        self.draw_page(ada, "conflict", ada.current_url)
        self.draw_page(ada, "checklist-with-conflict", checklist)
        self.draw_page(ada, "charter-with-conflict", charter)

    def draw_deletion(self):
        ada, ben = self.two_people("Trip 1")
        charter = ben.current_url
        self.delete_while_other_works(ada, ben, "Your 2 ticks, 1 note and 1 condition are kept here.")
        self.draw_page(ben, "refused", ben.host.url("/profile/sync"))
        self.draw_page(ben, "gone", charter)


class Docks(Drawing, DockTests):
    """The dock with its two phones, before the first step and after it."""

    def runTest(self):
        for number in (1, 2):
            self.dock.switch_to.frame(self.find(self.dock, f"#frame-{number}"))
            self.wait(self.dock, lambda d: self.find_all(d, "#count"))
            self.dock.switch_to.default_content()
        self.draw_as_it_is(self.dock, "dock")
        self.tick(self.phones[0], 0)
        self.expect(["tick"], "airplane")
        self.draw_as_it_is(self.dock, "dock-after-tick")


if __name__ == "__main__":
    problems = []
    for case in (Pages, Messages, Shifts, Teams, States, Docks):
        case.setUpClass()
        outcome = case().run()
        case.doClassCleanups()
        problems += [problem for _, problem in outcome.errors + outcome.failures]
    for problem in problems:
        print(problem, file=sys.stderr)
    sys.exit(bool(problems))
