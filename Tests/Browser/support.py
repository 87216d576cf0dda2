"""A real host, a real browser, and the accessibility rules, for the tests of the pages."""

import http.server
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import unittest

from selenium.common.exceptions import (
    NoSuchElementException, StaleElementReferenceException, WebDriverException)
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from browsers import browser

ROOT = pathlib.Path(__file__).resolve().parents[2]
AXE = next((ROOT / ".build/browser/lib").glob(
    "python3*/site-packages/axe_playwright_python/axe.min.js")).read_text()
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
LEFT = ("does not belong to the document", "aborted by navigation")


class Host:
    """The host of the apps as a process with a home of its own."""

    program = "offshore-apps"
    # What the host runs: one device unless stated.
    arguments = []
    # The path of the app that is tested.
    app = "/anyfleet"
    # The folder of the built programs, or `None` for OFFSHORE_BIN.
    programs = None

    def __init__(self):
        self.home = tempfile.mkdtemp(prefix="offshore-home-")
        self.port = 0
        self.start()

    def start(self):
        """Starts it, at the port that it had before, and reads the address that it prints."""
        program = pathlib.Path(self.programs or os.environ["OFFSHORE_BIN"]) / self.program
        self.process = subprocess.Popen(
            [str(program), *self.arguments, "--home", self.home, "--port", str(self.port)],
            stdout=subprocess.PIPE, text=True)
        for line in self.process.stdout:
            found = re.search(r"http://127\.0\.0\.1:(\d+)/\S*", line)
            if found:
                self.address, self.port = found[0], int(found[1])
                return
        raise AssertionError("The host printed no address.")

    def url(self, path):
        return f"http://127.0.0.1:{self.port}{self.app}{path}"

    def end(self, number=signal.SIGTERM):
        """Ends it by a signal and returns its status."""
        self.process.send_signal(number)
        status = self.process.wait(timeout=20)
        self.process.stdout.close()
        return status

    def remove(self):
        if self.process.poll() is None:
            self.end(signal.SIGKILL)
        shutil.rmtree(self.home, ignore_errors=True)


class SyncServer:
    """The server of a program's apps, as its command runs it: of the only one, or of those that are named."""

    def __init__(self, program, *apps):
        self.program, self.apps = program, apps
        self.folder = tempfile.TemporaryDirectory(prefix="offshore-server-")
        self.start()

    def start(self, programs=None, port=0):
        """Starts it with the programs of a folder, by default those of OFFSHORE_BIN."""
        programs = pathlib.Path(programs or os.environ["OFFSHORE_BIN"])
        if self.apps:
            data = ["--data", self.folder.name]
            for app in self.apps:
                data += ["--app", f"{app}={self.manifest(programs, app)}"]
        else:
            data = ["--data", f"{self.folder.name}/data.sqlite", "--manifest", self.manifest(programs)]
        self.process = subprocess.Popen(
            [str(programs / "offshore"), "serve", *data, "--listen", f"127.0.0.1:{port}", "--open-sign-up", "yes"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.address = re.search(r"http://\S+", self.process.stdout.readline())[0]

    def manifest(self, programs, *app):
        """The file of an app's synced tables."""
        file = pathlib.Path(self.folder.name) / "-".join([*app, "manifest.json"])
        file.write_bytes(subprocess.check_output([str(programs / self.program), "manifest", *app]))
        return str(file)

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(timeout=20)
        self.process.stdout.close()

    def remove(self):
        self.end()
        self.folder.cleanup()


class FailingServer:
    """Answers everything at the port of a host that has ended with a page that says it failed."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(503)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(b"<!doctype html><title>Failed</title><main id=main>Failed</main>")
            self.server.paths.append(self.path)

        do_POST = do_GET

        def log_message(self, *arguments):
            pass

    def __init__(self, port):
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", port), self.Handler)
        self.server.paths = self.paths = []
        self.thread = threading.Thread(target=self.server.serve_forever)
        self.thread.start()

    def end(self):
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()


class BrowserTestCase(unittest.TestCase):
    """A test with a host and an authenticated browser."""

    @classmethod
    def setUpClass(cls):
        cls.host = Host()
        cls.addClassCleanup(cls.host.remove)

    def open(self, path="/", **options):
        """A browser at a page, signed in by the address that the host printed."""
        driver = browser(**options)
        self.addCleanup(driver.quit)
        driver.get(self.host.address)
        driver.get(self.host.url(path))
        return driver

    def wait(self, driver, condition, seconds=10):
        """Waits for a condition of the page."""
        # An element may be replaced between being found and being asked, and the whole page too.
        passing = [StaleElementReferenceException, NoSuchElementException]
        waiting = WebDriverWait(driver, seconds, poll_frequency=0.01, ignored_exceptions=passing)

        def is_met(driver):
            try:
                return condition(driver)
            except WebDriverException as error:
                # What Chromium's driver says where the page is left while it is asked.
                if any(said in str(error.msg) for said in LEFT):
                    return False
                raise
        return waiting.until(is_met)

    def reopen(self, driver, address):
        """Opens a page after the host was started again, which ends the cookie: the script gets the next one by the
        token that the browser stores, and loads the page again."""
        driver.get(address)
        self.wait(driver, lambda d: not self.find_all(d, "[data-locked]")
                  and d.execute_script("return document.readyState") == "complete")

    def wait_for_stream(self, driver):
        """Waits until the page receives changes."""
        self.wait(driver, lambda d: d.execute_script(
            "return page.source?.readyState === EventSource.OPEN"))

    def notice(self, driver):
        """The text of the page's polite live region."""
        notice = self.find(driver, "#notice")
        self.assertEqual(notice.get_attribute("aria-live"), "polite")
        return notice.text

    def press(self, driver, key):
        driver.switch_to.active_element.send_keys(key)

    def focused(self, driver, name):
        return driver.execute_script(
            "const e = document.activeElement; return e.getAttribute(arguments[0]) ?? e[arguments[0]] ?? ''",
            name)

    def reach(self, driver, is_there, backwards=False, most=60):
        """Presses the tabulator until the focus is somewhere."""
        for _ in range(most):
            if is_there():
                return
            self.press(driver, Keys.SHIFT + Keys.TAB if backwards else Keys.TAB)
        self.fail("The keyboard does not reach it.")

    def find(self, driver, selector):
        return driver.find_element(By.CSS_SELECTOR, selector)

    def find_all(self, driver, selector):
        return driver.find_elements(By.CSS_SELECTOR, selector)

    def assert_accessible(self, driver, part=None):
        """Runs axe on the page as it is, or on a part of it.

        A part that floats above a page may cover half of a button, until a user scrolls.
        """
        if not driver.execute_script("return 'axe' in window"):
            driver.execute_script(AXE)
        found = driver.execute_async_script(
            "const done = arguments[arguments.length - 1];"
            # What is framed is a page of its own, with its own tests.
            "const options = {runOnly: arguments[0], resultTypes: ['violations'], iframes: false};"
            "axe.run(arguments[1] ?? document, options).then(({violations}) => done(violations.flatMap("
            "  ({id, nodes}) => nodes.map(({html}) => `${id}: ${html.slice(0, 160)}`))),"
            "  error => done([`${error}`]));",
            RULES, part)
        self.assertEqual(found, [], driver.current_url)

    def assert_quiet(self, driver):
        """The page has reported no error: a refused script, a missing file, an exception."""
        severe = [each["message"] for each in driver.get_log("browser")
                  if each["level"] == "SEVERE"]
        self.assertEqual(severe, [])
