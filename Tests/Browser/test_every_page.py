"""Every page, in each language, on phone and desktop, light and dark, and with large text."""

import unittest

from browsers import DESKTOP, PHONE, show_as
from fleet import Fleet
from pages import AnyfleetTestCase
from shifts import ShiftsTestCase
from teams import TeamsTestCase
from writers import WritersTestCase


# Labels that stick out of their part of the bar at the lower edge or of the window, are broken, or lie below
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


# A window without a part that a bar covers: one would count as too small.
TALL = 12_000
# A window of 1280 by 900 at 400 %, and the elements that would fill it.
ZOOMED = (320, 225)
STUCK = """
return [...document.querySelectorAll('.bar, .run-progress, .save, .composer, h1, .navigation')].filter(
  (part) => ['sticky', 'fixed'].includes(getComputedStyle(part).position)).map((part) => part.className || part.id);
"""


class EveryPage:
    """The rules for the pages of an app, which `pages` returns by their names."""

    def test_every_page_in_english(self):
        looks = [dict(size=PHONE), dict(size=DESKTOP, dark=True), dict(size=PHONE, forced=True)]
        self.assert_every_page("en", looks, self.assert_narrow)

    def test_every_page_in_russian(self):
        looks = [dict(size=DESKTOP), dict(size=PHONE, dark=True)]
        self.assert_every_page("ru", looks, self.assert_large)

    def assert_every_page(self, language, looks, check):
        """No page breaks a rule of accessibility in any look, or reports an error."""
        driver = self.open("/")
        self.use_language(driver, language)
        for name, path in self.pages().items():
            with self.subTest(page=name):
                show_as(driver, PHONE)
                driver.get(self.host.url(path))
                for look in looks:
                    with self.subTest(look=look):
                        show_as(driver, **look)
                        self.assert_accessible(driver)
                # The browser itself reports pages that are not found.
                if name not in ("not-found", "unknown-link"):
                    self.assert_quiet(driver)
                driver.get_log("browser")
                driver.execute_script(
                    "document.querySelectorAll('details').forEach(e => { e.open = true; })")
                check(driver)

    def assert_narrow(self, driver):
        """The page fits a small phone, and a window that is enlarged to 400 %, in which nothing sticks."""
        self.assert_fits(driver, (320, 640))
        show_as(driver, (320, TALL))
        self.assert_accessible(driver)
        show_as(driver, ZOOMED)
        self.assertLessEqual(
            driver.execute_script("return document.documentElement.scrollWidth"), ZOOMED[0])
        self.assertEqual(driver.execute_script(STUCK), [])
        self.assert_accessible(driver)

    def assert_large(self, driver):
        """The page has room for text of twice the size."""
        self.assert_fits(driver, (320, 640))
        driver.execute_script("document.documentElement.style.fontSize = '200%'")
        self.assert_fits(driver, PHONE)
        show_as(driver, (PHONE[0], TALL))
        self.assert_accessible(driver)

    def assert_fits(self, driver, size):
        """The page does not scroll sideways, and the bar, which does not scroll, is whole in the window."""
        with self.subTest(size=size):
            show_as(driver, size)
            self.assertLessEqual(
                driver.execute_script("return document.documentElement.scrollWidth"), size[0])
            self.assertEqual(driver.execute_script(CLIPPED, size[0]), [])


class EveryPageTests(EveryPage, AnyfleetTestCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        case = cls("entering")
        cls.fleet = Fleet(case, case.open("/"))
        case.doCleanups()

    def entering(self):
        """Stands for the test while the fleet is entered."""

    def pages(self):
        return self.fleet.pages()


class EveryPageOfMessagesTests(EveryPage, WritersTestCase):
    def setUp(self):
        anna, ben = self.two_people("Kornati crew")
        self.host = anna.host
        # Few enough for a phone: a button that a bar covers in part would count as too small.
        self.write(ben, "Ahoy!")
        self.wait_for_text(anna, "Ahoy!")
        self.reply(anna, "Ahoy!", "See " + "you" * 20)
        self.send_photo(anna, "The boat")
        self.wait_for_photo(anna)
        self.conversation = self.path(anna)
        self.refused = self.refuse(anna, ben, "Harbour")
        anna.get(anna.host.url(self.conversation))
        self.wait_for_stream(anna)
        self.switch_airplane_mode(anna, True)
        self.write(anna, "Waits for the network")

    def pages(self):
        """The path of every page, by a name."""
        return {
            "conversations": "/", "found": "/?q=ahoy", "none-found": "/?q=nothing",
            "new": "/new", "conversation": self.conversation,
            "refused-and-read-only": self.refused, "hit": f"{self.conversation}?at=none", "settings-of-conversation": f"{self.conversation}/edit",
            "members": self.crew(self.conversation), "join": "/join/conversation", "unsent": "/unsent",
            "profile": "/profile", "account": "/profile/account", "sync": "/profile/sync", "settings": "/settings",
            "about": "/about", "link": "/open", "not-found": "/conversations/nowhere",
        }


class EveryPageOfShiftsTests(EveryPage, ShiftsTestCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        case = cls("entering")
        driver = case.open("/")
        case.plan(driver)
        driver.get(cls.host.url("/calendar/day/2027-06-05"))
        cls.shift = case.find(driver, "[id='rows-2027-06-05'] a.row").get_attribute("href").split("/")[-1]
        cls.type, cls.location = (
            case.find(case.get(driver, "/kinds"), f"#{kind}-rows a.row").get_attribute("href").split("/")[-1]
            for kind in ("type", "location"))
        case.doCleanups()

    def get(self, driver, path):
        driver.get(self.host.url(path))
        return driver

    def entering(self):
        """Stands for the test while the shifts are entered."""

    def pages(self):
        """The path of every page, by a name."""
        return {
            "today": "/", "month": "/calendar/month/2027-06-01", "week": "/calendar/week/2027-06-01",
            "day": "/calendar/day/2027-06-01", "free-day": "/calendar/day/2027-09-01",
            "new-shift": "/shifts/2027-06-01/new", "pattern": "/shifts/2027-06-01/pattern",
            "shift": f"/shifts/2027-06-05/edit/{self.shift}", "copy": f"/shifts/2027-06-05/copy/{self.shift}",
            "kinds": "/kinds", "new-type": "/kinds/types/new", "type": f"/kinds/types/edit/{self.type}",
            "remove-type": f"/kinds/types/remove/{self.type}", "new-location": "/kinds/locations/new",
            "location": f"/kinds/locations/edit/{self.location}",
            "remove-location": f"/kinds/locations/remove/{self.location}", "search": "/search",
            "found": "/search?q=anna", "conditions": "/search?status=done&from=2027-06-01&to=2027-02-31",
            "totals": "/totals?month=2027-06", "changes": "/changes", "data": "/data", "engines": "/engines",
            "export": "/export", "no-account": "/teams", "new-team": "/teams/new", "profile": "/profile",
            "account": "/profile/account", "sync": "/profile/sync", "settings": "/settings", "about": "/about",
            "link": "/open",
            "not-found": "/kinds/types/edit/00000000-0000-0000-0000-000000000000",
        }


class EveryPageOfTeamsTests(EveryPage, TeamsTestCase):
    def setUp(self):
        anna, ben = self.two_people("Harbor crew of the northern pier")
        self.enter_shift(anna, "2027-06-05")
        self.add_shift(anna, "2027-06-12", "E Early")
        self.publish(anna)
        self.offer(anna)
        self.answer(ben, "accepted")
        self.wait_for_words(anna, "Accepted: ben")
        self.host = anna.host

    def pages(self):
        """The path of every page, by a name."""
        team = self.june.removesuffix("/2027-06")
        return {
            "teams": "/teams", "new-team": "/teams/new", "team": team, "june": self.june,
            "edit": f"{team}/edit", "members": self.crew(team), "join": "/join/team",
            "not-found": "/teams/00000000-0000-0000-0000-000000000000",
        }


if __name__ == "__main__":
    unittest.main()
