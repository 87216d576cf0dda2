"""Pages that lost their device, their tab, or a race say so, keep what they show, and recover."""

import contextlib
import pathlib
import signal
import sqlite3
import time
import unittest

from selenium.webdriver.common.keys import Keys

from pages import AnyfleetTestCase
from support import FailingServer

# The event of a page that a browser kept and shows again, whether or not it kept this one.
COME_BACK = "dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}));"

# Lets forms be sent, and holds their answers until the page continues.
HOLD_ANSWERS = """
const send = window.fetch;
window.isAnswered = false;
window.fetch = async (address, options) => {
  const response = await send(address, options);
  if (options?.method === 'POST') {
    window.isAnswered = true;
    await new Promise(resolve => { window.goOn = resolve; });
  }
  return response;
};
"""


# Keeps the time at which the page has a stream again.
WATCH_STREAM = """
const connected = setConnected;
setConnected = (isConnected) => {
  if (isConnected && page.lostAt) window.openedAt = Date.now();
  connected(isConnected);
};
"""


class RecoveryTests(AnyfleetTestCase):
    def open_new_checklist(self, name):
        driver = self.open("/")
        self.create_charter(driver, name)
        self.open_checklist(driver)
        self.wait_for_stream(driver)
        return driver

    def heading(self, driver):
        return self.find(driver, "#heading").text

    def tab(self, driver):
        return driver.execute_script("return document.body.dataset.tab")

    def is_cut_off(self, driver):
        return self.find(driver, "#connection").is_displayed()

    def settle(self, driver):
        """Waits until no form is under way."""
        self.wait(driver, lambda d: not self.find_all(d, "[aria-busy=true]"))

    def test_a_server_that_fails_takes_nothing_from_the_page(self):
        driver = self.open_new_checklist("Failing server")
        heading = self.heading(driver)
        with self.failing_host() as failing:
            self.wait(driver, lambda d: f"/live/{self.tab(d)}" in str(failing.paths), seconds=30)
            self.item(driver, 0).click()
            page = driver.current_url.split(str(self.host.port))[1]
            self.wait(driver, lambda d: failing.paths.count(page) >= 3, seconds=30)
            self.assertTrue(self.is_cut_off(driver))
            self.assertEqual(self.count(driver), 0)
            self.assertEqual(self.heading(driver), heading)
        self.wait(driver, lambda d: not self.is_cut_off(d), seconds=40)
        # The form waited for the app.
        self.wait(driver, lambda d: self.count(d) == 1)
        self.assertEqual(self.notice(driver), "")

    def test_an_app_that_was_killed_is_back_at_once_with_every_tick(self):
        driver = self.open_new_checklist("Killed")
        self.item(driver, 0).click()
        self.wait(driver, lambda d: self.count(d) == 1)
        driver.execute_script(WATCH_STREAM)
        self.host.end(signal.SIGKILL)
        self.wait(driver, lambda d: d.execute_script("return page.lostAt > 0"))
        for number in (1, 2):
            self.item(driver, number).click()
        # A program that restarts takes about this long until it can answer.
        self.wait(driver, lambda d: d.execute_script("return Date.now() - page.lostAt > 700"))
        self.host.start()
        served = time.time() * 1000
        self.wait(driver, lambda d: self.count(d) == 3)
        self.assertTrue(all(self.is_ticked(driver, number) for number in (0, 1, 2)))
        opened = driver.execute_script("return window.openedAt")
        self.assertLess(opened - served, 500)
        # Nothing stays that is not true any more.
        self.assertEqual(self.notice(driver), "")
        self.assertFalse(self.is_cut_off(driver))

    def test_a_page_without_access_is_replaced_by_one_that_says_so(self):
        driver = self.open_new_checklist("Signed out")
        driver.delete_all_cookies()
        driver.execute_script("localStorage.clear(); refetch()")
        self.wait(driver, lambda d: "token" in self.find(d, "main").text)
        self.assertFalse(self.is_cut_off(driver))

    def test_a_browser_that_has_the_token_gets_a_new_cookie(self):
        driver = self.open_new_checklist("New cookie")
        address = driver.current_url
        self.assertNotIn("#", address)
        # A form is sent again with the token, and so are a page that is fetched and one that is opened.
        driver.delete_all_cookies()
        self.item(driver, 0).click()
        self.wait(driver, lambda d: self.count(d) == 1)
        self.wait(driver, lambda d: len(d.get_cookies()) == 1)
        old = self.tab(driver)
        driver.delete_all_cookies()
        driver.execute_script("refetch()")
        self.wait(driver, lambda d: self.tab(d) != old)
        self.wait_for_stream(driver)
        driver.delete_all_cookies()
        self.reopen(driver, address)
        self.assertEqual(self.count(driver), 1)
        self.assertEqual(driver.current_url, address)
        # A token that leads to a refused page is not stored.
        driver.delete_all_cookies()
        driver.get("about:blank")
        driver.get(address + "#token=wrong")
        self.wait(driver, lambda d: not self.find_all(d, "[data-locked]"))
        self.assertNotEqual(driver.execute_script("return localStorage.token"), "wrong")

    def test_back_shows_the_current_state(self):
        driver = self.open("/")
        self.create_charter(driver, "There and back")
        self.open_checklist(driver)
        self.wait_for_stream(driver)
        self.item(driver, 0).click()
        self.wait(driver, lambda d: self.count(d) == 1)
        driver.back()
        rows = "#checklist-list a.row small"
        self.wait(driver, lambda d: self.find_all(d, rows)[0].text.startswith("1 of "))

    def test_a_page_that_the_browser_kept_is_fetched_again(self):
        driver = self.open_new_checklist("Kept")
        old, heading = self.tab(driver), self.heading(driver)
        driver.execute_script(
            "document.getElementById('heading').textContent = 'Left over';" + COME_BACK)
        self.wait(driver, lambda d: self.heading(d) == heading)
        self.assertNotEqual(self.tab(driver), old)
        self.wait_for_stream(driver)
        self.item(driver, 0).click()
        self.wait(driver, lambda d: self.count(d) == 1)

    def test_a_tick_that_fails_is_read_out(self):
        driver = self.open_new_checklist("Failing tick")
        with self.failing_writes():
            self.item(driver, 0).click()
            self.wait(driver, lambda d: self.notice(d))
        said = self.find(driver, "form .row .error").text
        self.assertIn(self.notice(driver), said)
        self.assertFalse(self.is_ticked(driver, 0))
        self.assert_accessible(driver)
        self.item(driver, 0).click()
        self.wait(driver, lambda d: self.is_ticked(d, 0))
        self.assertEqual(self.notice(driver), "")

    def charter_that_cannot_change(self, driver):
        """Presses a button of a charter whose change fails, which the page says at its top."""
        self.create_charter(driver, "Failing change")
        self.wait_for_stream(driver)
        with self.failing_writes("activeCharters"):
            self.find(driver, "#menu-button").click()
            self.find(driver, "button[value=active]").click()
            self.wait(driver, lambda d: self.find_all(d, "main [role=alert]"))
            self.settle(driver)
        return self.find(driver, "main [role=alert] strong").text

    def test_a_notice_does_not_repeat_an_alert_in_sight(self):
        driver = self.open("/", size=(390, 1600))
        self.charter_that_cannot_change(driver)
        self.assertEqual(self.notice(driver), "")

    def test_a_notice_says_what_an_alert_out_of_sight_does_and_is_dismissed(self):
        driver = self.open("/")
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": 390, "height": 160, "deviceScaleFactor": 1, "mobile": True})
        said = self.charter_that_cannot_change(driver)
        self.assertEqual(self.notice(driver), said)
        self.assert_accessible(driver)
        box = driver.execute_script(
            "const {top, bottom} = document.querySelector('.notice').getBoundingClientRect();"
            "return [top, bottom]")
        # The bar is above it, and buttons at the lower edge below.
        self.assertGreaterEqual(box[0], 52)
        self.assertLessEqual(box[1], 200)
        self.find(driver, "#dismiss").send_keys(Keys.ENTER)
        self.assertEqual(self.notice(driver), "")
        self.assertFalse(self.find(driver, "#dismiss").is_displayed())
        self.assertEqual(driver.switch_to.active_element.get_attribute("id"), "main")

    def test_pages_about_damage_break_no_rule(self):
        for dark in (False, True):
            driver = self.open("/", dark=dark)
            self.create_charter(driver, "Damaged")
            charter = driver.current_url
            with contextlib.closing(self.database()) as database:
                database.execute("UPDATE charters SET crew = '[' WHERE name = 'Damaged'")
                database.commit()
            driver.get(self.host.url("/charters"))
            self.wait(driver, lambda d: self.find_all(d, ".places"))
            self.find(driver, ".places > summary").click()
            self.assert_accessible(driver)
            self.find(driver, f".places a[href$='{charter.split('/')[-1]}']").click()
            self.wait(driver, lambda d: self.find_all(d, "#delete"))
            self.assert_accessible(driver)
            self.find(driver, "#delete > summary").click()
            self.find(driver, "#delete .button").click()
            self.wait(driver, lambda d: d.current_url.endswith("/charters"))
            self.assertEqual(self.find_all(driver, ".places"), [])
            driver.quit()

    def test_an_answer_for_an_ended_tab_is_not_waited_for(self):
        driver = self.open_new_checklist("Overtaken")
        old = self.tab(driver)
        driver.execute_script(HOLD_ANSWERS)
        self.item(driver, 0).click()
        self.wait(driver, lambda d: d.execute_script("return window.isAnswered"))
        driver.execute_script(COME_BACK)
        self.wait(driver, lambda d: self.tab(d) != old)
        new = self.tab(driver)
        driver.execute_script("goOn()")
        self.settle(driver)
        self.assertEqual(self.tab(driver), new)
        self.wait(driver, lambda d: self.is_ticked(d, 0))

    def test_the_link_past_the_bar_does_not_load_the_page_again(self):
        driver = self.open_new_checklist("Skipping")
        old = self.tab(driver)
        driver.execute_script(
            "window.isMarked = true; document.getElementById('skip').focus();"
            "addEventListener('popstate', () => { window.isPopped = true; });")
        driver.switch_to.active_element.send_keys(Keys.ENTER)
        self.wait(driver, lambda d: d.current_url.endswith("#main"))
        self.wait(driver, lambda d: d.execute_script("return window.isPopped"))
        driver.back()
        self.wait(driver, lambda d: not d.current_url.endswith("#main"))
        self.assertTrue(driver.execute_script("return window.isMarked"))
        self.assertEqual(self.tab(driver), old)

    @contextlib.contextmanager
    def failing_host(self):
        """Lets everything at the address of the host fail meanwhile."""
        self.host.end()
        failing = FailingServer(self.host.port)
        try:
            yield failing
        finally:
            failing.end()
            self.host.start()

    def database(self):
        """The stored data of the host, read from outside."""
        return sqlite3.connect(pathlib.Path(self.host.home) / "anyfleet.sqlite")

    @contextlib.contextmanager
    def failing_writes(self, table="checklistExecutionStates"):
        """Refuses every change of a table meanwhile, within the database."""
        with contextlib.closing(self.database()) as database:
            for change in ("INSERT", "UPDATE"):
                database.execute(
                    f"CREATE TRIGGER refuse{change} BEFORE {change} ON {table} "
                    "BEGIN SELECT RAISE(ABORT, 'refused by the test'); END")
            database.commit()
            try:
                yield
            finally:
                for change in ("INSERT", "UPDATE"):
                    database.execute(f"DROP TRIGGER refuse{change}")
                database.commit()


if __name__ == "__main__":
    unittest.main()
