"""The documentation is built from catalogs whose links are changed, and fails with each problem of theirs."""

import importlib.machinery
import importlib.util
import json
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "Scripts" / "docs"
loader = importlib.machinery.SourceFileLoader("docs", str(SCRIPT))
docs = importlib.util.module_from_spec(importlib.util.spec_from_loader("docs", loader))
loader.exec_module(docs)


class DocsTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name).resolve()
        self.write("Sources/Boats/Boats.docc/Boats.md", "# ``Boats``\n")
        self.write("Sources/Boats/Boats.docc/Rigs.md", "# Rigs\n\n## A sloop's sail\n")
        self.write("Sources/Harbors/Harbors.docc/Harbors.md", "# ``Harbors``\n")
        self.write("Sources/Harbors/Harbors.docc/Berths.md", "# Berths\n\n## Prices\n")

    def write(self, path, text=""):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def changed(self, text):
        """A text of the catalog of boats as `docc` reads it, and the problems."""
        self.write("Sources/Boats/Boats.docc/Sails.md", text)
        catalog = docs.Catalog(self.root, "Boats")
        catalog.copy(self.root / "copy")
        return (self.root / "copy/Sails.md").read_text(), catalog.problems

    def assert_changed(self, text, expected):
        self.assertEqual(self.changed(text), (expected, []))

    def test_links_to_articles_lead_to_their_pages(self):
        self.assert_changed("See [the rigs](Rigs.md).\n", "See [the rigs](doc:Rigs).\n")
        self.assert_changed("- [Rigs](Rigs.md)\n- ``Boat``\n", "- <doc:Rigs>\n- ``Boat``\n")
        self.assert_changed("- [Rigs](Rigs.md) of boats\n", "- [Rigs](doc:Rigs) of boats\n")
        self.assert_changed(
            "[Sail](Rigs.md#a-sloops-sail)\n", "[Sail](doc:Rigs#A-sloops-sail)\n")

    def test_links_to_other_modules_lead_to_their_pages(self):
        folder = "../../Harbors/Harbors.docc"
        self.assert_changed(
            f"[Harbors]({folder}/Harbors.md), [prices]({folder}/Berths.md#prices)\n",
            "[Harbors](/documentation/harbors), [prices](/documentation/harbors/berths#Prices)\n")

    def test_links_to_other_files_are_their_texts(self):
        self.write("Docs/Decision.md")
        self.assert_changed("See [a decision](../../../Docs/Decision.md).\n", "See a decision.\n")

    def test_code_and_addresses_stay(self):
        text = "`[a](b.md)`\n\n```swift\nlet a = [b](c.md)\n```\n\n[Site](https://example.org/a.md)\n"
        self.assert_changed(text, text)

    def test_pictures_lie_in_the_catalog(self):
        self.write("Sources/Boats/Boats.docc/boat.svg", "<svg/>")
        self.assert_changed("![A boat](boat.svg)\n", "![A boat](boat.svg)\n")
        self.assertEqual((self.root / "copy/boat.svg").read_text(), "<svg/>")
        self.write("Docs/boat.svg")
        self.assertEqual(
            self.changed("![A boat](../../../Docs/boat.svg)\n")[1],
            ["Sources/Boats/Boats.docc/Sails.md:1: move the picture ../../../Docs/boat.svg into the catalog."])

    def test_links_to_nothing_are_problems_with_their_places(self):
        self.assertEqual(self.changed("# Sails\n\n[No](Masts.md) [none](Rigs.md#masts)\n")[1], [
            "Sources/Boats/Boats.docc/Sails.md:3: Masts.md does not exist.",
            "Sources/Boats/Boats.docc/Sails.md:3: Rigs.md has no heading masts.",
        ])

    def test_a_module_has_a_landing_page(self):
        (self.root / "Sources/Boats/Boats.docc/Boats.md").unlink()
        self.assertEqual(
            self.changed("# Sails\n")[1], ["Sources/Boats: Boats.docc/Boats.md is missing."])

    def test_warnings_are_problems_except_for_undocumented_parameters(self):
        report = {"diagnostics": [
            {"summary": "Parameter 'sail' is missing documentation", "severity": "warning"},
            {"summary": "'Mast' doesn't exist at '/Boats'", "severity": "warning",
             "source": f"file://{self.root}/.build/docs/catalogs/Boats.docc/Rigs.md",
             "range": {"start": {"line": 7}}, "solutions": [{"summary": "Replace 'Mast' with 'Sail'"}]},
            {"summary": "Parameter 'rig' not found", "severity": "warning",
             "source": f"file://{self.root}/Sources/Boats/Boat.swift", "range": {"start": {"line": 3}}},
        ]}
        self.assertEqual(list(docs.warnings(report, self.root, self.root / ".build/docs")), [
            "Sources/Boats/Boats.docc/Rigs.md:7: 'Mast' doesn't exist at '/Boats'. "
            "Replace 'Mast' with 'Sail'.",
            "Sources/Boats/Boat.swift:3: Parameter 'rig' not found.",
        ])

    def test_missing_pages_are_problems(self):
        def page(path, role, kind="", **content):
            self.write(f"site/data/documentation/{path}.json", json.dumps(
                {"metadata": {"role": role, "symbolKind": kind}, **content}, separators=(",", ":")))

        self.write("graphs/Boats/Boats.symbols.json", json.dumps({"symbols": [
            {"kind": {"identifier": kind}} for kind in ("swift.struct", "swift.method", "swift.extension")]}))
        page("boats", "collection")
        page("boats/boat", "symbol", "struct")
        page("boats/swift/int", "symbol", "extension")
        page("boats/rigs", "article", references={"a": {"url": "/documentation/boats/masts"}})
        site, graphs = self.root / "site", self.root / "graphs"
        self.assertEqual(list(docs.check_pages(site, graphs, ["Boats"])), [
            "Boats: 2 declarations have 1 pages.",
            "data/documentation/boats/rigs.json: no page /documentation/boats/masts.",
        ])
        page("boats/boat/sail()", "symbol", "method")
        page("boats/masts", "article")
        self.assertEqual(list(docs.check_pages(site, graphs, ["Boats"])), [])


if __name__ == "__main__":
    unittest.main()
