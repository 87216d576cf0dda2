"""Only messages that were in view are read. Typed text stays until the device has stored it."""

import unittest

from browsers import PHONE, browser
from writers import WritersTestCase

COUNT = 60
# The unread messages of the window that are in view, between the bars.
UNSEEN_IN_VIEW = """
return [...document.querySelectorAll('[data-unseen]')].map(each => each.getBoundingClientRect())
  .filter(({top, bottom}) => top > 80 && bottom < innerHeight - 80).length;
"""
# Answers the first requests that store a draft with these statuses, in place of the device.
REFUSE = """
const [statuses] = arguments, send = window.fetch;
window.refusals = 0;
window.fetch = (address, options) => {
  const isKept = options?.body instanceof URLSearchParams && options.body.get('action') === 'keep';
  if (!isKept || window.refusals === statuses.length) return send(address, options);
  return Promise.resolve(new Response('', {status: statuses[window.refusals++]}));
};
"""


class SeenTests(WritersTestCase):
    def another(self, driver):
        """Another browser at the same device."""
        other = browser(size=PHONE)
        self.addCleanup(other.quit)
        other.get(driver.host.address)
        return other

    def unread(self, driver):
        """The number on the list of conversations."""
        badges = self.find_all(driver, "#conversation-list .badge")
        return int(badges[0].text.split()[0]) if badges else 0

    def test_a_conversation_opens_at_the_first_unread_message_and_only_those_in_view_become_read(self):
        anna, ben = self.two_people("Crew")
        conversation = ben.current_url
        ben.get(ben.host.url("/"))
        self.fill(anna, anna.current_url, [f"Message {n}" for n in range(COUNT)])
        self.wait(ben, lambda d: self.unread(d) == COUNT, seconds=60)
        ben.get(conversation)
        self.wait_for_stream(ben)
        heading = self.find(ben, "#new-messages")
        self.assertEqual(heading.text, "New messages")
        place = ben.execute_script("return arguments[0].getBoundingClientRect().toJSON()", heading)
        self.assertGreater(place["top"], 40)
        self.assertLess(place["bottom"], 300)
        self.assertEqual(self.texts(ben)[0], "Message 0")
        self.assert_accessible(ben)
        self.wait(ben, lambda d: d.execute_script(UNSEEN_IN_VIEW) == 0)
        list_page = self.another(ben)
        list_page.get(ben.host.url("/"))
        self.wait_for_stream(list_page)
        self.assertTrue(30 < self.unread(list_page) < COUNT, self.unread(list_page))
        # What was jumped over was not in view.
        before = self.unread(list_page)
        self.find(ben, "#window-newest button").click()
        self.wait_for_text(ben, f"Message {COUNT - 1}")
        self.wait(ben, lambda d: d.execute_script(UNSEEN_IN_VIEW) == 0)
        self.wait(list_page, lambda d: self.unread(d) < before)
        self.assertGreater(self.unread(list_page), 10)
        # Row after row all come into view.
        ben.get(conversation)
        self.wait_for_stream(ben)

        def scroll_on(driver):
            driver.execute_script("scrollBy(0, innerHeight / 3)")
            return self.below(driver) < 2 and not self.find_all(driver, "#window-later")
        self.wait(ben, scroll_on, seconds=60)
        self.wait(list_page, lambda d: self.unread(d) == 0)
        ben.refresh()
        self.assertEqual(self.find_all(ben, "#new-messages"), [])
        self.assertLess(self.below(ben), 2)

    def test_without_the_script_the_messages_of_a_page_count_as_read(self):
        anna, ben = self.two_people("Crew")
        conversation = ben.current_url
        ben.get(ben.host.url("/"))
        self.write(anna, "Ahoy!")
        self.wait(ben, lambda d: self.unread(d) == 1, seconds=30)
        plain = browser(size=PHONE, javascript=False)
        self.addCleanup(plain.quit)
        plain.get(ben.host.address)
        plain.get(conversation)
        self.wait(ben, lambda d: self.unread(d) == 0)

    def test_an_author_is_named_once_above_several_messages(self):
        anna, ben = self.two_people("Crew")
        for text in ("One", "Two", "Three"):
            self.write(anna, text)
        self.wait_for_text(ben, "Three")
        self.assertEqual(len(self.find_all(ben, ".bubble .author")), 1)
        self.write(ben, "Aye")
        self.write(anna, "Four")
        self.wait_for_text(ben, "Four")
        self.assertEqual(len(self.find_all(ben, ".bubble .author")), 2)

    def test_the_field_is_at_the_lower_edge_of_a_short_page(self):
        anna, _ = self.two_people("Crew")
        for text in (None, "One"):
            if text:
                self.write(anna, text)
            field, bar = [anna.execute_script(
                "return document.querySelector(arguments[0]).getBoundingClientRect().toJSON()", each)
                for each in (".composer", ".navigation")]
            self.assertAlmostEqual(field["bottom"], bar["top"], delta=1)
        self.assertLess(self.below(anna), 2)
        self.assert_accessible(anna)

    def test_a_draft_that_the_device_does_not_store_is_stored_later(self):
        anna, _ = self.two_people("Crew")
        conversation = anna.current_url
        anna.execute_script(REFUSE, [503, 422])
        self.find(anna, "#field-text").send_keys("Half a sent")
        other = self.another(anna)

        def has_draft(driver):
            driver.get(conversation)
            return self.find(driver, "#field-text").get_attribute("value") == "Half a sent"
        self.wait(other, has_draft, seconds=30)
        self.assertEqual(anna.execute_script("return window.refusals"), 2)
        self.assertEqual(self.find(anna, "#field-text").get_attribute("value"), "Half a sent")

    def test_a_file_that_is_too_large_is_refused_beside_its_field_before_it_is_sent(self):
        anna, _ = self.two_people("Crew")
        self.choose(anna, self.file("photo.png", bytes((10 << 20) + 1)))
        self.find(anna, "#field-text").send_keys("With a photo")
        self.find(anna, ".send").click()
        self.wait(anna, lambda d: self.find(d, "#field-image-error").is_displayed())
        self.assertIn("too large", self.find(anna, "#field-image-error").text)
        self.assertEqual(self.find(anna, "#field-text").get_attribute("value"), "With a photo")
        self.assertEqual(self.texts(anna), [])
        self.assert_accessible(anna)
        self.choose(anna, self.photo())
        self.find(anna, ".send").click()
        self.wait_for_text(anna, "With a photo")
        self.wait_for_photo(anna)
        self.assertEqual(self.find_all(anna, "#field-image-error"), [])


if __name__ == "__main__":
    unittest.main()
