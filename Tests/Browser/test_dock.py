"""Two phones and a server: a change on one, with or without a network, arrives on the other."""

import math
import os
import signal
import statistics
import subprocess
import unittest
import urllib.parse

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from browsers import DESKTOP, PHONE, browser, show_as
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
        self.assert_soon("tick to the other phone", rounds=6)

    def assert_soon(self, what, rounds):
        """A tick is on the other phone soon. The page of the dock, which would draw each of them a second time,
        is closed meanwhile."""
        first, second = self.phones
        self.dock.get("about:blank")
        delays = sorted(self.tick_delay(first, second, number)
                        for _ in range(rounds) for number in range(len(self.items(first))))
        median, late = statistics.median(delays), delays[math.ceil(len(delays) * .99) - 1]
        print(f"{what}: median {median:.0f}, of a hundred the 99th {late} ms, {delays}")
        self.assertLess(late, 1500)
        # A build with checks and counters takes longer than what people run.
        if "OFFSHORE_RELEASE" in os.environ:
            self.assertLessEqual(median, 40)
            self.assertLessEqual(late, 100)

    def test_a_tick_after_ten_new_charters_is_on_the_other_phone_as_soon(self):
        first, second = self.phones
        address = first.current_url
        for number in range(10):
            self.create_charter(first, f"Charter {number}", origin=address.split("/charters/")[0])
        first.get(address)
        self.wait(first, lambda d: d.find_elements(By.ID, "count"))
        self.wait_for_stream(first)
        self.assert_soon("tick to the other phone after ten new charters", rounds=6)

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
        # Each says what it has sent and received, which is not alike.
        for phone in self.phones:
            self.wait(phone, lambda d: self.find(d, "#homecoming .dismiss").click() is None)
            self.wait(phone, lambda d: not self.find_all(d, "#homecoming"))
        self.assertEqual(*[self.find(phone, "#main").text for phone in self.phones])

    def test_a_charter_deleted_on_one_and_changed_on_the_other_is_deleted_on_both(self):
        for number in (1, 2):
            self.switch(number, True)
        first, second = self.phones
        charters = [phone.current_url.split("/checklists/")[0] for phone in self.phones]
        first.get(charters[0])
        self.find(first, "#menu-button").click()
        self.find(first, "#delete > summary").click()
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
        # The tick is refused once it was sent, and the page of syncing brings the charter back with it.
        self.wait(second, lambda d: "Your 1 tick is kept here." in self.find(d, "#main").text,
                  seconds=30)
        self.assertNotIn("not kept", self.find(second, "#main").text)
        self.assertTrue(self.is_gone(second, f"{charters[1]}/edit"))
        self.find(second, "#kept a").click()
        self.wait(second, lambda d: self.find_all(d, "#main [value=bring-back]"))
        self.assertIn("Your 1 tick is kept here.", self.find(second, "#main").text)
        self.assertTrue(self.is_gone(first, charters[0]))

    def is_gone(self, driver, address):
        driver.get(address)
        return self.find(driver, "#heading").text == "No longer available"

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

    def test_a_phone_that_is_killed_comes_back_with_everything(self):
        first, second = self.phones
        self.tick(first, 0)
        self.wait(second, lambda d: self.is_ticked(d, 0))
        self.switch(1, True)
        self.tick(first, 1)
        self.wait(self.dock, lambda d: self.find(d, "#status-1 .status").text == (
            "Offline, 1 change waits"))
        before = self.processes(1)
        button = self.find(self.dock, "#kill-1")
        self.assertEqual(button.accessible_name, "Kill phone 1 (kill -9)")
        button.click()
        self.wait(self.dock, lambda d: self.is_done(d, "kill"), seconds=20)
        self.assertTrue(before.isdisjoint(self.processes(1)))
        # The page that was open follows the new process, and a new one shows the same.
        self.wait_for_stream(first)
        self.assertEqual(self.ticks(first)[:3], [True, True, False])
        first.refresh()
        self.wait(first, lambda d: d.find_elements(By.ID, "count"))
        self.assertEqual(self.ticks(first)[:3], [True, True, False])
        self.assertFalse(self.is_ticked(second, 1))
        self.switch(1, False)
        self.wait(second, lambda d: self.is_ticked(d, 1), seconds=30)

    def processes(self, number):
        """The ids of the processes that run a phone."""
        found = subprocess.run(
            ["pgrep", "-f", f"{self.host.home}/phone-{number}"], stdout=subprocess.PIPE, text=True)
        return set(found.stdout.split())

    def test_the_page_says_who_is_signed_in_and_follows_a_phone_that_signs_out(self):
        account = self.find(self.dock, "#account")
        self.assertRegex(
            account.text, "^Phone 1 is signed in as skipper. Phone 2 is signed in as crew. "
            "The password of both is “([a-z2-9]{4}-){2}[a-z2-9]{4}”.$")
        _, second = self.phones
        second.get(urllib.parse.urljoin(second.current_url, "/anyfleet/profile/account"))
        self.find(second, "#sign-out button").click()
        self.wait(self.dock, lambda d: "Phone 2 is signed out of crew." in account.text)
        self.assertEqual(
            self.find(self.dock, "#status-2 .status").text, "Offline: signed out")

    def test_the_steps_tick_themselves_off_as_they_happen(self):
        first, second = self.phones
        self.assertEqual(self.current(self.dock), "tick")
        self.tick(first, 0)
        self.expect(["tick"], "airplane")
        self.switch(1, True)
        self.expect(["tick"], "airplane")
        self.switch(2, True)
        self.expect(["tick", "airplane"], "sameNote")
        self.remark(first, 3, "Two are torn", "damaged")
        self.remark(second, 2, "Paid in cash", "ok")
        self.expect(["tick", "airplane"], "sameNote")
        self.remark(second, 3, "All are fine", "ok")
        self.expect(["tick", "airplane", "sameNote"], "bothVersions")
        for number in (1, 2):
            self.switch(number, False)
        self.expect(["tick", "airplane", "sameNote", "bothVersions"], "join")
        self.join_another_charter(first, second)
        self.expect(["tick", "airplane", "sameNote", "bothVersions", "join"], "kill")
        self.assert_quiet(self.dock)
        self.find(self.dock, "#kill-2").click()
        self.expect(["tick", "airplane", "sameNote", "bothVersions", "join", "kill"], None)
        self.assertTrue(self.find(self.dock, "#step-end").is_displayed())
        # A page that is opened anew shows the same steps.
        self.dock.refresh()
        self.expect(["tick", "airplane", "sameNote", "bothVersions", "join", "kill"], None)
        self.assert_accessible(self.dock)

    def join_another_charter(self, first, second):
        """Invites the second phone to a new charter of the first."""
        origin = first.current_url.split("/charters/")[0]
        self.create_charter(first, "Vis week", origin=origin)
        crew = first.current_url.replace("/charters/", "/members/charter/")

        def is_shared(driver):
            driver.get(crew)
            return self.find_all(driver, "#invite")
        self.wait(first, is_shared, seconds=30)
        self.find(first, "#invite button").click()
        self.wait(first, lambda d: self.find_all(d, "#invitation-code"))
        code = self.find(first, "#invitation-code").text
        second.get(urllib.parse.urljoin(second.current_url, "/anyfleet/join/charter"))
        self.find(second, "#field-code").send_keys(code)
        self.find(second, "#join-form button").click()
        self.wait(second, lambda d: self.find(d, "#heading").text == "Vis week", seconds=30)

    def is_done(self, driver, step):
        return "done" in self.find(driver, f"#step-{step}").get_attribute("class")

    def current(self, driver):
        current = self.find_all(driver, "#steps [aria-current=step]")
        return current[0].get_attribute("id").split("-")[1] if current else None

    def expect(self, done, current):
        """Waits until exactly these steps are done."""
        steps = ("tick", "airplane", "sameNote", "bothVersions", "join", "kill")
        self.wait(self.dock, lambda d: [step for step in steps if self.is_done(d, step)] == done
                  and self.current(d) == current, seconds=30)

    def test_the_time_from_phone_to_phone_is_shown_as_it_is(self):
        first, second = self.phones
        line = self.find(self.dock, "#delivery")
        self.assertNotIn("ms", line.text)
        for number, (one, other, names) in enumerate((
                (first, second, "Phone 1 → Phone 2: "), (second, first, "Phone 2 → Phone 1: "))):
            seen = self.tick_delay(one, other, number)
            self.wait(self.dock, lambda d: line.text.startswith(names))
            shown = int(line.text.removeprefix(names).removesuffix(" ms"))
            print(f"{names}{shown} ms on the dock's page, {seen} ms by the clock of the browsers")
            # The page that shows it draws later than the phone has it.
            self.assertGreater(shown, 0)
            self.assertLessEqual(shown, seen + 50)
        # It is not read out at each tick.
        self.assertEqual(self.find_all(self.dock, "main [aria-live], main [role=status]"), [])

    def test_nothing_of_the_dock_moves_while_phones_are_used(self):
        """The switch stays where it is, whatever the status says."""
        first, _ = self.phones
        places = ("#switch-1", "#switch-2", "#kill-1", "#glass-1", "#glass-2", "#delivery")
        def rects():
            return [self.find(self.dock, place).rect for place in places]
        for size in (DESKTOP, (800, 700), (700, 800)):
            show_as(self.dock, size)
            before = rects()
            self.switch(1, True)
            self.assertEqual(rects(), before, size)
            for item in (0, 1, 2):
                self.item(first, item).click()
            self.wait(self.dock, lambda d: "wait" in self.find(d, "#status-1 .status").text)
            self.assertEqual(rects(), before, size)
            self.switch(1, False)
            self.wait(self.dock, lambda d: self.find(d, "#status-1 .status").text == "Online")
            self.assertEqual(rects(), before, size)

    def test_the_dock_fits_its_window_and_cuts_nothing(self):
        for size in (DESKTOP, (1280, 800), (1280, 650), (1440, 900), (800, 700), (768, 1024)):
            show_as(self.dock, size)
            height, top, bottoms, widths = self.dock.execute_script(
                "const rects = [...document.querySelectorAll('.glass')]"
                "  .map(glass => glass.getBoundingClientRect());"
                "return [document.documentElement.scrollHeight,"
                "  document.querySelector('h1').getBoundingClientRect().top,"
                "  rects.map(rect => rect.bottom), rects.map(rect => rect.width)];")
            self.assertLessEqual(height, size[1], size)
            self.assertGreaterEqual(top, 16, size)
            # Both phones are in sight, side by side.
            self.assertLessEqual(max(bottoms), size[1], size)
            self.assertEqual(*bottoms, size)
            self.assertGreaterEqual(min(widths), 320, size)

    def test_the_dock_is_loaded_in_every_window(self):
        # The driver waits for the page and for its frames, also for those out of sight.
        self.dock.set_page_load_timeout(10)
        self.addCleanup(self.dock.set_page_load_timeout, 300)
        for size in ((800, 700), (768, 1024), PHONE, DESKTOP):
            show_as(self.dock, size)
            for _ in range(5):
                self.dock.get(self.host.address)
                self.assertGreater(self.dock.execute_script(
                    "return performance.getEntriesByType('navigation')[0].loadEventEnd"), 0)

    def test_no_scrollbar_is_part_of_a_phone(self):
        frame = self.find(self.dock, "#frame-1")
        self.dock.switch_to.frame(frame)
        self.wait(self.dock, lambda d: d.find_elements(By.ID, "count"))
        width = ("return [getComputedStyle(document.documentElement).scrollbarWidth,"
                 " document.documentElement.clientWidth === innerWidth]")
        self.assertEqual(self.dock.execute_script(width), ["none", True])
        # The same page in a window of its own has its scrollbar.
        self.assertEqual(self.phones[0].execute_script(width)[0], "auto")
        self.dock.switch_to.default_content()

    def test_the_apps_of_a_phone_with_its_unread_message_are_one_step_away(self):
        self.assertEqual(self.find(self.dock, "#apps-1").accessible_name, "Apps, Phone 1")
        self.find(self.dock, "#apps-1").click()
        self.dock.switch_to.frame(self.find(self.dock, "#frame-1"))
        self.wait(self.dock, lambda d: self.find(d, "#app-messai .badge").text == "1", seconds=30)
        self.find(self.dock, "#app-messai").click()
        self.wait(self.dock, lambda d: "bread and figs" in self.find(d, "#conversation-list").text)
        self.find(self.dock, "#conversation-list a").click()
        self.wait(self.dock, lambda d: len(self.find_all(d, ".bubble")) == 4)
        self.assertEqual(len(self.find_all(self.dock, ".bubble.own")), 3)
        self.dock.switch_to.default_content()
        # The checklist of the other phone stays.
        self.dock.switch_to.frame(self.find(self.dock, "#frame-2"))
        self.assertTrue(self.find_all(self.dock, "#count"))
        self.dock.switch_to.default_content()
        self.assert_quiet(self.dock)

    def test_the_switch_and_the_button_need_no_script(self):
        plain = self.open("/", size=DESKTOP, javascript=False)
        for state in ("true", "false"):
            self.find(plain, "#switch-1").click()
            # Without a script a page never changes: only the answer to the form can show the state.
            self.wait(plain, lambda d: self.find(d, "#switch-1").get_attribute(
                "aria-checked") == state)
        self.find(plain, "#kill-1").click()
        self.wait(plain, lambda d: self.is_done(d, "kill"))
        self.assertNotEqual(self.find(plain, "#status-1 .status").text, "Starting again…")

    def test_the_dock_has_a_name_a_sentence_and_an_icon(self):
        self.assertEqual(self.find(self.dock, "h1").text, "Offshore")
        sentence = self.find(self.dock, "#subtitle").text
        for part in ("Local-first data for Swift.", "Anyfleet and MessAI", "two phones", "one server"):
            self.assertIn(part, sentence)
        icon = self.find(self.dock, "link[rel=icon]").get_attribute("href")
        self.assertEqual(self.dock.execute_async_script(
            "fetch(arguments[0]).then(answer => arguments[1]("
            "  [answer.status, answer.headers.get('Content-Type')]));", icon),
            [200, "image/svg+xml"])

    def test_the_dock_is_accessible_and_fits_a_phone(self):
        for size, dark in ((DESKTOP, False), (DESKTOP, True), ((800, 700), False), (PHONE, True)):
            show_as(self.dock, size, dark)
            self.assert_accessible(self.dock)
        self.dock.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [
            {"name": "forced-colors", "value": "active"}]})
        self.assert_accessible(self.dock)
        self.assert_quiet(self.dock)
        show_as(self.dock, (320, 800))
        self.assertLessEqual(self.dock.execute_script(
            "return document.documentElement.scrollWidth"), 320)

    def test_the_dock_is_accessible_with_large_text_and_enlarged(self):
        self.dock.execute_script("document.documentElement.style.fontSize = '200%'")
        for size in (DESKTOP, (800, 700), PHONE):
            with self.subTest(size=size, text="200 %"):
                show_as(self.dock, size)
                self.assert_accessible(self.dock)
        self.dock.execute_script("document.documentElement.style.fontSize = ''")
        # A window of 1280 by 1024 at 400 %.
        show_as(self.dock, (320, 256))
        self.assert_accessible(self.dock)
        self.assertLessEqual(self.dock.execute_script(
            "return document.documentElement.scrollWidth"), 320)
        # A phone is higher than the rest of such a window.
        self.assertGreaterEqual(self.find(self.dock, "#glass-1").size["height"], 320)

    def test_the_keyboard_alone_reaches_the_switch_and_the_button(self):
        reached = []
        self.dock.execute_script("document.querySelector('#main').focus()")
        for _ in range(2):
            ActionChains(self.dock).send_keys(Keys.TAB).perform()
            reached.append(self.dock.switch_to.active_element.get_attribute("id"))
        self.assertEqual(reached, ["switch-1", "kill-1"])


if __name__ == "__main__":
    unittest.main()
