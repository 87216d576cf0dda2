"""Invitations: a code that is copied, shared, scanned and opened as a link, and the page that follows."""

import subprocess
import tempfile
import unittest

from selenium.webdriver.common.keys import Keys

from browsers import PHONE, browser, show_as
from people import PeopleTestCase

# A browser that can share, which keeps what it was asked to share.
SHARING = "navigator.share = (data) => { window.shared = data; return Promise.resolve(); };"


class CodesTests(PeopleTestCase):
    def shown(self, driver, selector):
        return [each for each in self.find_all(driver, selector) if each.is_displayed()]

    def decoded(self, driver):
        """The text that a camera reads in the picture, as it is on the screen."""
        picture = self.find(driver, ".qr")
        # The driver would bring it to the lower edge, below the bar of the app's parts.
        driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", picture)
        with tempfile.NamedTemporaryFile(suffix=".png") as file:
            file.write(picture.screenshot_as_png)
            file.flush()
            return subprocess.check_output(
                ["zbarimg", "--raw", "--quiet", file.name], stderr=subprocess.DEVNULL, text=True).strip()

    def pasted(self, driver):
        """The text of the clipboard, as pasted into the field of the page for joining."""
        driver.get(driver.host.url("/join/charter"))
        field = self.find(driver, "#field-code")
        field.send_keys(Keys.CONTROL, "v")
        return field.get_attribute("value")

    def test_a_code_is_copied_and_scanned_in_light_and_dark(self):
        skipper = self.person("copier")
        charter = self.plan(skipper, "Vis week")
        code = self.invite(skipper, charter, "editor")
        link = f"anyfleet://join?code={code}"
        self.assertEqual(self.find(skipper, "#invitation-link").text, link)
        self.assertEqual(self.decoded(skipper), link)
        show_as(skipper, PHONE, dark=True)
        self.assertEqual(self.decoded(skipper), link)
        self.assert_accessible(skipper)
        # Groups make it easy to read, and a selection has no spaces.
        self.assertEqual(skipper.execute_script(
            "getSelection().selectAllChildren(document.getElementById('invitation-code'));"
            "return getSelection().toString();"), code)
        self.assertEqual(self.shown(skipper, "[data-share]"), [])
        copy_code, copy_link = self.shown(skipper, "[data-copy]")
        copy_code.click()
        self.wait(skipper, lambda d: self.notice(d) == "The code was copied.")
        self.assert_quiet(skipper)
        self.assertEqual(self.pasted(skipper), code)

    def test_a_link_is_shared_by_browsers_that_can(self):
        skipper = self.person("sharer")
        skipper.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": SHARING})
        code = self.invite(skipper, self.plan(skipper, "Brač week"), "viewer")
        share, = self.shown(skipper, "[data-share]")
        share.click()
        self.wait(skipper, lambda d: d.execute_script("return window.shared"))
        self.assertEqual(
            skipper.execute_script("return window.shared.text"),
            f"Join “Brač week” in Anyfleet: anyfleet://join?code={code}")

    def test_a_link_asks_before_it_joins_and_the_owner_sees_who_came(self):
        skipper, mate = self.person("owner"), self.person("joiner")
        charter = self.plan(skipper, "Hvar week")
        self.invite(skipper, charter, "editor")
        link = self.find(skipper, "#invitation-link").text
        self.wait_for_stream(skipper)
        mate.get(mate.host.url("/open"))
        self.find(mate, "#field-link").send_keys(link, Keys.ENTER)
        self.wait(mate, lambda d: self.find_all(d, "#invited"))
        self.assertIn(self.find(mate, "#field-code").get_attribute("value"), link)
        self.assert_accessible(mate)
        mate.get(mate.host.url("/charters"))
        self.assertNotIn("Hvar week", self.find(mate, "#main").text)
        mate.back()
        self.wait(mate, lambda d: self.find_all(d, "#join-form button"))
        self.assertNotIn("joiner", self.find(skipper, "#members").text)
        self.find(mate, "#join-form button").click()
        self.wait(mate, lambda d: self.find(d, "#heading").text == "Hvar week", seconds=30)
        # Nothing is done on the owner's page.
        self.wait(skipper, lambda d: "joiner" in self.find(d, "#members").text)
        self.wait(skipper, lambda d: not self.find_all(d, "#code, #open-invitations"))

    def test_without_the_script_the_code_and_the_link_can_be_selected(self):
        skipper = self.person("plain")
        charter = self.plan(skipper, "Lastovo week")
        plain = browser(size=PHONE, javascript=False)
        self.addCleanup(plain.quit)
        plain.host = skipper.host
        plain.get(skipper.host.address)
        code = self.invite(plain, charter, "editor")
        self.assertEqual(self.find(plain, "#invitation-link").text, f"anyfleet://join?code={code}")
        self.assertEqual(self.shown(plain, "[data-copy], [data-share]"), [])
        self.assertEqual(self.decoded(plain), f"anyfleet://join?code={code}")


if __name__ == "__main__":
    unittest.main()
