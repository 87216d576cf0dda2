"""The actions of people who write to each other on the pages of MessAI, each on a device of their own."""

import pathlib
import struct
import tempfile
import zlib

from people import PeopleTestCase

# Notes when a message is on the page, by the clock that all browsers share.
WATCH = """
const wanted = arguments[0];
window.seen = new Promise(see => new MutationObserver((_, observer) => {
  if (![...document.querySelectorAll('.bubble .text')].some(({textContent}) => textContent === wanted)) return;
  observer.disconnect();
  see(Date.now());
}).observe(document.querySelector('main'), {subtree: true, childList: true, characterData: true}));
"""
# Types a message, sends it, and returns the time of that.
WRITE = """
const field = document.getElementById('field-text');
field.value = arguments[0];
field.dispatchEvent(new Event('input', {bubbles: true}));
const clicked = Date.now();
document.querySelector('.send').click();
return clicked;
"""
# Sends messages one after the other, as forms without a page.
FILL = """
const [address, texts, done] = arguments;
(async () => {
  for (const text of texts) {
    const body = new URLSearchParams({action: 'send', text});
    await fetch(address, {method: 'POST', body, redirect: 'manual'});
  }
  done();
})();
"""
# The visible messages, each with the pixels above it.
PLACES = """
return Object.fromEntries([...document.querySelectorAll('#window > .bubble')]
  .map(each => [each.id, each.getBoundingClientRect()])
  .filter(([, {bottom, top}]) => bottom > 0 && top < innerHeight).map(([id, {top}]) => [id, top]));
"""
# After two frames, the browser has made all corrections of its own.
FRAMES = "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done()));"
BELOW = "return document.documentElement.scrollHeight - innerHeight - scrollY"


class WritersTestCase(PeopleTestCase):
    app, kind = "/messai", "conversation"

    def path(self, driver):
        """The path of a page below that of the app, without the place in the list."""
        return driver.current_url.split("?")[0].split("#")[0].removeprefix(driver.host.url(""))

    def start(self, driver, name):
        """Makes a group by its form, and stays on its page."""
        driver.get(driver.host.url("/new"))
        self.find(driver, "#field-name").send_keys(name)
        self.find(driver, "#new-form .button.primary").click()
        self.wait(driver, lambda d: self.find(d, "#heading").text == name)
        return driver.current_url

    def two_people(self, name):
        """Two people with a conversation that is open on both devices."""
        number = type(self).__dict__.get("people", 0) + 1
        type(self).people = number
        anna, ben = self.person(f"anna{number}"), self.person(f"ben{number}")
        conversation = self.start(anna, name)
        code = self.invite(anna, conversation, "editor")
        self.join(ben, code, name)
        anna.get(conversation)
        for driver in (anna, ben):
            self.wait(driver, lambda d: self.find_all(d, "#field-text"), seconds=30)
            self.wait_for_stream(driver)
        return anna, ben

    def make_viewer(self, driver, conversation, name):
        """Lets a member only read a conversation from now on."""
        driver.get(self.crew(conversation))
        self.wait(driver, lambda d: name in self.find(d, "#main").text, seconds=30)
        member = next(each for each in self.find_all(driver, "details.manage")
                      if name in each.find_element("css selector", "summary").get_attribute("aria-label"))
        self.within(member, "summary")[0].click()
        self.within(member, "option[value=viewer]")[0].click()
        self.within(member, "[value=set-role]")[0].click()
        self.wait(driver, lambda d: any(each.text == "Viewer" for each in self.find_all(d, ".badge")))

    def refuse(self, anna, ben, name):
        """A conversation of two in which Anna may only read since she has written a message, which failed."""
        conversation = self.start(ben, name)
        self.join(anna, self.invite(ben, conversation, "editor"), name)
        path = self.path(anna)
        self.wait(anna, lambda d: self.find_all(d, "#field-text"), seconds=30)
        self.wait_for_stream(anna)
        self.switch_airplane_mode(anna, True)
        self.write(anna, "Too late")
        self.make_viewer(ben, conversation, anna.person)
        self.switch_airplane_mode(anna, False)
        self.wait(anna, lambda d: "Not sent" in self.status(d, "Too late"), seconds=60)
        return path

    # Messages.

    def texts(self, driver):
        """The texts of the messages on the page, in order."""
        return driver.execute_script(
            "return [...document.querySelectorAll('#window .bubble .text')].map(each => each.textContent)")

    def bubble(self, driver, text):
        """The message with a text."""
        return next(each for each in self.find_all(driver, "#window .bubble")
                    if any(part.text == text for part in self.within(each, ".text")))

    def within(self, element, selector):
        return element.find_elements("css selector", selector)

    def status(self, driver, text):
        """The words below an own message."""
        return self.within(self.bubble(driver, text), ".foot")[0].text

    def wait_for_text(self, driver, text):
        self.wait(driver, lambda d: text in self.texts(d), seconds=30)

    def write(self, driver, text):
        """Sends a message by the form of the page."""
        self.find(driver, "#field-text").send_keys(text)
        self.find(driver, ".send").click()
        self.wait(driver, lambda d: self.texts(d)[-1:] == [text])

    def delay(self, first, second, text):
        """Sends a message, and returns after how many milliseconds the other page showed it."""
        for driver in (first, second):
            driver.execute_async_script("requestIdleCallback(arguments[0], {timeout: 1000})")
        second.execute_script(WATCH, text)
        clicked = first.execute_script(WRITE, text)
        return second.execute_async_script("window.seen.then(arguments[0]);") - clicked

    def fill(self, driver, conversation, texts):
        """Sends many messages."""
        driver.get(driver.host.url("/about"))
        driver.set_script_timeout(120)
        driver.execute_async_script(FILL, conversation, texts)

    def open_menu(self, driver, text):
        """Opens the menu of a message, and returns it."""
        self.within(self.bubble(driver, text), ".icon-button")[0].click()
        menu = self.within(self.bubble(driver, text), ".sheet")[0]
        self.wait(driver, lambda d: menu.is_displayed())
        return menu

    def reply(self, driver, text, answer):
        """Answers a message."""
        self.within(self.open_menu(driver, text), "[value=reply]")[0].click()
        self.wait(driver, lambda d: text in self.find(d, "#replying").text)
        self.write(driver, answer)
        self.wait(driver, lambda d: not self.find_all(d, "#replying"))

    # Photos.

    def file(self, name, content):
        folder = tempfile.TemporaryDirectory(prefix="offshore-photos-")
        self.addCleanup(folder.cleanup)
        file = pathlib.Path(folder.name) / name
        file.write_bytes(content)
        return str(file)

    def photo(self, width=640, height=480):
        """The file of a picture with stripes."""
        def chunk(kind, data):
            body = kind + data
            return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))
        lines = b"".join(b"\0" + bytes([y % 256, 90, 140]) * width for y in range(height))
        return self.file("photo.png", b"\x89PNG\r\n\x1a\n" + chunk(
            b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) + chunk(
            b"IDAT", zlib.compress(lines)) + chunk(b"IEND", b""))

    def choose(self, driver, file):
        """Chooses a file in the form."""
        if not self.find(driver, "#field-image").is_displayed():
            self.find(driver, "#attach > summary").click()
        self.find(driver, "#field-image").send_keys(file)

    def send_photo(self, driver, text):
        self.choose(driver, self.photo())
        self.write(driver, text)

    def wait_for_photo(self, driver):
        """Waits until the page shows the picture of a message."""
        shown = "const [img] = document.querySelectorAll('.bubble img'); return img?.naturalWidth > 0"
        self.wait(driver, lambda d: d.execute_script(shown), seconds=30)

    # Places.

    def places(self, driver):
        driver.execute_async_script(FRAMES)
        return driver.execute_script(PLACES)

    def below(self, driver):
        """The pixels between the lower edge of the window and the end of the page."""
        driver.execute_async_script(FRAMES)
        return driver.execute_script(BELOW)

    def scroll(self, driver, top):
        """Scrolls, and returns after the page has noticed."""
        driver.execute_async_script(
            "const done = arguments[1]; addEventListener('scroll', () => done(), {once: true});"
            "scrollTo(0, arguments[0])", top)

    def assert_kept(self, before, after):
        """The messages that were visible have the same places."""
        self.assertTrue(before)
        for row, top in before.items():
            self.assertIn(row, after)
            self.assertAlmostEqual(after[row], top, delta=1, msg=row)
