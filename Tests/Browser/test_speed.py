"""How soon a page is painted, a tap leads to a loaded page, a page disappears when access ends, and a message is on
the other page."""

import os
import statistics
import unittest

from fleet import Fleet
from pages import AnyfleetTestCase
from people import PeopleTestCase
from writers import WritersTestCase

# When the first content was painted, in milliseconds since the page was asked for.
PAINTED = """
const done = arguments[0];
new PerformanceObserver((list, observer) => {
  const paint = list.getEntries().find(({name}) => name === 'first-contentful-paint');
  if (paint) { observer.disconnect(); done(paint.startTime); }
}).observe({type: 'paint', buffered: true});
"""
# Taps a part of the bar at the lower edge, and notes the time by the clock that pages share.
TAP = """
sessionStorage.tapped = performance.timeOrigin + performance.now();
document.querySelectorAll('.navigation a')[arguments[0]].click();
"""
LOADED = """
const [entry] = performance.getEntriesByType('navigation');
return entry.loadEventEnd && performance.timeOrigin + entry.loadEventEnd - sessionStorage.tapped;
"""
# Notes the time at which the open page says that its thing has gone.
WATCH = """
delete sessionStorage.gone;
new MutationObserver((_, observer) => {
  if (document.getElementById('heading')?.textContent.trim() !== 'No longer available') return;
  observer.disconnect();
  sessionStorage.gone = performance.timeOrigin + performance.now();
}).observe(document, {subtree: true, childList: true, characterData: true});
"""
# The noted time, or the present one if the page was loaded anew.
GONE = "return Number(sessionStorage.gone) || performance.timeOrigin + performance.now();"
# Removes the only other member, and returns the time.
REMOVE = """
const button = document.querySelector('.manage .remove button');
const start = performance.timeOrigin + performance.now();
button.click();
return start;
"""


class TimedTestCase:
    def assert_fast(self, what, times, limit):
        """The median is below a limit on the build that people run, and below a second on any."""
        median = statistics.median(times)
        print(f"{what}: median {median:.0f}, from {min(times):.0f} to {max(times):.0f} ms")
        self.assertLess(median, limit if "OFFSHORE_RELEASE" in os.environ else 1000)


class SpeedTests(TimedTestCase, AnyfleetTestCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        case = cls("entering")
        cls.fleet = Fleet(case, case.open("/"))
        case.doCleanups()

    def entering(self):
        """Stands for the test while the fleet is entered."""

    def test_the_first_paint_of_a_page_takes_less_than_a_tenth_of_a_second(self):
        driver = self.open("/")
        names = ("home", "charters", "charter", "checklist", "editor", "edit-charter", "library", "sync")
        for name in names:
            self.assert_fast(f"first paint of {name}", self.paints(driver, name), 100)

    def paints(self, driver, name):
        """The times of nine first paints of a page."""
        times = []
        for _ in range(9):
            driver.get(self.host.url(self.fleet.pages()[name]))
            times.append(driver.execute_async_script(PAINTED))
        return times

    def test_a_tap_leads_to_a_loaded_page_within_120_milliseconds(self):
        driver = self.open("/")
        times = []
        for number in [1, 2, 3, 0] * 6:
            before = driver.current_url
            driver.execute_script(TAP, number)
            self.wait(driver, lambda d: d.current_url != before and d.execute_script(LOADED))
            times.append(driver.execute_script(LOADED))
        self.assert_fast("tap to loaded", times, 120)


class EndedAccessSpeedTests(TimedTestCase, PeopleTestCase):
    def test_a_charter_leaves_an_open_page_within_200_milliseconds_after_a_removal(self):
        skipper, mate = self.person("skipper"), self.person("mate")
        charter, times = self.plan(skipper, "Hvar week"), []
        for _ in range(5):
            self.join(mate, self.invite(skipper, charter, "editor"), "Hvar week")
            self.wait_for_stream(mate)
            mate.execute_script(WATCH)
            skipper.get(self.crew(charter))
            self.wait(skipper, lambda d: self.find_all(d, ".manage"))
            self.find(skipper, ".manage > summary").click()
            self.find(skipper, ".manage .remove > summary").click()
            removed = skipper.execute_script(REMOVE)
            self.wait(mate, lambda d: self.find(d, "#heading").text == "No longer available")
            times.append(mate.execute_script(GONE) - removed)
        self.assert_fast("removal to a page without the charter", times, 200)


class MessageSpeedTests(TimedTestCase, WritersTestCase):
    def test_a_message_is_on_the_page_of_the_other_person_within_100_milliseconds(self):
        anna, ben = self.two_people("Crew")
        times = [self.delay(*pair, f"Message {number}") for number in range(10)
                 for pair in ((anna, ben), (ben, anna))]
        self.assert_fast("message to the page of the other person", times, 100)


if __name__ == "__main__":
    unittest.main()
