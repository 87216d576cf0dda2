"""Headless browsers. A test gets one as good as new; the processes go from test to test."""

import atexit

from selenium import webdriver
from selenium.webdriver.remote.webelement import WebElement

PHONE, DESKTOP = (390, 844), (1280, 900)


class Element(WebElement):
    """An element that is brought into the middle before it is clicked.

    The driver brings it to the lower edge, where the bar of the app's parts lies over it.
    """

    def click(self):
        self.parent.execute_script(
            "const {top, bottom} = arguments[0].getBoundingClientRect();"
            "if (top < 60 || bottom > innerHeight - 80) arguments[0].scrollIntoView({block: 'center'});",
            self)
        super().click()


class Browser(webdriver.Chrome):
    """A browser process. Its start takes two seconds of processor time, a new tab half a second."""

    _web_element_cls = Element
    idle = []

    def __init__(self, javascript):
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage"):
            options.add_argument(argument)
        if not javascript:
            options.add_experimental_option(
                "prefs", {"profile.managed_default_content_settings.javascript": 2})
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        super().__init__(
            options=options, service=webdriver.ChromeService("/usr/bin/chromedriver"))
        self.javascript = javascript
        atexit.register(super().quit)

    def quit(self):
        """Leaves an empty tab to the next test, without what the pages stored: cookies and files."""
        if self in Browser.idle:
            return
        self.execute_cdp_cmd("Network.clearBrowserCookies", {})
        self.execute_cdp_cmd("Network.clearBrowserCache", {})
        used = self.window_handles
        self.switch_to.new_window("tab")
        empty = self.current_window_handle
        for window in used:
            self.switch_to.window(window)
            self.close()
        self.switch_to.window(empty)
        self.get_log("browser")
        Browser.idle.append(self)


def browser(size=PHONE, dark=False, javascript=True):
    """A browser with an empty tab, no cookies and an empty cache."""
    driver = next((each for each in Browser.idle if each.javascript == javascript), None)
    if driver:
        Browser.idle.remove(driver)
    else:
        driver = Browser(javascript)
    driver.set_window_size(*size)
    show_as(driver, size, dark)
    return driver


def show_as(driver, size, dark=False, forced=False):
    """Gives the window a size, and the page light or dark colours, or those that a user has forced."""
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": size == PHONE})
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [
        {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
        {"name": "forced-colors", "value": "active" if forced else "none"}]})
