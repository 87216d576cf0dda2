"""Lists: their counts add up, a search follows the keys, and the next page comes as the end is near."""

import unittest
from datetime import date, timedelta

from selenium.webdriver.common.keys import Keys

from browsers import PHONE
from pages import AnyfleetTestCase
from support import Host


class ListTests(AnyfleetTestCase):
    def setUp(self):
        self.host = Host()
        self.addCleanup(self.host.remove)

    def filters(self, driver):
        """The filters with their counts."""
        found = [each.text.split() for each in self.find_all(driver, "#filters a")]
        return {" ".join(words[:-1]): int(words[-1]) for words in found}

    def rows(self, driver):
        return [each.text.split("\n")[0] for each in self.find_all(driver, "#charter-list .label")]

    def test_each_charter_is_counted_once_by_its_dates(self):
        driver = self.open("/")
        self.create_charter(driver, "Under way")
        self.find(driver, "#menu-button").click()
        self.find(driver, "#menu [value=active]").click()
        self.wait(driver, lambda d: "Active" in self.find(d, "#badges, #main").text)
        self.create_charter(driver, "Later")
        later = driver.current_url
        driver.get(f"{later}/edit")
        self.fill(driver, endDate=date.today() + timedelta(days=40),
                  startDate=date.today() + timedelta(days=30))
        self.find(driver, ".save button").click()
        self.wait(driver, lambda d: self.find(d, "#heading").text == "Later")
        driver.get(self.host.url("/charters"))
        counts = self.filters(driver)
        self.assertEqual(counts.pop("All"), sum(counts.values()), counts)
        self.assertEqual(counts, {"In progress": 1, "Upcoming": 1})
        driver.get(self.host.url("/charters?filter=inProgress"))
        self.assertEqual(self.rows(driver), ["Under way"])
        driver.get(self.host.url("/"))
        self.assertNotIn("Under way", self.find(driver, "#next-up").text)

    def test_a_search_follows_the_keys_and_the_way_back_keeps_it(self):
        driver = self.open("/")
        for name in ("Kornati", "Korčula", "Vis"):
            self.create_charter(driver, name)
        driver.get(self.host.url("/charters"))
        self.wait_for_stream(driver)
        field = self.find(driver, "#field-q")
        field.send_keys("kor")
        self.wait(driver, lambda d: sorted(self.rows(d)) == ["Kornati", "Korčula"])
        field.send_keys("n")
        self.wait(driver, lambda d: self.rows(d) == ["Kornati"])
        self.assertEqual(driver.switch_to.active_element.get_attribute("id"), "field-q")
        self.assertTrue(driver.current_url.endswith("q=korn"), driver.current_url)
        self.find(driver, "#charter-list a").click()
        self.wait(driver, lambda d: self.find(d, "#heading").text == "Kornati")
        self.find(driver, ".bar a").click()
        self.wait(driver, lambda d: self.rows(d) == ["Kornati"])
        self.assertEqual(self.find(driver, "#field-q").get_attribute("value"), "korn")

    def test_the_next_page_comes_as_the_end_is_near(self):
        driver = self.open("/")
        for number in range(25):
            self.create_charter(driver, f"Charter {number:02}")
        driver.get(self.host.url("/charters"))
        self.assertEqual(len(self.rows(driver)), 20)
        self.wait_for_stream(driver)
        driver.execute_script("scrollTo(0, document.body.scrollHeight)")
        self.wait(driver, lambda d: len(self.rows(d)) == 25)
        self.assertEqual(self.find_all(driver, "#more"), [])
        # A page that is loaded again is as long.
        driver.refresh()
        self.assertEqual(len(self.rows(driver)), 25)
        plain = self.open("/charters", javascript=False)
        self.assertEqual(len(self.rows(plain)), 20)
        self.find(plain, "#more").click()
        self.wait(plain, lambda d: len(self.rows(d)) == 25)

    def test_the_filters_are_one_line_and_the_way_to_a_new_charter_is_in_the_bar(self):
        driver = self.open("/")
        self.create_charter(driver, "Kornati")
        driver.get(self.host.url("/charters"))
        tops = {each.rect["y"] for each in self.find_all(driver, "#filters a")}
        self.assertEqual(len(tops), 1)
        self.assertLessEqual(
            driver.execute_script("return document.documentElement.scrollWidth"), PHONE[0])
        self.find(driver, ".bar a[href$='/charters/new']").send_keys(Keys.ENTER)
        self.wait(driver, lambda d: self.find_all(d, "#field-name"))


if __name__ == "__main__":
    unittest.main()
