"""Pages of things that went away, and the page for a browser without a token."""

import unittest

from browsers import PHONE, browser
from people import PeopleTestCase
from test_dock import DockHost


class GoneTests(PeopleTestCase):
    def crew_of_two(self, name):
        """A skipper and a mate at a checklist of a charter that they share, and the charter's address."""
        skipper, mate = self.person(f"skipper-{name.lower()}"), self.person(f"mate-{name.lower()}")
        charter = self.plan(skipper, f"{name} week")
        self.join(mate, self.invite(skipper, charter, "editor"), f"{name} week")
        self.open_checklist(mate)
        self.wait_for_stream(mate)
        return skipper, mate, charter

    def assert_gone(self, driver, sentence):
        """The page says by itself which thing has gone and why, and leads on."""
        self.wait(driver, lambda d: self.find(d, "#heading").text == "No longer available")
        self.assertIn(sentence, self.find(driver, "#main").text)
        self.assertTrue(driver.title.startswith("No longer available"), driver.title)
        self.assert_accessible(driver)
        self.find(driver, "#main .button").click()
        self.wait(driver, lambda d: d.current_url == d.host.url("/charters"))

    def test_a_charter_that_is_deleted_on_another_phone(self):
        skipper, mate, charter = self.crew_of_two("Kornati")
        page = mate.current_url
        skipper.get(charter)
        self.find(skipper, "#menu-button").click()
        self.find(skipper, "#delete summary").click()
        self.find(skipper, "#delete button").click()
        sentence = "“Kornati week” was deleted on another phone"
        self.assert_gone(mate, sentence)
        mate.get(page)
        self.assert_gone(mate, sentence)
        # Whose own deletion it was goes on to the list.
        self.wait(skipper, lambda d: d.current_url.endswith("/charters"))

    def test_a_charter_to_which_access_has_ended(self):
        skipper, mate, charter = self.crew_of_two("Vis")
        skipper.get(self.crew(charter))
        self.wait(skipper, lambda d: self.find_all(d, ".manage"))
        self.find(skipper, ".manage > summary").click()
        self.find(skipper, ".manage .remove > summary").click()
        self.find(skipper, ".manage .remove button").click()
        self.assert_gone(mate, "You no longer have access to “Vis week”")


class StrangerTests(PeopleTestCase):
    def assert_told(self, host):
        driver = browser(size=PHONE)
        self.addCleanup(driver.quit)
        driver.get(f"http://127.0.0.1:{host.port}/")
        self.assertEqual(self.find(driver, "#heading").text, "Open the printed address")
        self.assertIn(f"http://127.0.0.1:{host.port}/?token=", self.find(driver, "#main").text)
        # The page looks like all others.
        self.assertNotEqual(self.find(driver, "body").value_of_css_property("max-width"), "none")
        self.assert_accessible(driver)

    def test_a_device_tells_a_browser_without_a_token_what_to_do(self):
        self.assert_told(self.person("known").host)

    def test_a_dock_tells_a_browser_without_a_token_what_to_do(self):
        host = DockHost()
        self.addCleanup(host.remove)
        self.assert_told(host)


class SeedOfferTests(PeopleTestCase):
    def test_a_library_in_another_language_gets_the_checklists_of_this_one(self):
        driver = self.person("reader")
        self.host = driver.host
        driver.get(driver.host.url("/library"))
        self.assertEqual(self.find_all(driver, "#seed-offer"), [])
        self.use_language(driver, "ru")
        driver.get(driver.host.url("/library"))
        self.assertEqual(len(self.find_all(driver, "#checklists-list > .row")), 3)
        self.assertIn("Библиотека на английском.", self.find(driver, "#seed-offer").text)
        self.assert_accessible(driver)
        self.find(driver, "#seed-offer .button").click()
        self.wait(driver, lambda d: "Приёмка яхты" in self.find(d, "#checklists-list").text)
        self.wait(driver, lambda d: not self.find_all(d, "#seed-offer"))
        self.assertEqual(len(self.find_all(driver, "#checklists-list > .row")), 6)
        self.find(driver, "#undo-do button").click()
        self.wait(driver, lambda d: len(self.find_all(d, "#checklists-list > .row")) == 3)
        self.wait(driver, lambda d: self.find(d, "#seed-offer .dismiss").click() is None)
        self.wait(driver, lambda d: not self.find_all(d, "#seed-offer"))
        driver.refresh()
        self.assertEqual(self.find_all(driver, "#seed-offer"), [])


if __name__ == "__main__":
    unittest.main()
