"""The import gate catches what it is there to catch."""

import json
import subprocess
import tempfile
import unittest
from pathlib import Path

GATE = Path(__file__).resolve().parents[2] / "Scripts" / "check-imports"


def target(name, path, depends=(), kind="library", files=("File.swift",), products=()):
    return {
        "name": name, "c99name": name.replace("-", "_"), "path": path, "type": kind,
        "sources": list(files), "target_dependencies": list(depends),
        "product_dependencies": list(products),
    }


class CheckImportsTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)

    def check(self, targets, sources=None, manifest="\n"):
        """Runs the gate on a package made of these; files that are not given are empty."""
        (self.root / "Package.swift").write_text(manifest)
        for each in targets:
            for name in each["sources"]:
                file = self.root / each["path"] / name
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text((sources or {}).get(f"{each['path']}/{name}", ""))
        description = self.root / "description.json"
        description.write_text(json.dumps({"path": str(self.root), "targets": targets}))
        return subprocess.run(
            [str(GATE), "--description", str(description)], capture_output=True, text=True)

    def check_import(self, text, depends=("CSQLite",)):
        targets = [target("Offshore", "Sources/Offshore", depends), target("OffshoreFiles", "F")]
        return self.check(targets, {"Sources/Offshore/File.swift": text})

    def assert_passes(self, result):
        self.assertEqual((result.returncode, result.stderr), (0, ""), result.stdout)

    def assert_fails(self, result, *parts):
        self.assertEqual((result.returncode, result.stderr), (1, ""), result.stdout)
        self.assertEqual(len(result.stdout.splitlines()), 1, result.stdout)
        for part in parts:
            self.assertIn(part, result.stdout)

    # Imports against declared dependencies

    def test_declared_and_toolchain_modules_pass(self):
        self.assert_passes(self.check_import("public import CSQLite\nimport Foundation\n"))

    def test_an_undeclared_target_is_caught_at_its_line(self):
        self.assert_fails(
            self.check_import("import Foundation\n\nimport OffshoreFiles\n"),
            "Sources/Offshore/File.swift:3: imports OffshoreFiles", "does not declare")

    def test_every_form_of_import_is_seen(self):
        for form in [
            "public import OffshoreFiles", "package import OffshoreFiles",
            "@testable import OffshoreFiles", "@_spi(Inside) public import OffshoreFiles",
            "@testable\nimport OffshoreFiles", "import struct OffshoreFiles.Document",
            "#if os(Linux)\n  import OffshoreFiles\n#endif", "import Foundation; import OffshoreFiles",
        ]:
            with self.subTest(form):
                self.assert_fails(self.check_import(form), "imports OffshoreFiles")

    def test_comments_and_strings_are_no_imports(self):
        self.assert_passes(self.check_import(
            '// import OffshoreFiles\n/* \nimport OffshoreFiles\n*/\n'
            'let text = """\nimport OffshoreFiles\n"""\nlet quote = "\\""\n'))

    def test_lines_are_counted_past_comments_and_strings(self):
        self.assert_fails(
            self.check_import('/*\n\n*/\nlet text = """\n"""\nimport OffshoreFiles\n'),
            "File.swift:6:")

    def test_an_unknown_module_is_caught(self):
        self.assert_fails(self.check_import("import Alamofire"), "no target of this package")

    def test_testing_is_for_tests(self):
        self.assert_fails(self.check_import("import Testing"), "is for tests")
        tests = target("OffshoreTests", "Tests/OffshoreTests", kind="test")
        self.assert_passes(
            self.check([tests], {"Tests/OffshoreTests/File.swift": "import Testing"}))

    # Folders

    def check_folder(self, folder, text, kind="library"):
        path = "Apps/Anyfleet/Core" if kind == "library" else "Apps/Anyfleet/Tests"
        name = "Anyfleet" if kind == "library" else "AnyfleetTests"
        file = f"{folder}/File.swift"
        app = target(name, path, ["OffshoreCalendar", "OffshorePresentation"], kind, [file])
        others = [target("OffshoreCalendar", "C"), target("OffshorePresentation", "P"),
                  target("OffshoreWeb", "W")]
        return self.check([app, *others], {f"{path}/{file}": text})

    def test_domain_imports_foundation_and_the_calendar_alone(self):
        for module in ["Foundation", "OffshoreCalendar"]:
            self.assert_passes(self.check_folder("Domain/Charters", f"import {module}"))
        for module in ["OffshorePresentation", "Observation"]:
            self.assert_fails(
                self.check_folder("Domain/Charters", f"import {module}"),
                "Domain imports Foundation and OffshoreCalendar alone")

    def test_the_calendar_imports_foundation_alone(self):
        def check(text):
            calendar = target("OffshoreCalendar", "Sources/OffshoreCalendar", ["OffshoreLogging"])
            logging = target("OffshoreLogging", "L")
            return self.check([calendar, logging], {"Sources/OffshoreCalendar/File.swift": text})
        self.assert_passes(check("public import Foundation"))
        self.assert_fails(check("import OffshoreLogging"), "OffshoreCalendar imports Foundation alone")

    def test_folder_rules_are_not_for_tests(self):
        self.assert_passes(self.check_folder("Domain", "import Testing", kind="test"))

    def test_presentation_imports_no_web(self):
        self.assert_passes(self.check_folder("Presentation", "import OffshorePresentation"))
        result = self.check_folder("Presentation", "import OffshoreWeb")
        self.assertEqual(result.returncode, 1)
        self.assertIn("Apps/Anyfleet/Core/Presentation/File.swift:1", result.stdout)
        self.assertIn("Presentation knows no web", result.stdout)

    # Code that decides

    def check_engine(self, text):
        file = "Running/Engine/File.swift"
        engine = target("OffshoreSync", "Sources/OffshoreSync", ["OffshoreWire"], "library", [file])
        wire = target("OffshoreWire", "W")
        return self.check([engine, wire], {f"Sources/OffshoreSync/{file}": text})

    def test_the_engine_imports_nothing_but_messages(self):
        self.assert_passes(self.check_engine("import OffshoreWire"))
        self.assert_fails(self.check_engine("import Foundation"), "OffshoreWire alone")

    def test_the_engine_has_no_clock_and_draws_no_lots(self):
        for code in ["let now = ContinuousClock().now", "let delay = Int.random(in: 0..<9)"]:
            self.assert_fails(self.check_engine(code), "Let the caller pass in")
        self.assert_passes(self.check_engine("// Not Int.random(in: 0..<9)"))

    # Arrows

    def test_arrows_pass_downwards_also_over_several_steps(self):
        self.assert_passes(self.check([
            target("OffshoreSync", "Sources/OffshoreSync", ["Offshore", "OffshoreLogging"]),
            target("Anyfleet", "Apps/Anyfleet/Core", ["Offshore"]),
            target("AnyfleetWeb", "Apps/Anyfleet/Web", ["Anyfleet", "OffshorePresentation"]),
        ]))

    def test_an_arrow_upwards_is_caught_at_its_target(self):
        manifest = '.library(name: "Offshore")\n  .target(\n    name: "Offshore",\n'
        self.assert_fails(
            self.check([target("Offshore", "S", ["OffshoreSync"])], manifest=manifest),
            "Package.swift:3: Offshore must not depend on OffshoreSync")

    def test_a_c_library_is_for_its_own_module(self):
        self.assert_fails(
            self.check([target("OffshoreSync", "S", ["CSQLite"])]), "must not depend on CSQLite")

    def test_no_app_depends_on_another(self):
        self.assert_fails(
            self.check([target("MessAI", "Apps/MessAI/Core", ["UFree"])]),
            "MessAI must not depend on UFree")

    def test_tests_may_use_any_module_but_only_their_own_app(self):
        def tests(path, *depends):
            return self.check([target("SomeTests", path, depends, "test")])
        self.assert_passes(tests("Tests/SomeTests", "OffshoreServer", "OffshoreSync"))
        self.assert_passes(tests("Apps/UFree/Tests", "UFree", "UFreeWeb"))
        self.assert_passes(tests("Apps/Dock/Tests", "UFree", "MessAIWeb", "offshore-apps"))
        self.assert_fails(tests("Apps/UFree/Tests", "MessAI"), "must not depend on MessAI")
        self.assert_fails(tests("Tests/SomeTests", "MessAI"), "must not depend on MessAI")

    def test_a_target_outside_the_table_is_caught(self):
        self.assert_fails(self.check([target("OffshoreKit", "K")]), "not in the table")

    def test_a_package_dependency_is_caught(self):
        self.assert_fails(
            self.check([target("Offshore", "S", products=["Logging"])]), "package product Logging")


if __name__ == "__main__":
    unittest.main()
