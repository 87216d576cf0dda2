"""Two people swap a shift: it is offered on one phone, accepted on the other, approved, and both calendars follow."""

import unittest

from browsers import PHONE, browser
from teams import TeamsTestCase


class SwapTests(TeamsTestCase):
    def test_a_swap_is_offered_accepted_and_approved_on_two_phones(self):
        anna, ben = self.two_people("Harbor crew")
        self.enter_shift(anna, "2027-06-05")
        self.publish(anna)
        self.wait_for_words(anna, "06:00–14:00", "You")
        self.wait_for_words(ben, "06:00–14:00", "anna")
        self.assertNotIn("You", self.text(ben))
        anna.get(anna.host.url("/calendar/day/2027-06-05"))
        self.assertIn("Published", self.find(anna, "[id='rows-2027-06-05']").text)
        self.open_june(anna)
        self.offer(anna)
        self.wait_for_words(ben, "Not answered")
        for driver in (anna, ben):
            self.assert_accessible(driver)
        self.answer(ben, "accepted")
        self.wait_for_words(anna, "Accepted: ben")
        self.answer(anna, "approve")
        for driver in (anna, ben):
            self.wait_for_words(driver, "Approved: ben")
            self.assert_accessible(driver)
            self.assert_quiet(driver)
        self.wait_for_words(ben, "You")
        self.assertNotIn("You", self.text(anna))
        # The new worker may offer it in turn, and the former one may not.
        self.assertTrue(self.find_all(ben, "[value=offer]"))
        self.assertFalse(self.find_all(anna, "[value=offer]"))

    def test_an_offer_without_a_network_arrives_later(self):
        anna, ben = self.two_people("Harbor crew")
        self.enter_shift(anna, "2027-06-05")
        self.publish(anna, worker=f"ben{self.people}")
        self.wait_for_words(ben, "You")
        self.switch_airplane_mode(ben, True)
        self.offer(ben)
        self.wait_for_words(ben, "Not answered")
        self.assertNotIn("Not answered", self.text(anna))
        self.switch_airplane_mode(ben, False)
        self.wait_for_words(anna, "Not answered")
        self.answer(anna, "refuse")
        self.wait_for_words(ben, "Declined")

    def test_shifts_are_published_and_offered_without_scripts(self):
        anna, ben = self.two_people("Harbor crew")
        self.enter_shift(anna, "2027-06-05")
        plain = browser(size=PHONE, javascript=False)
        self.addCleanup(plain.quit)
        plain.get(anna.host.address)
        plain.get(anna.host.url(self.june))
        self.find(plain, "#publish > summary").click()
        self.find(plain, "#publish-form [value=publish]").click()
        self.wait(plain, lambda d: "Choose at least one." in self.find(d, "#publish").text)
        self.find(plain, "#own input[type=checkbox]").click()
        self.find(plain, "#publish-form [value=publish]").click()
        self.wait_for_words(plain, "You")
        self.offer(plain)
        self.wait_for_words(plain, "Not answered")
        self.answer(ben, "accepted")
        self.wait_for_words(ben, "Accepted: ben")


if __name__ == "__main__":
    unittest.main()
