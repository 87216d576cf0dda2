"""The library's editors and study in a browser, with and without its script."""

import urllib.parse

from selenium.webdriver.common.keys import Keys

from support import BrowserTestCase


# The fields of a section, an item and a card in their forms.
SECTION_TITLE = "[name^='sections.'][name$='.title']:not([name*='.items.'])"
ITEM_TITLE = "[name*='.items.'][name$='.title']"
FRONT, BACK = "[name$='.front']", "[name$='.back']"


class LibraryTests(BrowserTestCase):
    def press(self, driver, action, further=""):
        """Presses a button of a form by what it does, with the keyboard."""
        button = self.find(driver, f'.button[name=action][value^="{action}"]{further}')
        if not button.is_displayed():
            # It is in the menu of a row.
            button.find_element("xpath", "ancestor::details[1]/summary").click()
        button.send_keys(Keys.ENTER)

    def assert_accessible(self, driver):
        # The rules are looked at by a script, which some pages here have none of.
        if self.has_script(driver):
            super().assert_accessible(driver)

    def has_script(self, driver):
        return driver.execute_script("return typeof page") == "object"

    def path(self, driver):
        return urllib.parse.urlparse(driver.current_url).path.removeprefix(self.host.app)

    def count(self, driver, selector, count):
        self.wait(driver, lambda d: len(self.find_all(d, selector)) == count)

    def write_checklist(self, driver):
        """Writes a checklist of two items, of which the second was added by a button."""
        self.find(driver, "[name=title]").send_keys("Night watch")
        self.find(driver, SECTION_TITLE).send_keys("Deck")
        self.find(driver, ITEM_TITLE).send_keys("Lights")
        self.press(driver, "add:sections.")
        self.count(driver, ITEM_TITLE, 2)
        titles = self.find_all(driver, ITEM_TITLE)
        if self.has_script(driver):
            self.wait(driver, lambda d: d.switch_to.active_element == titles[1])
        self.assertEqual(titles[0].get_attribute("value"), "Lights")
        titles[1].send_keys("Harness")
        self.assert_accessible(driver)
        self.press(driver, "down:", "[value*='.items.']")
        self.wait(driver, lambda d: [
            each.get_attribute("value") for each in self.find_all(d, ITEM_TITLE)
        ] == ["Harness", "Lights"])

    def assert_written(self, driver):
        self.wait(driver, lambda d: self.find(d, "h1").text == "Night watch")
        self.assertRegex(self.path(driver), "^/library/checklists/[0-9A-F-]{36}$")
        rows = [each.text for each in self.find_all(driver, "main .row .label")]
        self.assertEqual(rows, ["Harness", "Lights"])
        self.assert_accessible(driver)

    def test_writing_a_checklist(self):
        driver = self.open("/library/checklists/new")
        self.wait_for_stream(driver)
        self.write_checklist(driver)
        self.press(driver, "save")
        self.assert_written(driver)
        self.assert_quiet(driver)

    def test_writing_a_checklist_without_the_script(self):
        driver = self.open("/library/checklists/new", javascript=False)
        self.write_checklist(driver)
        # Enter saves, though other buttons come before the one that does.
        self.find(driver, "[name=title]").send_keys(Keys.ENTER)
        self.assert_written(driver)

    def test_an_added_row_gets_the_focus(self):
        driver = self.open("/library/checklists/new")
        self.wait_for_stream(driver)
        self.press(driver, "add:sections", ":not([value*='.'])")
        self.count(driver, SECTION_TITLE, 2)
        second = self.find_all(driver, SECTION_TITLE)[1]
        self.wait(driver, lambda d: d.switch_to.active_element == second)
        driver.get(self.host.url("/library/decks/new"))
        self.wait_for_stream(driver)
        self.press(driver, "add:cards")
        self.count(driver, FRONT, 2)
        second = self.find_all(driver, FRONT)[1]
        self.wait(driver, lambda d: d.switch_to.active_element == second)
        # What goes leaves the focus to its neighbour.
        self.press(driver, "remove:cards.")
        self.count(driver, FRONT, 1)
        self.wait(driver, lambda d: d.execute_script(
            "return document.activeElement.closest('.entry') === document.querySelector('.entry')"))

    def test_a_draft_outlives_the_tab(self):
        driver = self.open("/library/checklists/new")
        self.wait_for_stream(driver)
        driver.execute_script("page.tab = 'gone'")
        self.write_checklist(driver)
        self.press(driver, "save")
        self.assert_written(driver)

    def test_a_field_with_a_problem_gets_the_focus(self):
        driver = self.open("/library/guides/new")
        self.wait_for_stream(driver)
        self.find(driver, "[name=title]").send_keys("Mooring")
        self.find(driver, ".button.primary").send_keys(Keys.ENTER)
        self.wait(driver, lambda d: d.switch_to.active_element.get_attribute("name") == "body")
        self.assert_accessible(driver)
        self.find(driver, "[name=body]").send_keys("# Stern-to\n\n- **slowly**\n")
        self.find(driver, ".button.primary").send_keys(Keys.ENTER)
        self.wait(driver, lambda d: self.find(d, ".prose strong").text == "slowly")
        self.assert_accessible(driver)

    def write_guide(self, driver):
        """Writes a guide and opens its form."""
        self.find(driver, "[name=title]").send_keys("Mooring")
        self.find(driver, "[name=body]").send_keys("Slowly.")
        self.find(driver, ".button.primary").send_keys(Keys.ENTER)
        self.wait(driver, lambda d: self.find(d, "h1").text == "Mooring")
        driver.get(driver.current_url + "/edit")

    def rename(self, driver, title):
        field = self.find(driver, "[name=title]")
        field.clear()
        field.send_keys(title)

    def test_a_page_that_is_fetched_again_keeps_a_draft(self):
        driver = self.open("/library/checklists/new")
        self.wait_for_stream(driver)
        self.write_checklist(driver)
        self.find(driver, "[name=description]").send_keys("After dark")
        self.come_back(driver)
        titles = [each.get_attribute("value") for each in self.find_all(driver, ITEM_TITLE)]
        self.assertEqual(titles, ["Harness", "Lights"])
        self.assertEqual(
            self.find(driver, "[name=description]").get_attribute("value"), "After dark")
        self.press(driver, "save")
        self.assert_written(driver)
        self.assert_quiet(driver)

    def test_a_page_that_is_fetched_again_knows_what_its_form_began_with(self):
        # Low, so that the form is longer than the window.
        driver = self.open("/library/guides/new", size=(390, 600))
        self.write_guide(driver)
        self.wait_for_stream(driver)
        self.rename(driver, "Mine")
        other = self.open(self.path(driver), javascript=False)
        self.rename(other, "Theirs")
        self.press(other, "save")
        self.wait(other, lambda d: self.find(d, "h1").text == "Theirs")
        self.come_back(driver)
        driver.execute_script("scrollTo(0, document.body.scrollHeight)")
        self.press(driver, "save")
        self.wait(driver, lambda d: self.find(d, "[role=alert]"))
        self.wait(driver, lambda d: self.notice(d) == "This was changed elsewhere meanwhile.")
        self.assertTrue(driver.execute_script(
            "const {top, bottom} = document.querySelector('[role=alert] strong')"
            ".getBoundingClientRect(); return top >= 0 && bottom <= innerHeight;"))
        self.assert_accessible(driver)
        self.assertEqual(self.find(driver, "[name=title]").get_attribute("value"), "Mine")
        other.refresh()
        self.assertEqual(self.find(other, "h1").text, "Theirs")
        self.press(driver, "save")
        self.wait(driver, lambda d: self.find(d, "h1").text == "Mine")

    def test_leaving_asks_while_something_is_not_saved(self):
        driver = self.open("/library/guides/new")
        self.wait_for_stream(driver)
        self.assertFalse(self.asks(driver))
        self.find(driver, "[name=title]").send_keys("Mooring")
        self.assertTrue(self.asks(driver))
        # Refused, it is with the device, and no more saved than before.
        self.press(driver, "save")
        self.wait(driver, lambda d: d.switch_to.active_element.get_attribute("name") == "body")
        self.assertTrue(self.asks(driver))
        self.find(driver, "[name=body]").send_keys("Slowly.")
        self.press(driver, "save")
        self.wait(driver, lambda d: self.find(d, "h1").text == "Mooring")

    def asks(self, driver):
        """Whether the browser would ask before the page is left."""
        return driver.execute_script(
            "const event = new Event('beforeunload', {cancelable: true});"
            "dispatchEvent(event); return event.defaultPrevented;")

    def come_back(self, driver):
        """Lets a page find that its tab has ended, as after a while in the background."""
        driver.execute_script("window.old = page.tab; page.source.close(); page.tab = 'gone';"
                              "connect()")
        self.wait(driver, lambda d: d.execute_script("return page.tab !== 'gone'"))
        self.wait_for_stream(driver)

    def study(self, driver):
        """Writes a deck of one card and studies it."""
        self.find(driver, "[name=title]").send_keys("Lights")
        self.find(driver, FRONT).send_keys("Red?")
        self.find(driver, BACK).send_keys("Port")
        self.assert_accessible(driver)
        self.press(driver, "save")
        self.wait(driver, lambda d: self.find(d, "a[href$='/study']"))
        self.assert_accessible(driver)
        self.find(driver, "a[href$='/study']").send_keys(Keys.ENTER)
        self.wait(driver, lambda d: self.find(d, ".front").text == "Red?")
        self.assertEqual(self.find_all(driver, ".back"), [])
        self.assert_accessible(driver)
        self.press(driver, "reveal")
        self.wait(driver, lambda d: self.find(d, ".back").text == "Port")
        self.assert_accessible(driver)
        self.press(driver, "known")
        self.wait(driver, lambda d: self.find(d, ".state h2").text == "Nothing to study now")
        self.assert_accessible(driver)

    def test_studying(self):
        driver = self.open("/library/decks/new")
        self.wait_for_stream(driver)
        self.study(driver)
        self.assert_quiet(driver)

    def test_studying_without_the_script(self):
        self.study(self.open("/library/decks/new", javascript=False))

    def answer_all(self, driver):
        """Writes a deck of two cards and answers both, which the page counts."""
        self.find(driver, "[name=title]").send_keys("Shapes")
        self.press(driver, "add:cards")
        self.count(driver, FRONT, 2)
        for name in ("front", "back"):
            for number, field in enumerate(self.find_all(driver, f"[name$='.{name}']")):
                field.send_keys(f"{name} {number}")
        self.press(driver, "save")
        self.wait(driver, lambda d: self.find(d, "a[href$='/study']"))
        self.find(driver, "a[href$='/study']").send_keys(Keys.ENTER)
        said = ["2 cards are due", "1 card is due, 1 card answered"]
        for number in range(2):
            self.wait(driver, lambda d: self.find(d, ".front").text == f"front {number}")
            self.assertEqual(self.find(driver, "#study-count").text, said[number])
            self.press(driver, "reveal")
            self.wait(driver, lambda d: self.find(d, ".back").text == f"back {number}")
            self.assertEqual(self.find(driver, "#study-count").text, said[number])
            self.press(driver, "known")
        self.wait(driver, lambda d: self.find(d, ".state h2").text == "Nothing to study now")
        self.assertEqual(self.find(driver, "#study-count").text, "2 cards answered")

    def test_answers_are_counted(self):
        driver = self.open("/library/decks/new")
        self.wait_for_stream(driver)
        self.answer_all(driver)
        self.assert_quiet(driver)

    def test_answers_are_counted_without_the_script(self):
        self.answer_all(self.open("/library/decks/new", javascript=False))

    def test_deleting_and_putting_back(self):
        driver = self.open("/library")
        self.assert_accessible(driver)
        row = self.find(driver, "#checklists-list .row .label")
        title = row.text.split("\n")[0]
        row.click()
        self.wait(driver, lambda d: self.find(d, "h1").text == title)
        self.wait_for_stream(driver)
        self.assert_accessible(driver)
        self.find(driver, "#menu-button").send_keys(Keys.ENTER)
        self.find(driver, "#delete summary").send_keys(Keys.ENTER)
        self.find(driver, "#delete .button").send_keys(Keys.ENTER)
        self.wait(driver, lambda d: title in self.find(d, "#undo").text)
        self.wait_for_stream(driver)
        self.assert_accessible(driver)
        self.find(driver, "#undo button").click()
        self.wait(driver, lambda d: not self.find_all(d, "#undo"))
        self.wait(driver, lambda d: title in self.find(d, "#checklists-list").text)
