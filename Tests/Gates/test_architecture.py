"""The picture of the architecture has the modules and arrows of Scripts/check-imports."""

import importlib.machinery
import importlib.util
import pathlib
import re
import unittest
import xml.etree.ElementTree as ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
PICTURE = ROOT / "Sources/Offshore/Offshore.docc/architecture.svg"
SVG = "{http://www.w3.org/2000/svg}"
# The module that every other may use has no arrows, and modules that are not public are not shown.
OPEN, INTERNAL = {"OffshoreLogging"}, {"OffshoreFileAccess", "OffshoreJSON", "OffshoreProcesses"}
TOOL, APP = "offshore", "app"
# Modules of declarations alone, which name no library.
WITHOUT_LIBRARY = {"CPixels", "CSandbox", "CSpawn"}
LIBRARIES = {
    "CCurl": "libcurl", "CSQLite": "SQLite", "CMicroHTTPD": "libmicrohttpd", "CPostgreSQL": "libpq",
    "CQREncode": "libqrencode", "CSodium": "libsodium", "CZlib": "zlib",
}

loader = importlib.machinery.SourceFileLoader("check_imports", str(ROOT / "Scripts/check-imports"))
check_imports = importlib.util.module_from_spec(importlib.util.spec_from_loader("check_imports", loader))
loader.exec_module(check_imports)


def modules():
    """The public modules that exist."""
    return {folder.name for folder in (ROOT / "Sources").glob("Offshore*")} - INTERNAL


class Box:
    def __init__(self, group):
        rectangle = group.find(SVG + "rect")
        x, y, width, height = (float(rectangle.get(name)) for name in ("x", "y", "width", "height"))
        self.left, self.right, self.top, self.bottom = x, x + width, y, y + height
        self.texts = [text.text for text in group.iter(SVG + "text")]


class ArchitectureTests(unittest.TestCase):
    def setUp(self):
        picture = ElementTree.parse(PICTURE).getroot()
        self.boxes = {group.get("id"): Box(group) for group in picture.iter(SVG + "g") if group.get("id")}
        self.arrows = {}
        for path in picture.iter(SVG + "path"):
            if path.get("id"):
                source, target = path.get("id").split("-")
                line = re.fullmatch(r"M(\d+) (\d+)V(\d+)", path.get("d"))
                self.assertIsNotNone(line, path.get("id"))
                self.arrows[source, target] = tuple(map(int, line.groups()))

    def test_each_public_module_is_a_box_with_its_name(self):
        self.assertEqual(set(self.boxes), modules() | {TOOL, APP})
        for name, box in self.boxes.items():
            if name != APP:
                self.assertEqual(box.texts[0], name)

    def test_the_arrows_are_those_that_are_allowed(self):
        public = modules()
        expected = {(module, target) for module in public
                    for target in check_imports.ARROWS[module] if target in public}
        found = {arrow for arrow in self.arrows if arrow[0] in public}
        self.assertEqual(found, expected)
        self.assertEqual({target for source, target in self.arrows if source == TOOL}, {"OffshoreServer"})
        for source, target in self.arrows:
            if source == APP:
                self.assertIn(target, public)

    def test_each_box_names_the_libraries_of_its_module(self):
        for module in modules():
            text = self.boxes[module].texts[1]
            expected = [LIBRARIES[name] for name in check_imports.ARROWS[module]
                        if name in check_imports.C_LIBRARIES - WITHOUT_LIBRARY
                        and (ROOT / "Sources/System" / name).exists()]
            found = text.partition(" · ")[2]
            self.assertEqual(sorted(found.split(", ")) if found else [], sorted(expected), module)

    def test_each_arrow_points_down_from_its_box_to_the_other_and_through_none(self):
        for (source, target), (x, start, end) in self.arrows.items():
            with self.subTest(source=source, target=target):
                for box in (self.boxes[source], self.boxes[target]):
                    self.assertTrue(box.left < x < box.right)
                self.assertEqual((start, end), (self.boxes[source].bottom, self.boxes[target].top))
                self.assertLess(start, end)
                for name, box in self.boxes.items():
                    self.assertFalse(box.left < x < box.right and start < box.top and box.bottom < end, name)

    def test_no_box_lies_over_another(self):
        boxes = sorted(self.boxes.items())
        for index, (name, box) in enumerate(boxes):
            for other, beside in boxes[index + 1:]:
                self.assertTrue(box.right < beside.left or beside.right < box.left
                                or box.bottom < beside.top or beside.bottom < box.top, f"{name}, {other}")

    def test_open_modules_have_no_arrows(self):
        for source, target in self.arrows:
            self.assertFalse({source, target} & OPEN)


if __name__ == "__main__":
    unittest.main()
