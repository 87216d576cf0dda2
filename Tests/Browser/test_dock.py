"""Two phones and a server: what is done on one, with and without a network, is on the other."""

import math
import os
import signal
import unittest

from selenium.webdriver.common.by import By

from browsers import DESKTOP, PHONE, browser
from pages import AnyfleetTestCase
from support import Host


class DockHost(Host):
    arguments = ["dock"]
    app = ""


class DockTests(AnyfleetTestCase):
    def setUp(self):
        self.host = DockHost()
        self.addCleanup(self.host.remove)
        self.dock = self.open("/", size=DESKTOP)
        self.wait(self.dock, lambda d: len(self.find_all(d, "iframe")) == 2, seconds=20)
        self.wait_for_stream(self.dock)
        self.phones = [self.phone(number) for number in (1, 2)]

    def phone(self, number):
        """A browser at a phone's own pages, at the checklist that the dock shows."""
        driver = browser(size=PHONE)
        self.addCleanup(driver.quit)
        driver.get(self.find(self.dock, f"#frame-{number}").get_attribute("src"))
        self.wait(driver, lambda d: d.find_elements(By.ID, "count"))
        self.wait_for_stream(driver)
        return driver

    def switch(self, number, is_on):
        """Switches a phone's airplane mode, and waits until the phone says that it is so."""
        state = str(is_on).lower()
        self.wait(self.dock, lambda d: self.find(d, f"#switch-{number}").is_displayed())
        if self.find(self.dock, f"#switch-{number}").get_attribute("aria-checked") != state:
            self.find(self.dock, f"#switch-{number}").click()
        self.wait(self.dock, lambda d: self.find(d, f"#switch-{number}").get_attribute(
            "aria-checked") == state)

    def ticks(self, driver):
        return [item.get_attribute("aria-checked") == "true" for item in self.items(driver)]

    def tick(self, driver, number):
        self.item(driver, number).click()
        self.wait(driver, lambda d: self.is_ticked(d, number))

    def test_a_tick_on_one_phone_is_on_the_other_within_a_tenth_of_a_second(self):
        first, second = self.phones
        delays = [self.tick_delay(first, second, number)
                  for _ in range(4) for number in range(len(self.items(first)))]
        print(f"tick to the other phone: {sorted(delays)} ms")
        self.assertLess(max(delays), 1500)
        # A build with checks and counters takes longer than what people run. Nine of ten are within the
        # time where two processors draw four pages beside what is measured.
        if "OFFSHORE_RELEASE" in os.environ:
            self.assertLess(sorted(delays)[math.ceil(len(delays) * .9) - 1], 100)
            self.assertLess(max(delays), 500)

    def test_a_tick_after_ten_new_charters_is_on_the_other_phone_as_soon(self):
        first, second = self.phones
        address = first.current_url
        for number in range(10):
            self.create_charter(first, f"Charter {number}", origin=address.split("/charters/")[0])
        first.get(address)
        self.wait(first, lambda d: d.find_elements(By.ID, "count"))
        self.wait_for_stream(first)
        delays = [self.tick_delay(first, second, number)
                  for _ in range(2) for number in range(len(self.items(first)))]
        print(f"tick to the other phone after ten new charters: {sorted(delays)} ms")
        self.assertLess(max(delays), 1500)
        if "OFFSHORE_RELEASE" in os.environ:
            self.assertLess(sorted(delays)[math.ceil(len(delays) * .9) - 1], 100)

    def test_what_both_do_without_a_network_is_on_both_with_one(self):
        for number in (1, 2):
            self.switch(number, True)
        first, second = self.phones
        for item in (0, 2):
            self.tick(first, item)
        for item in (1, 2):
            self.tick(second, item)
        self.remark(first, 3, "Two are torn", "damaged")
        self.remark(second, 4, "Left one sticks", "issue")
        self.assertEqual(self.ticks(first)[:3], [True, False, True])
        self.assertEqual(self.ticks(second)[:3], [False, True, True])
        self.wait(self.dock, lambda d: "wait" in self.find(d, ".phone .status").text)
        for number in (1, 2):
            self.switch(number, False)
        for phone in self.phones:
            self.wait(phone, lambda d: self.ticks(d)[:3] == [True, True, True], seconds=30)
            for note in ("Two are torn", "Left one sticks"):
                self.wait(phone, lambda d: note in self.find(d, "#main").text)
        for status in self.find_all(self.dock, ".phone .status"):
            self.wait(self.dock, lambda d: status.text == "Online")
        for phone in self.phones:
            phone.refresh()
            self.wait(phone, lambda d: d.find_elements(By.ID, "count"))
        self.assertEqual(*[self.find(phone, "#main").text for phone in self.phones])

    def test_a_charter_deleted_on_one_and_changed_on_the_other_is_gone_on_both(self):
        for number in (1, 2):
            self.switch(number, True)
        first, second = self.phones
        charters = [phone.current_url.split("/checklists/")[0] for phone in self.phones]
        first.get(charters[0])
        self.find(first, "#delete summary").click()
        self.find(first, "#delete button").click()
        self.wait(first, lambda d: d.current_url.endswith("/charters"))
        self.tick(second, 0)
        second.get(f"{charters[1]}/edit")
        name = self.find(second, "[name=name]")
        name.clear()
        name.send_keys("Renamed too late")
        self.find(second, ".save button").click()
        self.wait(second, lambda d: d.current_url == charters[1])
        for number in (1, 2):
            self.switch(number, False)
        self.wait(second, lambda d: self.is_gone(d, charters[1]), seconds=30)
        self.assertIn("deleted on another phone", self.find(second, "#main").text)
        # What was decided of the change is told once it was sent.
        self.wait(second, lambda d: self.is_gone(d, charters[1]) and "did not stay" in self.find(
            d, "#main").text, seconds=30)
        self.assertTrue(self.is_gone(second, f"{charters[1]}/edit"))
        self.assertTrue(self.is_gone(first, charters[0]))

    def is_gone(self, driver, address):
        driver.get(address)
        return self.find(driver, "#heading").text == "This Charter Is No Longer Available"

    def test_everything_is_there_after_the_dock_was_killed(self):
        first, second = self.phones
        self.switch(1, True)
        self.tick(first, 0)
        self.host.end(signal.SIGKILL)
        self.host.start()
        self.dock.get(self.host.address)
        self.wait(self.dock, lambda d: len(self.find_all(d, "iframe")) == 2, seconds=20)
        self.wait_for_stream(self.dock)
        first, second = [self.phone(number) for number in (1, 2)]
        self.assertTrue(self.is_ticked(first, 0))
        self.assertFalse(self.is_ticked(second, 0))
        # A phone in airplane mode is in airplane mode after a restart too.
        self.assertEqual(
            self.find(self.dock, "#switch-1").get_attribute("aria-checked"), "true")
        self.switch(1, False)
        self.wait(second, lambda d: self.is_ticked(d, 0), seconds=30)

    def test_the_dock_is_accessible_and_fits_a_phone(self):
        self.assert_accessible(self.dock)
        self.assert_quiet(self.dock)
        self.dock.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": 320, "height": 800, "deviceScaleFactor": 1, "mobile": False})
        self.assertLessEqual(self.dock.execute_script(
            "return document.documentElement.scrollWidth"), 320)


if __name__ == "__main__":
    unittest.main()
