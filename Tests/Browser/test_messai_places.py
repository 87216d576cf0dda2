"""A long conversation: older messages come without a jump, a reader stays in place, and a search leads to a message."""

import unittest
from urllib.parse import parse_qsl, urlsplit

from browsers import PHONE, browser
from writers import PLACES, WritersTestCase

COUNT = 160


class PlaceTests(WritersTestCase):
    def setUp(self):
        self.anna, self.ben = self.two_people("Crew")
        self.conversation = self.anna.current_url
        self.fill(self.anna, self.conversation, ["Lighthouse", *(f"Message {n}" for n in range(COUNT - 1))])
        self.wait_for_text(self.ben, f"Message {COUNT - 2}")
        self.anna.get(self.conversation)
        self.wait_for_stream(self.anna)

    def count(self, driver):
        return len(self.find_all(driver, "#window > .bubble"))

    def test_older_messages_come_without_a_jump(self):
        driver = self.anna
        self.assertLess(self.below(driver), 2)
        self.assertEqual(self.count(driver), 50)
        for count in (100, 150, COUNT):
            # At the very top browsers do not keep the place themselves.
            driver.execute_script(
                "window.before = null; document.addEventListener('submit', () => {"
                "window.before ??= (() => {" + PLACES + "})() }, {once: true}); scrollTo(0, 0)")
            self.wait(driver, lambda d: self.count(d) >= count)
            self.assert_kept(driver.execute_script("return window.before"), self.places(driver))
        self.assertEqual(self.texts(driver)[:2], ["Lighthouse", "Message 0"])
        self.assertEqual(self.find_all(driver, "#window-news p"), [])

    def test_the_end_is_followed_and_a_reader_further_up_stays(self):
        self.write(self.ben, "At the end")
        self.wait_for_text(self.anna, "At the end")
        self.assertLess(self.below(self.anna), 2)
        self.scroll(self.anna, 1400)
        before = self.places(self.anna)
        self.write(self.ben, "Further down")
        self.wait_for_text(self.anna, "Further down")
        self.assert_kept(before, self.places(self.anna))

    def test_a_search_leads_to_a_message_and_a_button_to_the_end(self):
        driver = self.anna
        driver.get(driver.host.url("/"))
        self.wait_for_stream(driver)
        self.find(driver, "#field-q").send_keys("lightH")
        self.wait(driver, lambda d: len(self.find_all(d, "#hit-list a")) == 1)
        self.assertEqual(self.find(driver, "#hit-list strong").text[:5], "Light")
        self.assert_accessible(driver)
        self.find(driver, "#hit-list a").click()
        self.wait(driver, lambda d: self.find_all(d, ".bubble[aria-current]"))
        self.wait_for_stream(driver)
        self.assertEqual(self.find(driver, ".bubble[aria-current] .text").text, "Lighthouse")
        rect = driver.execute_script(
            "return document.querySelector('.bubble[aria-current]').getBoundingClientRect().toJSON()")
        self.assertGreater(rect["top"], 0)
        self.assertLess(rect["bottom"], PHONE[1])
        self.assertEqual(self.find(driver, "#window-newest").text, "To the end")
        before = self.places(driver)
        self.write(self.ben, "Newer")
        self.wait(driver, lambda d: self.find(d, "#window-newest").text == "New entries below", seconds=30)
        self.assert_kept(before, self.places(driver))
        self.find(driver, "#window-newest button").click()
        self.wait_for_text(driver, "Newer")
        self.assertLess(self.below(driver), 2)
        self.assertEqual(self.find_all(driver, "#window-newest"), [])

    def test_a_page_that_is_loaded_again_opens_at_the_neighbours_of_a_deleted_message(self):
        driver = self.anna
        self.scroll(driver, 1400)
        self.wait(driver, lambda d: "near=" in d.current_url)
        rows = [value for name, value in parse_qsl(urlsplit(driver.current_url).query) if name == "near"]
        self.assertEqual(len(rows), 3)
        address = driver.current_url
        self.fill_form(driver, action="delete", message=rows[0])
        driver.get(address)
        self.wait_for_stream(driver)
        self.assertEqual(self.find_all(driver, f"[id='message-{rows[0]}']"), [])
        self.assertIn(f"message-{rows[1]}", self.places(driver))
        self.assertGreater(self.below(driver), 100)
        self.assertEqual(self.find_all(driver, "#main [role=status].hint"), [])

    def fill_form(self, driver, **fields):
        """Posts a form of the conversation without its page."""
        driver.get(driver.host.url("/about"))
        driver.execute_async_script(
            "const [address, fields, done] = arguments;"
            "fetch(address, {method: 'POST', body: new URLSearchParams(fields), redirect: 'manual'})"
            ".then(() => done())", self.conversation, fields)

    def test_a_link_to_a_deleted_message_says_so(self):
        self.anna.get(f"{self.conversation}?at=gone")
        self.assertIn("The message was deleted", self.find(self.anna, "#main [role=status]").text)
        self.assertLess(self.below(self.anna), 2)

    def test_links_lead_through_a_conversation_without_scripts(self):
        driver = browser(size=PHONE, javascript=False)
        self.addCleanup(driver.quit)
        driver.get(self.anna.host.address)
        driver.get(self.conversation)
        self.assertEqual(self.texts(driver)[-1], f"Message {COUNT - 2}")
        first = self.texts(driver)[0]
        self.find(driver, "#window-earlier a").click()
        self.wait(driver, lambda d: "?before=" in d.current_url)
        earlier = self.texts(driver)
        self.assertNotIn(first, earlier)
        self.find(driver, "#window-later a").click()
        self.wait(driver, lambda d: "?after=" in d.current_url)
        self.assertEqual(self.texts(driver)[0], first)
        self.find(driver, "#field-text").send_keys("Without scripts")
        self.find(driver, ".send").click()
        self.wait(driver, lambda d: self.texts(d)[-1:] == ["Without scripts"])
        self.wait_for_text(self.ben, "Without scripts")


if __name__ == "__main__":
    unittest.main()
