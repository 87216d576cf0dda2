"""Two people change the same without a network: both versions are in sight, and one decides."""

import unittest

from browsers import PHONE, show_as
from people import PeopleTestCase


class ConflictTests(PeopleTestCase):
    def two_people(self, name):
        """An owner and an editor of a charter, each on its page."""
        self.names = [f"{each}-{name.split()[0].lower()}" for each in ("ada", "ben")]
        ada, ben = [self.person(each) for each in self.names]
        charter = self.plan(ada, name)
        self.join(ben, self.invite(ada, charter, "editor"), name)
        ada.get(charter)
        return ada, ben

    def versions(self, driver, row):
        return self.find_all(driver, f"{row} .versions")

    def apart(self, ada, ben, change):
        """Runs a change for each person while no device has a network."""
        for driver in (ada, ben):
            self.switch_airplane_mode(driver, True)
        change()
        for driver in (ada, ben):
            self.switch_airplane_mode(driver, False)

    def conflict(self, driver, label):
        """How to find the conflict about a field."""
        rows = [row for row in self.find_all(driver, "#conflict-list > div")
                if self.find(row, "strong").text == label]
        return f"#{rows[0].get_attribute('id')}" if rows else None

    def decide(self, driver, label, button):
        """Presses a button of a conflict, and waits until the choice is stated."""
        row = self.conflict(driver, label)
        next(each for each in self.find_all(driver, f"{row} button") if each.text == button).click()
        self.wait(driver, lambda d: "You chose" in self.find(d, row).text)
        return self.find(driver, row).text

    def test_both_versions_are_in_sight_until_one_is_chosen(self):
        ada, ben = self.two_people("Two versions")
        for driver in (ada, ben):
            self.open_checklist(driver)
        rows = []

        def change():
            rows.append(self.remark(ada, 3, "Two are torn", "damaged"))
            rows.append(self.remark(ben, 3, "All are fine", "ok"))
        self.apart(ada, ben, change)
        for driver, row, other in ((ada, rows[0], self.names[1]), (ben, rows[1], self.names[0])):
            self.wait(driver, lambda d: self.versions(d, row), seconds=30)
            self.assertEqual(self.find(driver, f"{row} .versions").text, "2 versions")
            self.assert_accessible(driver)
            self.find(driver, f"{row} .versions").click()
            self.wait(driver, lambda d: len(self.find_all(d, ".conflict")) == 2, seconds=30)
            # The name of the other comes from the server.
            self.wait(driver, lambda d: f"{other}, " in self.find(d, "#conflict-list").text)
            text = self.find(driver, self.conflict(driver, "Note:")).text
            for part in ("“Two are torn”", "“All are fine”", "You, ", "Keep mine", "Keep theirs"):
                self.assertIn(part, text)
            self.assert_accessible(driver)
        self.assertIn("You chose both, ", self.decide(ada, "Note:", "Keep both"))
        text = self.decide(ada, "Condition:", "Keep mine")
        self.assertIn("You chose Damaged, ", text)
        # What was chosen is said to both, and can be changed.
        self.assertNotIn("Keep mine", text)
        self.assertIn("Keep theirs", text)
        self.wait(ben, lambda d: f"{self.names[0]} chose both, " in self.find(d, "#conflict-list").text, seconds=30)
        self.wait(ben, lambda d: f"{self.names[0]} chose Damaged, " in self.find(d, "#conflict-list").text)
        for driver, row in ((ada, rows[0]), (ben, rows[1])):
            self.find(driver, ".bar a").click()
            self.wait(driver, lambda d: self.find_all(d, f"{row} .note"))
            self.assertEqual(sorted(self.note(driver, row).split("\n")), ["All are fine", "Two are torn"])
            self.assertEqual(self.versions(driver, row), [])

    def test_a_choice_is_stated_truthfully_and_can_be_taken_back(self):
        ada, ben = self.two_people("Names")

        def change():
            for driver, name in ((ada, "Lastovo"), (ben, "Vis")):
                address = driver.current_url
                driver.get(f"{address}/edit")
                self.fill(driver, name=name)
                self.find(driver, ".save button").click()
                self.wait(driver, lambda d: self.find(d, "#heading").text == name)
        self.apart(ada, ben, change)
        self.wait(ada, lambda d: "2 versions" in self.find(d, "#charter-history").text, seconds=30)
        self.assert_accessible(ada)
        self.find(ada, "#charter-history").click()
        self.wait(ada, lambda d: self.conflict(d, "Name:"), seconds=30)
        used = self.find(ada, ".side.used .value").text
        is_own = self.find(ada, ".side.used").text.startswith("You")
        # The one in use is kept by the button beside it: the other button is of the other.
        other = next(each for each in self.find_all(ada, "#conflict-list .side") if used not in each.text)
        chosen = self.find(other, ".value").text
        self.assertEqual(self.find(other, "button").text, "Keep theirs" if is_own else "Keep mine")
        self.find(other, "button").click()
        self.wait(ada, lambda d: f"You chose {chosen}, " in self.find(d, "#conflict-list").text)
        self.assertEqual(self.find(ada, ".side.used .value").text, chosen)
        self.find(ada, "#conflict-list button").click()
        self.wait(ada, lambda d: f"You chose {used}, " in self.find(d, "#conflict-list").text)
        self.assertEqual(self.find(ada, ".side.used .value").text, used)
        # The conflict is decided, and the charter and its row have no mark any more.
        self.find(ada, ".bar a").click()
        self.wait(ada, lambda d: self.find_all(d, "#charter-history"))
        self.assertNotIn("2 versions", self.find(ada, "#main").text)
        ada.get(ada.host.url("/charters"))
        self.assertNotIn("2 versions", self.find(ada, "#charter-list").text)

    def test_a_decision_for_the_version_in_use_reaches_the_other(self):
        ada, ben = self.two_people("Kept as it is")
        for driver in (ada, ben):
            self.open_checklist(driver)
        rows = []

        def change():
            rows.append(self.remark(ada, 3, "Two are torn", "damaged"))
            rows.append(self.remark(ben, 3, "All are fine", "ok"))
        self.apart(ada, ben, change)
        for driver, row in ((ada, rows[0]), (ben, rows[1])):
            self.wait(driver, lambda d: self.versions(d, row), seconds=30)
            self.find(driver, f"{row} .versions").click()
            self.wait(driver, lambda d: len(self.find_all(d, ".conflict")) == 2, seconds=30)
        # Ben wrote last, so his versions are in use already.
        for label, value in (("Note:", "All are fine"), ("Condition:", "OK")):
            self.assertIn("You chose ", self.decide(ben, label, "Keep mine"))
            self.wait(ada, lambda d: f"{self.names[1]} chose" in self.find(
                d, self.conflict(d, label)).text, seconds=30)
            self.assertIn(value, self.find(ada, self.conflict(ada, label)).text)
        for driver, row in ((ada, rows[0]), (ben, rows[1])):
            self.find(driver, ".bar a").click()
            self.wait(driver, lambda d: self.find_all(d, f"{row} .note"))
            self.assertFalse(self.versions(driver, row))

    def test_a_user_who_comes_back_reads_the_sent_and_received_changes_in_one_line(self):
        ada, ben = self.two_people("Back again")
        for driver in (ada, ben):
            self.open_checklist(driver)

        def change():
            self.remark(ada, 3, "Two are torn", "damaged")
            self.remark(ben, 3, "All are fine", "ok")
        self.apart(ada, ben, change)
        self.wait(ben, lambda d: self.find_all(d, "#homecoming"), seconds=30)
        self.assertRegex(
            self.find(ben, "#homecoming p").text, r"^\d changes sent(, \d received)?\. 2 need a look$")
        self.assert_accessible(ben)
        # In a window that is enlarged to 400 %, it is as high as its text.
        show_as(ben, (320, 225))
        self.assertLess(self.find(ben, "#homecoming").size["height"], 100)
        show_as(ben, PHONE)
        self.find(ben, "#homecoming a").click()
        self.wait(ben, lambda d: len(self.find_all(d, "#open-conflicts-list a")) == 2)
        self.find(ben, "#open-conflicts-list a").click()
        self.wait(ben, lambda d: self.find_all(d, ".conflict"))
        self.find(ben, "#homecoming .dismiss").click()
        self.wait(ben, lambda d: not self.find_all(d, "#homecoming"))

    def delete_while_other_works(self, ada, ben, sentence):
        """Has the owner delete the charter while the editor works in it, each without a network, and waits until
        the page of syncing says a sentence about it."""
        for driver in (ada, ben):
            self.switch_airplane_mode(driver, True)
        self.open_checklist(ben)
        for number in (0, 1):
            self.item(ben, number).click()
            self.wait(ben, lambda d: self.is_ticked(d, number))
        self.remark(ben, 2, "Stiff at the last turn", "issue")
        self.find(ada, "#menu-button").click()
        self.find(ada, "#delete > summary").click()
        self.find(ada, "#delete button").click()
        self.wait(ada, lambda d: self.find_all(d, "#undo"))
        self.switch_airplane_mode(ada, False)
        self.wait(ada, lambda d: self.find(d, "#sync-status").text == "Synced", seconds=30)
        self.switch_airplane_mode(ben, False)
        ben.get(ben.host.url("/profile/sync"))
        self.wait(ben, lambda d: sentence in self.find(d, "#main").text, seconds=30)

    def test_a_refused_change_states_its_reason_and_keeps_its_values(self):
        ada, ben = self.two_people("Trip 1")
        self.delete_while_other_works(ada, ben, (
            "“Trip 1” was deleted on another phone. "
            "Your 2 ticks, 1 note and 1 condition are kept here."))
        text = self.find(ben, "#main").text
        self.assertIn("Note: “Stiff at the last turn”", text)
        self.assertNotIn("It builds on a change", text)
        self.assertEqual(self.find_all(ben, "#main [value=retry]"), [])
        self.assertTrue(self.find_all(ben, "#main [data-copy]"))
        self.assert_accessible(ben)
        # Ben brings it back, with what he had done in it.
        back = self.find(ben, "#main [value=bring-back]")
        self.assertEqual(back.text, "Bring “Trip 1” back")
        back.click()
        self.wait(ben, lambda d: not self.find_all(d, "#main [data-copy]"))
        ada.get(ada.host.url("/charters"))
        self.wait(ada, lambda d: "Trip 1" in self.find(d, "#charter-list").text, seconds=30)
        self.find(ada, "#charter-list a").click()
        self.open_checklist(ada)
        self.wait(ada, lambda d: self.is_ticked(d, 0) and self.is_ticked(d, 1), seconds=30)
        self.wait(ada, lambda d: "Stiff at the last turn" in self.find(d, "#main").text)

    def test_an_editor_leaves_and_an_owner_deletes_for_all(self):
        ada, ben = self.two_people("Ours")
        self.find(ben, "#menu-button").click()
        self.assertEqual(self.find(ben, "#menu-leave").text, "Leave this charter")
        self.assertEqual(self.find_all(ben, "#delete"), [])
        self.find(ada, "#menu-button").click()
        self.find(ada, "#delete > summary").click()
        self.assertIn("for all members", self.find(ada, "#delete").text)
        self.assertEqual(self.find_all(ada, "#menu-leave"), [])


if __name__ == "__main__":
    unittest.main()
