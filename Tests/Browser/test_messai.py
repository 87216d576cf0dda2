"""Two people write to each other: each message arrives at once, with its status, its photo and its news."""

import signal
import unittest

from browsers import PHONE, browser
from writers import WritersTestCase


class MessageTests(WritersTestCase):
    def news(self, driver):
        return [each.get_attribute("textContent") for each in self.find_all(driver, "#window-news p")]

    def test_a_message_is_read_on_the_other_page_and_says_so_on_the_first(self):
        anna, ben = self.two_people("Crew")
        self.write(anna, "Ahoy!")
        self.wait_for_text(ben, "Ahoy!")
        self.wait(anna, lambda d: "✓✓ Read" in self.status(d, "Ahoy!"), seconds=30)
        # It was read out once. One's own messages are not.
        self.write(ben, "On my way")
        self.wait_for_text(anna, "On my way")
        (news,) = self.news(ben)
        self.assertIn("Ahoy!", news)
        self.assertEqual(len(self.news(anna)), 1)
        self.wait(ben, lambda d: "✓✓ Read" in self.status(d, "On my way"), seconds=30)
        self.assertEqual(self.texts(anna), self.texts(ben))
        for driver in (anna, ben):
            self.assert_accessible(driver)
            self.assert_quiet(driver)

    def test_a_message_is_unread_until_its_conversation_is_opened(self):
        anna, ben = self.two_people("Crew")
        conversation = ben.current_url
        ben.get(ben.host.url("/"))
        self.wait_for_stream(ben)
        for text in ("One", "Two"):
            self.write(anna, text)
        self.wait(ben, lambda d: "2 new" in self.find(d, "#conversation-list").text, seconds=30)
        self.assertIn("Two", self.find(ben, "#conversation-list").text)
        self.wait(anna, lambda d: "✓✓ Delivered" in self.status(d, "Two"), seconds=30)
        ben.get(ben.host.url("").removesuffix(self.app) + "/")
        badge = self.find(ben, "#app-messai .badge")
        self.assertEqual((badge.text, badge.accessible_name), ("2", "2 new"))
        self.assert_accessible(ben)
        ben.get(conversation)
        self.wait(anna, lambda d: "✓✓ Read" in self.status(d, "Two"), seconds=30)
        ben.get(ben.host.url("/"))
        self.wait(ben, lambda d: not self.find_all(d, "#conversation-list .badge"))

    def test_a_message_waits_without_a_network_and_can_be_edited_and_cancelled(self):
        anna, ben = self.two_people("Crew")
        conversation = anna.current_url
        self.switch_airplane_mode(anna, True)
        for text in ("Wrong pier", "Too much"):
            self.write(anna, text)
        self.assertIn("Sending", self.status(anna, "Wrong pier"))
        anna.get(anna.host.url("/unsent"))
        self.wait_for_stream(anna)
        self.assertEqual(len(self.find_all(anna, "#unsent-list a.row")), 2)
        self.assert_accessible(anna)
        edit = self.find_all(anna, "#unsent-list details.manage")[0]
        self.within(edit, "summary")[0].click()
        field = self.within(edit, "textarea")[0]
        field.clear()
        field.send_keys("Pier C")
        self.within(edit, "[value=edit]")[0].click()
        self.wait(anna, lambda d: "Pier C" in self.find(d, "#unsent-list a.row").text)
        cancel = self.find_all(anna, "#unsent-list details.remove")[1]
        self.within(cancel, "summary")[0].click()
        self.within(cancel, "[value=cancel]")[0].click()
        self.wait(anna, lambda d: len(self.find_all(d, "#unsent-list a.row")) == 1)
        self.switch_airplane_mode(anna, False)
        self.wait_for_text(ben, "Pier C")
        self.assertEqual(self.texts(ben), ["Pier C"])
        self.wait(anna, lambda d: not self.find_all(d, "#unsent-list"), seconds=30)
        anna.get(conversation)
        self.wait(anna, lambda d: "✓✓" in self.status(d, "Pier C"), seconds=30)

    def test_the_choice_of_a_message_to_answer_leads_to_the_field(self):
        anna, ben = self.two_people("Crew")
        self.write(anna, "Where are you?")
        self.wait_for_text(ben, "Where are you?")

        def has_focus(driver):
            return driver.switch_to.active_element.get_attribute("id") == "field-text"
        # A second choice of the same message leads there, too.
        for _ in range(2):
            self.within(self.open_menu(ben, "Where are you?"), "[value=reply]")[0].click()
            self.wait(ben, lambda d: self.find_all(d, "#replying") and has_focus(d))
        self.find(ben, "#cancel-reply button").click()
        self.wait(ben, lambda d: not self.find_all(d, "#replying") and has_focus(d))
        self.assert_accessible(ben)

    def test_a_deletion_for_all_has_two_steps_and_one_on_this_device_is_undone(self):
        anna, ben = self.two_people("Crew")
        for text in ("Wrong pier", "Pier C"):
            self.write(anna, text)
        self.wait_for_text(ben, "Pier C")
        self.within(self.open_menu(ben, "Pier C"), "[value=delete]")[0].click()
        self.wait(ben, lambda d: self.texts(d) == ["Wrong pier"] and self.find_all(d, "#undo"))
        self.assert_accessible(ben)
        self.find(ben, "#undo [value=undo-removal]").click()
        self.wait(ben, lambda d: self.texts(d) == ["Wrong pier", "Pier C"])
        menu = self.open_menu(anna, "Wrong pier")
        self.within(menu, ".remove > summary")[0].click()
        self.assert_accessible(anna)
        self.within(menu, "[value=delete]")[0].click()
        for driver in (anna, ben):
            self.wait(driver, lambda d: self.texts(d) == ["Pier C"], seconds=30)

    def test_a_photo_has_a_thumbnail_on_both_pages(self):
        anna, ben = self.two_people("Crew")
        self.send_photo(anna, "The boat")
        for driver in (anna, ben):
            self.wait_for_photo(driver)
        self.wait(ben, lambda d: "Photo" in self.find(d, ".bubble img").get_attribute("alt"))
        size = ben.execute_script("const [img] = document.querySelectorAll('.bubble img');"
                                  "return [img.naturalWidth, img.naturalHeight]")
        # A smaller form with the same shape.
        self.assertLess(size[0], 640)
        self.assertAlmostEqual(size[0] / size[1], 640 / 480, delta=0.02)
        self.assert_accessible(ben)

    def test_another_file_than_a_photo_is_refused_beside_its_field(self):
        anna, _ = self.two_people("Crew")
        self.choose(anna, self.file("notes.png", b"no picture"))
        self.find(anna, "#field-text").send_keys("With a photo")
        self.find(anna, ".send").click()
        self.wait(anna, lambda d: self.find(d, "#field-image-error").is_displayed())
        self.assertEqual(self.find(anna, "#field-text").get_attribute("value"), "With a photo")
        self.assertEqual(self.texts(anna), [])
        self.assert_accessible(anna)

    def test_a_draft_survives_the_page_the_device_and_the_browser(self):
        anna, _ = self.two_people("Crew")
        conversation, host = anna.current_url, anna.host
        self.find(anna, "#field-text").send_keys("Half a sent")
        other = browser(size=PHONE)
        self.addCleanup(other.quit)
        other.get(host.address)

        def has_draft(driver):
            driver.get(conversation)
            return self.find(driver, "#field-text").get_attribute("value") == "Half a sent"
        self.wait(other, has_draft)
        anna.refresh()
        self.assertEqual(self.find(anna, "#field-text").get_attribute("value"), "Half a sent")
        host.end(signal.SIGKILL)
        host.start()
        fresh = browser(size=PHONE)
        self.addCleanup(fresh.quit)
        fresh.get(host.address)
        self.assertTrue(has_draft(fresh))
        self.wait_for_stream(fresh)
        self.find(fresh, "#field-text").send_keys("ence")
        self.find(fresh, ".send").click()
        self.wait_for_text(fresh, "Half a sentence")
        self.wait(fresh, lambda d: self.find(d, "#field-text").get_attribute("value") == "")
        fresh.refresh()
        self.assertEqual(self.find(fresh, "#field-text").get_attribute("value"), "")


if __name__ == "__main__":
    unittest.main()
