"""A form with a file is posted with and without scripts, as the browser encodes it."""

import tempfile
import unittest

from selenium.webdriver.common.keys import Keys

from pages import AnyfleetTestCase

# Adds a field for a file to the form of an editor, and records the names of the posted files.
ADD_FIELD = """
const form = document.getElementById('editor-form');
form.enctype = 'multipart/form-data';
const field = Object.assign(document.createElement('input'), {type: 'file', name: 'sample'});
field.setAttribute('aria-label', 'Sample');
form.append(field);
const send = window.fetch;
window.fetch = (address, options) => {
  sessionStorage.sent = options?.body?.get?.('sample')?.name ?? '';
  return send(address, options);
};
"""


class FileTests(AnyfleetTestCase):
    def save_with_file(self, title, **options):
        """Saves a new guide by a form with a file, and returns the browser at its page and the file's name."""
        driver = self.open("/library/guides/new", **options)
        if driver.javascript:
            self.wait_for_stream(driver)
        driver.execute_script(ADD_FIELD)
        with tempfile.NamedTemporaryFile(suffix='"ü.txt') as file:
            file.write(b"a\r\n--b")
            file.flush()
            self.find(driver, "[name=sample]").send_keys(file.name)
            self.find(driver, "[name=title]").send_keys(title)
            self.find(driver, "[name=body]").send_keys("Slowly")
            self.find(driver, ".save .button").send_keys(Keys.ENTER)
            self.wait(driver, lambda d: self.find(d, "h1").text == title)
        return driver, file.name.split("/")[-1]

    def test_a_form_with_a_file_is_saved_by_the_script(self):
        driver, name = self.save_with_file("Mooring")
        self.assertEqual(driver.execute_script("return sessionStorage.sent"), name)
        self.assertIn("Slowly", self.find(driver, "main").text)
        self.assert_quiet(driver)

    def test_a_form_with_a_file_is_saved_without_scripts(self):
        driver, _ = self.save_with_file("Anchoring", javascript=False)
        self.assertIn("Slowly", self.find(driver, "main").text)


if __name__ == "__main__":
    unittest.main()
