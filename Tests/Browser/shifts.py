"""The actions of a person who works shifts, on the pages of ShiftScheduler."""

import urllib.parse

from selenium.webdriver.support.ui import Select

from pages import AnyfleetTestCase


class ShiftsTestCase(AnyfleetTestCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.host.app = "/shiftscheduler"

    def path(self, driver):
        """The path of a page below that of the app."""
        return urllib.parse.urlsplit(driver.current_url).path.removeprefix(self.host.app)

    def send(self, driver, path, **fields):
        """Fills in the form of a page and sends it. Texts are set as they are sent, such as days."""
        driver.get(self.host.url(path))
        for name, value in fields.items():
            field = self.find(driver, f"#field-{name}")
            if field.tag_name == "select":
                Select(field).select_by_visible_text(value)
            elif field.get_attribute("type") == "checkbox":
                field.click()
            else:
                driver.execute_script("arguments[0].value = arguments[1]", field, value)
        self.find(driver, "#editor-form .save .button").click()

    def add_type(self, driver, title, symbol, **fields):
        self.send(driver, "/kinds/types/new", title=title, symbol=symbol, **fields)
        self.wait(driver, lambda d: self.path(d) == "/kinds" and title in self.find(d, "#type-rows").text)

    def add_location(self, driver, name):
        self.send(driver, "/kinds/locations/new", name=name)
        self.wait(driver, lambda d: self.path(d) == "/kinds" and name in self.find(d, "#location-rows").text)

    def add_shift(self, driver, day, type, **fields):
        self.send(driver, f"/shifts/{day}/new", type=type, **fields)
        self.wait(driver, lambda d: self.path(d) == f"/calendar/day/{day}")

    def repeat(self, driver, first, last, type, on="4", off="2"):
        self.send(driver, f"/shifts/{first}/pattern", type=type, on=on, off=off, last=last)
        self.wait(driver, lambda d: self.path(d) == f"/calendar/day/{first}")

    def plan(self, driver):
        """Enters two locations, three types, and the shifts of June 2027, two of which overlap."""
        for name in ("Harbor Clinic", "City Hospital"):
            self.add_location(driver, name)
        self.add_type(driver, "Early", "🌅", location="Harbor Clinic", **{"from": "06:00", "to": "14:00"})
        self.add_type(driver, "Night", "N", location="City Hospital", **{"from": "22:00", "to": "06:00"})
        self.add_type(driver, "Vacation", "🏖", allDay=True)
        self.repeat(driver, "2027-06-01", "2027-06-20", "🌅 Early")
        self.add_shift(driver, "2027-06-05", "N Night", overtimeMinutes="30", note="With Anna " * 8, status="Done")
        self.add_shift(driver, "2027-06-06", "🏖 Vacation", status="Cancelled")
        self.add_shift(driver, "2027-06-01", "🏖 Vacation", keep=True)
