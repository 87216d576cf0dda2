"""The actions of people who swap shifts in a team on the pages of ShiftScheduler, each on a device of their own."""

from selenium.webdriver.support.ui import Select

from people import PeopleTestCase
from shifts import ShiftsTestCase


class TeamsTestCase(PeopleTestCase, ShiftsTestCase):
    app, kind = "/shiftscheduler", "team"

    def prepare(self, driver):
        """Moves the records to the database, which alone is synced."""
        driver.get(driver.host.url("/profile/account"))
        self.find(driver, ".state .button").click()
        self.wait(driver, lambda d: self.find_all(d, "#sign-in"))

    def two_people(self, name, role="editor"):
        """The owner and a member of a team, whose June is open on both devices."""
        number = type(self).__dict__.get("people", 0) + 1
        type(self).people = number
        anna, ben = self.person(f"anna{number}"), self.person(f"ben{number}")
        anna.get(anna.host.url("/teams/new"))
        self.find(anna, "#field-name").send_keys(name)
        self.find(anna, "#editor-form .save .button").click()
        self.wait(anna, lambda d: self.find(d, "#heading").text == name)
        team = anna.current_url
        self.join(ben, self.invite(anna, team, role), name)
        self.june = f"/teams/{team.split('/')[-1]}/2027-06"
        for driver in (anna, ben):
            self.open_june(driver)
        return anna, ben

    def open_june(self, driver):
        driver.get(driver.host.url(self.june))
        self.wait_for_stream(driver)

    def enter_shift(self, driver, day):
        """Enters a shift with its type in the user's own calendar."""
        self.host = driver.host
        self.add_type(driver, "Early", "E", **{"from": "06:00", "to": "14:00"})
        self.add_shift(driver, day, "E Early")

    def publish(self, driver, worker=None):
        """Publishes the first of the own shifts, for the user or another member."""
        self.open_june(driver)
        self.find(driver, "#publish > summary").click()
        self.find(driver, "#own input[type=checkbox]").click()
        if worker:
            Select(self.find(driver, "#field-worker")).select_by_visible_text(worker)
        self.find(driver, "#publish-form [value=publish]").click()
        self.wait(driver, lambda d: self.rows(d))

    def rows(self, driver):
        """The published shifts of the page."""
        return self.find_all(driver, "[id^='published-']")

    def text(self, driver):
        """The visible words about the only shift of the page."""
        (row,) = self.rows(driver)
        return row.text

    def wait_for_words(self, driver, *words):
        # A page without scripts has no row yet while its form is answered.
        self.wait(driver, lambda d: self.rows(d) and all(each in self.text(d) for each in words), seconds=30)

    def offer(self, driver):
        """Offers the only shift of the page to all members."""
        self.find(driver, "[id^='published-'] [value=offer]").click()

    def answer(self, driver, action):
        """Presses a button of the only offer of the page."""
        self.wait(driver, lambda d: self.find_all(d, f"[id^='swap-'] [value={action}]"), seconds=30)
        self.wait(driver, lambda d: self.find(d, f"[id^='swap-'] [value={action}]").click() is None)
