"""One person plans shifts: the month by keyboard, an import, undo by keyboard and without scripts."""

import pathlib
import sqlite3
import tempfile
import unittest
import uuid

from selenium.webdriver.common.keys import Keys

from shifts import ShiftsTestCase


class ShiftSchedulerTests(ShiftsTestCase):
    def legacy_store(self):
        """The file of a store as a former app has written it."""
        folder = tempfile.TemporaryDirectory(prefix="offshore-store-")
        self.addCleanup(folder.cleanup)
        file = pathlib.Path(folder.name) / "default.store"
        with sqlite3.connect(file) as store:
            store.execute("CREATE TABLE ZLOCATION (Z_PK INTEGER PRIMARY KEY, Z_ENT, Z_OPT, ZNAME, ZADDRESS, ZID BLOB)")
            store.execute("CREATE TABLE ZSHIFTTYPE (Z_PK INTEGER PRIMARY KEY, Z_ENT, Z_OPT, ZLOCATION, ZSYMBOL, ZTITLE,"
                          " ZSHIFTDESCRIPTION, ZDURATION BLOB, ZID BLOB)")
            store.execute("INSERT INTO ZLOCATION VALUES (1, 1, 1, 'Old Harbor', 'Quay 7', ?)", (uuid.uuid4().bytes,))
            store.execute("INSERT INTO ZSHIFTTYPE VALUES (1, 2, 1, 1, 'L', 'Late', '', ?, ?)",
                          (b'{"allDay":{}}', uuid.uuid4().bytes))
        store.close()
        return str(file)

    def test_the_month_is_walked_by_keyboard_to_a_day_and_its_form(self):
        driver = self.open("/")
        self.add_type(driver, "Walk", "W")
        driver.get(self.host.url("/calendar/month/2027-06-01"))
        self.wait_for_stream(driver)
        self.reach(driver, lambda: self.focused(driver, "data-day") != "")
        for key in (Keys.HOME, Keys.ARROW_DOWN, Keys.ARROW_RIGHT):
            self.press(driver, key)
        day = self.focused(driver, "data-day")
        self.assertRegex(day, r"^2027-06-\d\d$")
        self.press(driver, Keys.ENTER)
        self.wait(driver, lambda d: self.path(d) == f"/calendar/day/{day}")
        self.wait_for_stream(driver)
        self.reach(driver, lambda: "type=" in self.focused(driver, "href"))
        self.press(driver, Keys.ENTER)
        self.wait(driver, lambda d: self.path(d) == f"/shifts/{day}/new")
        self.wait_for_stream(driver)
        self.reach(driver, lambda: self.focused(driver, "value") == "save")
        self.press(driver, Keys.ENTER)
        self.wait(driver, lambda d: self.find_all(d, f"#rows-{day} a.row"))
        self.assert_accessible(driver)
        # A page that shows the day is updated when a shift is added in another window.
        other = self.open(f"/calendar/month/{day}")
        self.wait_for_stream(other)
        self.add_shift(driver, day, "W Walk", keep=True)
        self.wait(other, lambda d: len(self.find_all(d, f"[id='shifts-{day}'] .shift, [data-region='shifts-{day}'] .shift")) == 2
                  or len(self.find_all(d, ".shift")) == 2)
        self.assert_quiet(other)

    def test_overlaps_are_refused_beside_the_field_and_kept_on_purpose(self):
        driver = self.open("/")
        self.add_type(driver, "Desk", "D")
        self.add_shift(driver, "2027-08-02", "D Desk")
        self.send(driver, "/shifts/2027-08-02/new", type="D Desk", note="Twice")
        self.wait(driver, lambda d: "overlap" in self.find(d, "#field-keep-error").text)
        self.assertEqual(self.find(driver, "#field-note").get_attribute("value"), "Twice")
        self.assert_accessible(driver)
        self.find(driver, "#field-keep").click()
        self.find(driver, "#editor-form .save .button").click()
        self.wait(driver, lambda d: len(self.find_all(d, "[id='rows-2027-08-02'] a.row")) == 2)
        self.assertIn("Desk", self.find(driver, "#overlap-notes").text)

    def test_a_store_is_imported_from_its_file(self):
        driver = self.open("/data")
        self.wait_for_stream(driver)
        self.find(driver, "#field-import").send_keys(self.legacy_store())
        self.find(driver, "#import-form .button").click()
        self.wait(driver, lambda d: "Shift types added: 1. Locations added: 1." in self.find(d, "#import-result").text)
        self.assert_accessible(driver)
        driver.get(self.host.url("/kinds"))
        self.assertIn("Late", self.find(driver, "#type-rows").text)
        self.assertIn("Old Harbor", self.find(driver, "#location-rows").text)

    def test_changes_are_undone_and_redone_by_keyboard(self):
        driver = self.open("/")
        self.add_location(driver, "By keyboard")
        driver.get(self.host.url("/changes"))
        self.wait_for_stream(driver)
        for action, expected in (("undo", False), ("redo", True)):
            self.reach(driver, lambda: self.focused(driver, "value") == action)
            self.press(driver, Keys.ENTER)
            other = self.open("/kinds")
            self.wait(other, lambda d: ("By keyboard" in d.find_element("id", "content").text) == expected)
        self.assert_accessible(driver)
        self.assert_quiet(driver)

    def test_changes_are_undone_without_scripts(self):
        driver = self.open("/", javascript=False)
        self.add_location_without_scripts(driver, "Without scripts")
        driver.get(self.host.url("/changes"))
        self.find(driver, "#steps [value=undo]").click()
        self.wait(driver, lambda d: self.find_all(d, "#steps [value=redo]"))
        driver.get(self.host.url("/kinds"))
        self.assertNotIn("Without scripts", self.find(driver, "#content").text)

    def add_location_without_scripts(self, driver, name):
        driver.get(self.host.url("/kinds/locations/new"))
        self.find(driver, "#field-name").send_keys(name)
        self.find(driver, "#editor-form .save .button").click()
        self.wait(driver, lambda d: name in self.find(d, "#location-rows").text)

    def test_a_range_that_does_not_exist_is_explained_without_scripts(self):
        driver = self.open("/", javascript=False)
        driver.get(self.host.url("/kinds/types/new"))
        self.find(driver, "#field-title").send_keys("Two symbols")
        self.find(driver, "#field-symbol").send_keys("AB")
        self.find(driver, "#editor-form .save .button").click()
        self.wait(driver, lambda d: self.find(d, "#field-symbol-error").is_displayed())
        self.assertEqual(self.find(driver, "#field-title").get_attribute("value"), "Two symbols")
        self.assertEqual(driver.switch_to.active_element.get_attribute("id"), "field-symbol")


if __name__ == "__main__":
    unittest.main()
