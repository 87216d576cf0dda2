"""Motion draws attention to changes, and there is none for users who want less of it."""

import unittest

from pages import AnyfleetTestCase

# Records the elements that the script animates.
SPY = """
window.animated = [];
const animate = Element.prototype.animate;
Element.prototype.animate = function (...all) {
  window.animated.push(this.id);
  return animate.apply(this, all);
};
"""
# The time for which the mark of a tick, the sign in it and the title move.
DURATIONS = """
const tick = document.querySelector(".tick");
const title = document.querySelector("[role=checkbox] .label > *");
return [getComputedStyle(tick), getComputedStyle(tick, "::before"), getComputedStyle(title)].map(
  (style) => style.transitionDuration);
"""
# What moves now, but for the parts that appear after a moment.
MOVING = """
return document.getAnimations().filter((each) => !(each instanceof CSSAnimation)).length;
"""


class MotionTests(AnyfleetTestCase):
    def two_browsers(self, motion):
        """Two browsers at one checklist, with a preference about motion."""
        first = self.open("/")
        self.create_charter(first, "Shared")
        self.open_checklist(first)
        second = self.open(first.current_url.removeprefix(self.host.url("")))
        self.wait(second, lambda d: self.find_all(d, "#count"))
        for driver in (first, second):
            driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [
                {"name": "prefers-reduced-motion", "value": motion}]})
            self.wait_for_stream(driver)
            driver.execute_script(SPY)
        return first, second

    def tick(self, first, second, number):
        """Ticks an item in one browser, waits until both show it, and returns the id of its row."""
        row = self.find_all(first, ".item")[number].get_attribute("id")
        self.item(first, number).click()
        for driver in (first, second):
            self.wait(driver, lambda d: self.is_ticked(d, number))
        return row

    def animated(self, driver):
        return driver.execute_script("return animated")

    def test_a_row_that_changed_elsewhere_flashes(self):
        first, second = self.two_browsers("no-preference")
        row = self.tick(first, second, 1)
        self.assertIn(row, self.animated(second))
        # The user knows what they have ticked themselves.
        self.assertNotIn(row, self.animated(first))
        self.assertEqual(first.execute_script(DURATIONS), ["0.12s"] * 3)

    def test_nothing_moves_for_a_user_who_wants_less_motion(self):
        first, second = self.two_browsers("reduce")
        self.tick(first, second, 1)
        for driver in (first, second):
            self.assertEqual(self.animated(driver), [])
            self.assertEqual(driver.execute_script(DURATIONS), ["0s"] * 3)
            self.assertEqual(driver.execute_script(MOVING), 0)


if __name__ == "__main__":
    unittest.main()
