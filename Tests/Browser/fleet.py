"""A fleet with something of everything, and the addresses of all pages that show it."""

import urllib.parse

from selenium.webdriver.common.keys import Keys


class Fleet:
    """Enters it all by the pages' own forms."""

    def __init__(self, test, driver):
        self.test, self.driver = test, driver
        test.create_charter(driver, "Kornati in June", vessel="Alma",
                            destination="Biograd na Moru", region="Dalmatia", budget="2400")
        self.charter = self.path()
        test.open_checklist(driver, 2)
        self.tick(0)
        driver.get(test.host.url(self.charter))
        test.open_checklist(driver)
        self.checklist = self.path()
        for number in (0, 1, 2, 3, 5):
            self.tick(number)
        test.remark(driver, 4, "Torn at the clew, photos at https://example.org/" + "a" * 80, "damaged")
        test.remark(driver, 6, "Stiff", "issue")
        item = test.find(driver, "form[id^='item-']").get_attribute("id").removeprefix("item-")
        self.history = f"{self.checklist}/items/{item}/history"
        self.template = "/library" + self.checklist[self.checklist.index("/checklists/"):]
        self.guide = self.write("/library/guides/new", {
            "title": "Mooring stern-to", "tags": "harbour, Med",
            "body": "# Before\n\nBoth **lines** ready.\n\n- Wind abeam\n- Crew briefed"})
        self.deck = self.write("/library/decks/new", {
            "title": "Day shapes", "front": "Two cones, points together", "back": "Fishing"})

    def path(self):
        """The path below the app's."""
        path = urllib.parse.urlsplit(self.driver.current_url).path
        return path.removeprefix(self.test.host.app)

    def tick(self, number):
        self.test.item(self.driver, number).click()
        self.test.wait(self.driver, lambda d: self.test.is_ticked(d, number))

    def write(self, path, fields):
        """Fills in the form of something new, and returns where it then is."""
        self.driver.get(self.test.host.url(path))
        for name, text in fields.items():
            self.test.find(self.driver, f"[name={name}], [name$='.{name}']").send_keys(text)
        self.test.find(self.driver, ".button.primary").send_keys(Keys.ENTER)
        self.test.wait(self.driver, lambda d: not self.path().endswith("/new"))
        return self.path()

    def pages(self):
        """The path of every page, by a name."""
        return {
            "home": "/", "charters": "/charters", "charters-past": "/charters?filter=past",
            "charters-none-found": "/charters?q=nothing", "new-charter": "/charters/new",
            "charter": self.charter, "edit-charter": f"{self.charter}/edit",
            "report": f"{self.charter}/report", "checklist": self.checklist,
            "crew": self.charter.replace("/charters/", "/members/charter/"), "join": "/join/charter", "history": self.history,
            "charter-history": self.charter.replace("/charters/", "/history/charter/"),
            "library": "/library", "guides": "/library?part=guides",
            "decks": "/library?part=decks", "template": self.template,
            "editor": f"{self.template}/edit", "new-checklist": "/library/checklists/new",
            "guide": self.guide, "guide-editor": f"{self.guide}/edit",
            "new-guide": "/library/guides/new", "deck": self.deck,
            "deck-editor": f"{self.deck}/edit", "new-deck": "/library/decks/new",
            "study": f"{self.deck}/study", "profile": "/profile", "account": "/profile/account",
            "sync": "/profile/sync", "settings": "/settings",
            "about": "/about", "link": "/open", "unknown-link": "/open?link=anyfleet://nowhere",
            "not-found": "/charters/00000000-0000-0000-0000-000000000000",
        }
