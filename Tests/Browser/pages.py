"""The actions of a skipper on the pages of Anyfleet, each of which is one line of a test."""

from datetime import date, timedelta

from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select

from support import BrowserTestCase


# Notes when the watched item shows a tick or none, by the clock that all browsers share.
WATCH = """
const form = document.querySelectorAll('button[role=checkbox]')[arguments[0]].closest('form').id;
const wanted = arguments[1];
window.seen = new Promise(see => new MutationObserver((_, observer) => {
  const item = document.getElementById(form).querySelector('button');
  if (item.getAttribute('aria-checked') !== wanted) return;
  observer.disconnect();
  see(Date.now());
}).observe(document.querySelector('main'), {subtree: true, childList: true, attributes: true}));
"""


class AnyfleetTestCase(BrowserTestCase):
    def create_charter(self, driver, name, origin=None, **fields):
        """Creates a charter by its form and ends on its page."""
        driver.get(f"{origin}/charters/new" if origin else self.host.url("/charters/new"))
        days = dict(startDate=date.today(), endDate=date.today() + timedelta(days=7))
        self.fill(driver, name=name, **days, **fields)
        self.find(driver, ".save button").click()
        self.wait(driver, lambda d: d.find_element(By.ID, "heading").text == name)

    def fill(self, driver, **fields):
        """Fills in fields by their names. Dates are typed as the browser's locale has them."""
        for name, value in fields.items():
            field = self.find(driver, f"#field-{name}")
            if not field.is_displayed():
                self.find(driver, "#more-fields > summary").click()
            if isinstance(value, date):
                field.send_keys(value.strftime("%m%d%Y"))
            else:
                field.clear()
                field.send_keys(value)

    def open_checklist(self, driver, number=0):
        """Opens one of the checklists of the charter that is shown."""
        rows = "#checklist-list a.row"
        self.wait(driver, lambda d: len(self.find_all(d, rows)) > number)
        # A row that is replaced meanwhile is found and clicked again.
        self.wait(driver, lambda d: self.find_all(d, rows)[number].click() is None)
        self.wait(driver, lambda d: d.find_elements(By.ID, "count"))

    def items(self, driver):
        return self.find_all(driver, "button[role=checkbox]")

    def item(self, driver, number):
        return self.items(driver)[number]

    def is_ticked(self, driver, number):
        return self.item(driver, number).get_attribute("aria-checked") == "true"

    def tick_delay(self, first, second, number):
        """Ticks an item in one browser, or takes the tick back, and returns after how many milliseconds the
        other showed it.

        Neither is busy before, and the other is not asked meanwhile, which would keep it busy.
        """
        for driver in (first, second):
            driver.execute_async_script("requestIdleCallback(arguments[0], {timeout: 1000})")
        wanted = not self.is_ticked(second, number)
        second.execute_script(WATCH, number, str(wanted).lower())
        clicked = first.execute_script(
            "const clicked = Date.now();"
            "document.querySelectorAll('button[role=checkbox]')[arguments[0]].click();"
            "return clicked;", number)
        delay = second.execute_async_script("window.seen.then(arguments[0]);") - clicked
        for driver in (first, second):
            self.wait(driver, lambda d: self.is_ticked(d, number) == wanted)
        self.assertGreaterEqual(delay, 0)
        return delay

    def count(self, driver):
        """The number of done items, as the page shows it."""
        return int(self.find(driver, "#count").text.split()[0])

    def open_remarks(self, driver, number):
        """Opens the part of an item with its condition and its note, and returns how to find the item."""
        self.wait(driver, lambda d: len(self.find_all(d, ".item")) > number)
        row = f"#{self.find_all(driver, '.item')[number].get_attribute('id')}"
        if self.find(driver, f"{row} .remarks").get_attribute("open") is None:
            self.find(driver, f"{row} .remarks > summary").click()
        self.wait_for_remarks(driver, row)
        return row

    def wait_for_remarks(self, driver, row):
        """Waits until an opened part has its content, for which the button asks without scripts."""
        load = f"{row} .remarks [data-more]"
        if not driver.javascript and self.find_all(driver, load):
            self.find(driver, load).click()
        self.wait(driver, lambda d: self.find_all(d, f"{row} .remarks textarea"))

    def remark(self, driver, number, note, condition):
        """Writes a note on an item and chooses its condition, and returns how to find the item."""
        row = self.open_remarks(driver, number)
        chip = f"{row} .chip[value='{condition}']"
        if self.find_all(driver, chip):
            self.find(driver, chip).click()
            # Without scripts another page follows, on which the part is closed. The first look may still be at the
            # page before.
            self.wait(driver, lambda d: self.open_remarks(d, number)
                      and self.find_all(d, f"{row} .chip[aria-pressed=true]")
                      and not self.find_all(d, chip))
        field = self.find(driver, f"{row} textarea")
        field.clear()
        field.send_keys(note)
        self.find(driver, f"{row} .remarks [value=note]").click()
        self.wait(driver, lambda d: self.note(d, row) == note)
        return row

    def note(self, driver, row):
        """The note of an item, which stands below its title."""
        return self.find(driver, f"{row} .note").text

    def use_language(self, driver, code):
        driver.get(self.host.url("/settings"))
        Select(self.find(driver, "#field-language")).select_by_value(code)
        self.find(driver, "#language-form button").click()
        self.wait(driver, lambda d: d.execute_script("return document.documentElement.lang") == code)
