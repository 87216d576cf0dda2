"""Nothing moves while a checklist is ticked: not by a tick, nor by what the page says meanwhile."""

import signal
import unittest

from people import PeopleTestCase

# The shifts that a browser counts, by https://wicg.github.io/layout-instability/, whether or not a user has
# just pressed something.
WATCH = """
window.shifts = [];
const place = ({node, previousRect: from, currentRect: to}) =>
  `${node?.nodeName} ${node?.id || node?.className || node?.textContent}: ` +
  `${from.x},${from.y} to ${to.x},${to.y}`;
new PerformanceObserver(list => window.shifts.push(...list.getEntries().map(
  entry => `${entry.value} ${entry.sources.map(place)}`))).observe({type: "layout-shift"});
"""


class JumpTests(PeopleTestCase):
    def test_nothing_moves_while_a_list_of_37_is_ticked(self):
        ada, ben = self.person("ada"), self.person("ben")
        name = "A week among all the islands of the Kornati"
        charter = self.plan(ada, name)
        self.join(ben, self.invite(ada, charter, "editor"), name)
        ada.get(charter)
        for driver in (ada, ben):
            self.open_checklist(driver, 2)
            self.assertEqual(len(self.items(driver)), 37)
            self.wait_for_stream(driver)
            driver.execute_script(WATCH)
        # Both tick at the same time.
        for number in range(12):
            self.item(ada, number).click()
            self.item(ben, number + 12).click()
        for driver in (ada, ben):
            self.wait(driver, lambda d: self.count(d) == 24)
        self.switch_airplane_mode(ada, True)
        for number in range(24, 37, 2):
            self.item(ada, number).click()
            if number + 1 < 37:
                self.item(ben, number + 1).click()
        self.wait(ada, lambda d: "change" in self.find(d, "#sync-status").text)
        self.switch_airplane_mode(ada, False)
        self.wait(ben, lambda d: self.find(d, "#count").text.startswith("All 37 done"))
        self.assertIn("ada, ", self.find(ben, ".stamp").text)
        for driver in (ada, ben):
            self.assert_still(driver)

    def assert_still(self, driver):
        """Nothing has moved since the page was watched."""
        self.assertEqual(driver.execute_async_script(
            "requestAnimationFrame(() => setTimeout(() => arguments[0](shifts)))"), [])

    def find_condition(self, driver, number, condition):
        """Chooses the condition of an item, folds its part again, and returns how to find the item."""
        row = self.open_remarks(driver, number)
        self.find(driver, f"{row} .chip[value='{condition}']").click()
        self.wait(driver, lambda d: self.find_all(d, f"{row} .foot .badge"))
        if self.find(driver, f"{row} .remarks").get_attribute("open") is not None:
            self.find(driver, f"{row} .remarks > summary").click()
        return row

    def test_a_conflict_that_arrives_moves_nothing(self):
        ada, ben = self.person("ada-two"), self.person("ben-two")
        charter = self.plan(ada, "Two conditions")
        self.join(ben, self.invite(ada, charter, "editor"), "Two conditions")
        ada.get(charter)
        rows = {}
        for driver, condition in ((ada, "damaged"), (ben, "ok")):
            self.open_checklist(driver)
            self.switch_airplane_mode(driver, True)
            rows[driver] = self.find_condition(driver, 3, condition)
            self.wait(driver, lambda d: "change" in self.find(d, "#sync-status").text)
        heights = {driver: self.find(driver, row).size for driver, row in rows.items()}
        for driver in rows:
            self.wait_for_stream(driver)
            driver.execute_script(WATCH)
        for driver in rows:
            self.switch_airplane_mode(driver, False)
        for driver, row in rows.items():
            self.wait(driver, lambda d: self.find_all(d, f"{row} .versions"), seconds=30)
            self.assertEqual(self.find(driver, row).size, heights[driver])
            self.assert_still(driver)
            link = self.find(driver, f"{row} .versions").rect
            icon = self.find(driver, f"{row} .remarks > summary").rect
            self.assertGreaterEqual(link["height"], 24)
            self.assertLessEqual(link["x"] + link["width"], icon["x"])
            foot = self.find(driver, f"{row} .foot").rect
            self.assertAlmostEqual(
                link["y"] + link["height"] / 2, foot["y"] + foot["height"] / 2, delta=1)

    def test_neither_the_bar_nor_a_lost_app_moves_a_row(self):
        ada = self.person("bar")
        self.plan(ada, "A week among all the islands of the Kornati")
        self.open_checklist(ada)
        self.wait_for_stream(ada)
        places = lambda: (self.item(ada, 0).rect["y"], self.find(ada, ".bar").size["height"])
        before = places()
        self.switch_airplane_mode(ada, True)
        self.item(ada, 0).click()
        self.wait(ada, lambda d: "change" in self.find(d, "#sync-status").text)
        self.assertEqual(places(), before)
        ada.host.end(signal.SIGKILL)
        self.wait(ada, lambda d: self.find(d, "#connection").is_displayed())
        self.assertEqual(places(), before)


if __name__ == "__main__":
    unittest.main()
