"""All people can write: by keyboard, without scripts, with large text. A refused text stays in the field."""

import unittest

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from browsers import PHONE, browser, show_as
from writers import WritersTestCase

LONG = "const field = document.getElementById('field-text'); field.value = 'я'.repeat(20001);"


class WritingTests(WritersTestCase):
    def test_the_keyboard_alone_is_enough(self):
        anna, ben = self.two_people("Crew")
        anna.get(anna.host.url("/"))
        self.wait_for_stream(anna)
        self.reach(anna, lambda: "/conversations/" in self.focused(anna, "href")
                   and "row" in self.focused(anna, "className"))
        self.press(anna, Keys.ENTER)
        self.wait(anna, lambda d: self.find_all(d, "#field-text"))
        self.wait_for_stream(anna)
        self.reach(anna, lambda: self.focused(anna, "id") == "field-text")
        self.press(anna, "By keyboard")
        self.press(anna, Keys.TAB)
        self.press(anna, Keys.ENTER)
        self.wait_for_text(ben, "By keyboard")
        self.wait_for_text(anna, "By keyboard")
        self.reach(anna, lambda: self.focused(anna, "aria-label") == "Actions: By keyboard", backwards=True)
        self.press(anna, Keys.ENTER)
        self.reach(anna, lambda: self.focused(anna, "value") == "reply")
        self.press(anna, Keys.ENTER)
        self.wait(anna, lambda d: "By keyboard" in self.find(d, "#replying").text)
        self.assert_accessible(anna)
        self.reach(anna, lambda: self.focused(anna, "aria-label") == "Cancel reply")
        self.press(anna, Keys.ENTER)
        self.wait(anna, lambda d: not self.find_all(d, "#replying"))

    def test_the_keyboard_alone_starts_a_group_and_sends_a_photo(self):
        anna = self.person("keys")
        anna.get(anna.host.url("/"))
        self.wait_for_stream(anna)
        self.reach(anna, lambda: self.focused(anna, "href").endswith("/new"))
        self.press(anna, Keys.ENTER)
        self.wait(anna, lambda d: self.find_all(d, "#field-name"))
        self.reach(anna, lambda: self.focused(anna, "id") == "field-name")
        self.press(anna, "Harbour" + Keys.ENTER)
        self.wait(anna, lambda d: self.find(d, "#heading").text == "Harbour")
        self.wait_for_stream(anna)
        self.reach(anna, lambda: self.is_on(anna, "#attach > summary"))
        self.press(anna, Keys.ENTER)
        self.reach(anna, lambda: self.focused(anna, "id") == "field-image")
        self.press(anna, self.photo())
        # A key that is sent to the field would be the path of a file.
        ActionChains(anna).send_keys(Keys.TAB).perform()
        self.reach(anna, lambda: self.is_on(anna, ".send"))
        self.press(anna, Keys.ENTER)
        self.wait_for_photo(anna)

    def test_the_keyboard_alone_edits_cancels_and_deletes_messages(self):
        anna, ben = self.two_people("Crew")
        conversation = anna.current_url
        self.write(anna, "Here for now")
        self.wait_for_text(ben, "Here for now")
        self.switch_airplane_mode(anna, True)
        for text in ("Wrong pier", "Too much"):
            self.write(anna, text)
        anna.get(anna.host.url("/unsent"))
        self.wait_for_stream(anna)
        self.reach(anna, lambda: self.focused(anna, "aria-label") == "Edit: Wrong pier")
        self.press(anna, Keys.ENTER)
        self.reach(anna, lambda: self.focused(anna, "name") == "text")
        self.press(anna, Keys.CONTROL + "a")
        self.press(anna, "Pier C")
        self.reach(anna, lambda: self.focused(anna, "value") == "edit")
        self.press(anna, Keys.ENTER)
        self.wait(anna, lambda d: "Pier C" in self.find(d, "#unsent-list a.row").text)
        self.reach(anna, lambda: self.focused(anna, "aria-label") == "Cancel the message: Too much")
        self.press(anna, Keys.ENTER)
        self.reach(anna, lambda: self.focused(anna, "value") == "cancel")
        self.press(anna, Keys.ENTER)
        self.wait(anna, lambda d: len(self.find_all(d, "#unsent-list a.row")) == 1)
        self.assert_accessible(anna)
        self.switch_airplane_mode(anna, False)
        anna.get(conversation)
        self.wait_for_stream(anna)
        self.reach(anna, lambda: self.focused(anna, "aria-label") == "Actions: Here for now", backwards=True)
        self.press(anna, Keys.ENTER)
        self.reach(anna, lambda: self.focused(anna, "aria-label") == "Delete for all members: Here for now")
        self.press(anna, Keys.ENTER)
        self.reach(anna, lambda: self.focused(anna, "value") == "delete")
        self.press(anna, Keys.ENTER)
        self.wait(ben, lambda d: self.texts(d) == ["Pier C"], seconds=30)

    def is_on(self, driver, selector):
        """Whether an element has the focus."""
        return driver.execute_script("return document.activeElement.matches(arguments[0])", selector)

    def test_a_refused_text_stays_in_the_field_with_the_reason(self):
        anna, _ = self.two_people("Crew")
        conversation = anna.current_url
        plain = browser(size=PHONE, javascript=False)
        self.addCleanup(plain.quit)
        plain.get(anna.host.address)
        plain.get(conversation)
        for driver in (anna, plain):
            self.find(driver, ".send").click()
            self.wait(driver, lambda d: self.find_all(d, "#field-text-error"))
        self.assert_accessible(anna)
        self.assertEqual(self.focused(anna, "id"), "field-text")
        said = self.find(anna, "#field-text-error").text
        self.use_language(anna, "ru")
        anna.get(conversation)
        self.wait_for_stream(anna)
        anna.execute_script(LONG)
        self.find(anna, ".send").click()
        self.wait(anna, lambda d: self.find_all(d, "#field-text-error"))
        self.assertNotEqual(self.find(anna, "#field-text-error").text, said)
        self.assertRegex(self.find(anna, "#field-text-error").text, "[а-я]{3}")
        self.assertEqual(len(self.find(anna, "#field-text").get_attribute("value")), 20_001)
        self.assertEqual(self.texts(anna), [])

    def use_language(self, driver, code):
        self.host = driver.host
        super().use_language(driver, code)

    def test_the_field_stays_in_view_above_the_parts_of_the_app(self):
        anna, ben = self.two_people("Crew")
        for number in range(14):
            self.write(anna, f"Line {number}")
        self.wait_for_text(ben, "Line 13")
        for size, font in ((PHONE, "100%"), ((320, 640), "100%"), (PHONE, "200%")):
            with self.subTest(size=size, font=font):
                show_as(ben, size)
                ben.execute_script("document.documentElement.style.fontSize = arguments[0]; scrollTo(0, 40)", font)
                field, bar, heading = [ben.execute_script(
                    "return document.querySelector(arguments[0]).getBoundingClientRect().toJSON()", each)
                    for each in (".composer", ".navigation", "#heading")]
                self.assertAlmostEqual(field["bottom"], bar["top"], delta=1)
                self.assertGreaterEqual(heading["top"], 0)
                for each in self.find_all(ben, ".composer :is(button, summary, textarea)"):
                    if each.is_displayed():
                        self.assertGreaterEqual(min(each.size.values()), 24)
                self.assertLessEqual(ben.execute_script("return document.documentElement.scrollWidth"), size[0])


if __name__ == "__main__":
    unittest.main()
