"""Two people with a device each and a server of their own: from nothing to a charter that both work on."""

import unittest

from people import PeopleTestCase


class TwoAccountsTests(PeopleTestCase):
    def test_a_crew_works_on_a_charter_and_a_guest_looks_on(self):
        skipper, mate = self.person("skipper"), self.person("mate")
        charter = self.plan(skipper, "Kornati week")
        self.join(mate, self.invite(skipper, charter, "editor"), "Kornati week")
        skipper.get(charter)
        for driver in (skipper, mate):
            self.open_checklist(driver)
            self.wait_for_stream(driver)
        self.item(mate, 1).click()
        self.wait(skipper, lambda d: self.is_ticked(d, 1), seconds=30)
        self.item(skipper, 2).click()
        self.wait(mate, lambda d: self.is_ticked(d, 2), seconds=30)

        guest = self.person("guest")
        self.join(guest, self.invite(skipper, charter, "viewer"), "Kornati week")
        self.open_checklist(guest)
        self.wait(guest, lambda d: self.is_ticked(d, 1) and self.is_ticked(d, 2), seconds=30)
        self.assertEqual(self.find_all(guest, "#main form[id^='item-']"), [])

        skipper.get(self.crew(charter))
        self.wait(skipper, lambda d: all(
            name in self.find(d, "#members").text for name in ("skipper", "mate", "guest")))
        self.assert_accessible(skipper)

    def test_a_charter_is_hidden_from_other_accounts(self):
        anna, ben = self.person("anna"), self.person("ben")
        charter = self.plan(anna, "Anna's week")
        self.invite(anna, charter, "editor")
        path = charter[len(anna.host.url("")):]
        ben.get(ben.host.url("/charters"))
        self.assertNotIn("Anna's week", self.find(ben, "#main").text)
        ben.get(ben.host.url(path))
        self.assertNotIn("Anna's week", self.find(ben, "body").text)


if __name__ == "__main__":
    unittest.main()
