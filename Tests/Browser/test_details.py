"""Small parts of the look that a user would trip over."""

import json
import unittest
import urllib.request

from browsers import DESKTOP, PHONE
from pages import AnyfleetTestCase


def luminance(colour):
    """The relative luminance of a colour such as `rgb(1, 2, 3)`, by WCAG 2."""
    parts = [int(part) / 255 for part in colour[colour.index("(") + 1:-1].split(",")[:3]]
    linear = [part / 12.92 if part <= .04045 else ((part + .055) / 1.055) ** 2.4 for part in parts]
    return sum(share * part for share, part in zip((.2126, .7152, .0722), linear))


def contrast(first, second):
    darker, lighter = sorted((luminance(first), luminance(second)))
    return (lighter + .05) / (darker + .05)


class DetailTests(AnyfleetTestCase):
    def style(self, driver, selector, name, part=None):
        return driver.execute_script(
            "return getComputedStyle(document.querySelector(arguments[0]), arguments[2])[arguments[1]]",
            selector, name, part)

    def open_new_checklist(self, name, **options):
        driver = self.open("/", **options)
        self.create_charter(driver, name)
        self.open_checklist(driver)
        self.wait_for_stream(driver)
        return driver

    def test_a_tick_stays_in_its_circle_if_texts_are_twice_as_large(self):
        driver = self.open_new_checklist("Large texts")
        share = lambda: self.find(driver, ".tick").size["width"] / float(
            self.style(driver, ".tick", "fontSize", "::before").removesuffix("px"))
        before = share()
        driver.execute_script("document.documentElement.style.fontSize = '32px'")
        self.assertAlmostEqual(share(), before, delta=.1)
        self.assertGreater(share(), 1)

    def test_a_switch_can_be_seen_in_the_dark(self):
        # By a button with the class of a switch, because few pages have one.
        for dark in (False, True):
            for is_on in (False, True):
                with self.subTest(dark=dark, is_on=is_on):
                    driver = self.open("/profile/sync", dark=dark)
                    driver.execute_script(
                        "const button = document.createElement('button'); button.className = 'switch';"
                        "button.style.transition = 'none';"
                        f"button.setAttribute('aria-checked', '{str(is_on).lower()}');"
                        "document.querySelector('main').append(button)")
                    knob = self.style(driver, ".switch", "backgroundColor", "::after")
                    track = self.style(driver, ".switch", "backgroundColor")
                    self.assertGreaterEqual(contrast(knob, track), 3, (knob, track))

    def test_a_notice_lets_taps_through_to_what_it_covers(self):
        driver = self.open_new_checklist("Taps through")
        self.remark(driver, 0, "Two are torn", "damaged")
        self.wait(driver, lambda d: self.find(d, "#notice").text)
        hit = lambda selector: driver.execute_script(
            "const {left, top, width, height} = document.querySelector(arguments[0]).getBoundingClientRect();"
            "const hit = document.elementFromPoint(left + width / 2, top + height / 2);"
            "return [Boolean(hit.closest('.notice')), hit.id]", selector)
        self.assertEqual(hit("#notice")[0], False)
        self.assertEqual(hit("#dismiss")[1], "dismiss")
        self.find(driver, "#dismiss").click()
        self.wait(driver, lambda d: not self.find(d, "#notice").text)

    def test_a_page_without_a_scrollbar_is_as_wide_as_one_with_it(self):
        driver = self.open("/about", size=DESKTOP)
        left = lambda: self.find(driver, "main").rect["x"]
        before = left()
        has_scrollbar = "return document.documentElement.scrollHeight > innerHeight"
        self.assertFalse(driver.execute_script(has_scrollbar))
        driver.execute_script("document.querySelector('main').style.minHeight = '3000px'")
        self.assertTrue(driver.execute_script(has_scrollbar))
        self.assertEqual(left(), before)

    def test_an_app_has_a_mark_a_manifest_and_a_colour_of_its_frame(self):
        driver = self.open("/")
        links = {name: self.find(driver, f"link[rel={name}]").get_attribute("href")
                 for name in ("icon", "manifest")}
        cookies = "; ".join(f"{each['name']}={each['value']}" for each in driver.get_cookies())

        def fetch(address):
            request = urllib.request.Request(address, headers={"Cookie": cookies})
            with urllib.request.urlopen(request) as answer:
                return answer.headers["Content-Type"], answer.read()

        kind, icon = fetch(links["icon"])
        self.assertTrue(kind.startswith("image/svg+xml"), kind)
        self.assertIn(b"<svg", icon)
        _, manifest = fetch(links["manifest"])
        manifest = json.loads(manifest)
        self.assertEqual(manifest["name"], "Anyfleet")
        self.assertTrue(manifest["icons"])
        colours = [each.get_attribute("content") for each in self.find_all(driver, "meta[name=theme-color]")]
        self.assertEqual(len(set(colours)), 2)

    def test_all_tables_of_a_report_have_their_columns_at_the_same_places(self):
        driver = self.open("/", size=DESKTOP)
        self.create_charter(driver, "Two tables")
        charter = driver.current_url
        for number in (0, 1):
            driver.get(charter)
            self.open_checklist(driver, number)
            self.item(driver, number).click()
            self.wait(driver, lambda d: self.is_ticked(d, number))
        driver.get(f"{charter}/report")
        self.wait(driver, lambda d: len(self.find_all(d, ".report table")) > 1)
        places = {tuple(round(head.get_property("offsetLeft")) for head in self.find_all(driver, heads))
                  for heads in [f".report:nth-of-type({number}) thead th" for number in (1, 2)]}
        self.assertEqual(len(places), 1, places)

    def test_the_question_of_a_reset_is_above_the_parts_of_the_app(self):
        driver = self.open_new_checklist("Reset me")
        driver.execute_script("window.scrollTo(0, document.body.scrollHeight)")
        self.find(driver, "#reset button").click()
        self.wait(driver, lambda d: self.find_all(d, "#reset .destructive"))
        bottom = lambda selector: driver.execute_script(
            "return document.querySelector(arguments[0]).getBoundingClientRect().bottom", selector)
        top = driver.execute_script("return document.querySelector('.navigation').getBoundingClientRect().top")
        self.wait(driver, lambda d: bottom("#reset .destructive") <= top)

    def test_the_number_of_guests_stands_beside_another_fact(self):
        driver = self.open("/", size=DESKTOP)
        self.create_charter(driver, "Guests", vessel="Alma", destination="Biograd", region="Dalmatia")
        driver.get(f"{driver.current_url}/report")
        self.wait(driver, lambda d: self.find_all(d, ".facts"))
        rows = [each.rect["y"] for each in self.find_all(driver, ".facts > div")]
        self.assertTrue(all(rows.count(row) > 1 for row in rows), rows)


class EmptyTests(AnyfleetTestCase):
    def test_an_empty_list_proposes_a_first_charter(self):
        driver = self.open("/charters", size=PHONE)
        self.assertIn("first charter", self.find(driver, "#main").text)


if __name__ == "__main__":
    unittest.main()
