"""The coverage gate judges modules by their own files alone."""

import json
import subprocess
import tempfile
import unittest
from pathlib import Path

GATE = Path(__file__).resolve().parents[2] / "Scripts" / "coverage"


class CoverageTests(unittest.TestCase):
    def run_gate(self, covered, source_lines=10, test_lines=10):
        """Runs the gate on `Offshore` with 100 measured lines, and a module that has none."""
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            targets = []
            for name, path, kind, lines in [
                ("Offshore", "Sources/Offshore", "library", source_lines),
                ("OffshoreTests", "Tests/OffshoreTests", "test", test_lines),
                ("OffshoreLogging", "Sources/OffshoreLogging", "library", 3),
            ]:
                (root / path).mkdir(parents=True)
                (root / path / "File.swift").write_text("line\n" * lines)
                targets.append(
                    {"name": name, "path": path, "type": kind, "sources": ["File.swift"]})
            files = {
                f"{root}/Sources/Offshore/File.swift": covered,
                f"{root}/Tests/OffshoreTests/File.swift": 0,
                f"{root}/.build/runner.swift": 0,
            }
            codecov = {"data": [{"files": [
                {"filename": name, "summary": {"lines": {"count": 100, "covered": count}}}
                for name, count in files.items()]}]}
            (root / "description.json").write_text(
                json.dumps({"path": str(root), "targets": targets}))
            (root / "codecov.json").write_text(json.dumps(codecov))
            return subprocess.run(
                [str(GATE), "--description", str(root / "description.json"),
                 str(root / "codecov.json")], capture_output=True, text=True)

    def test_enough_passes_and_prints_each_module(self):
        result = self.run_gate(covered=80)
        self.assertEqual((result.returncode, result.stderr), (0, ""), result.stdout)
        self.assertRegex(result.stdout, r"Offshore +100 +80\.0 % +1\.00")
        self.assertRegex(result.stdout, r"OffshoreLogging +– +– +0\.00")
        self.assertNotIn("OffshoreTests", result.stdout)

    def test_too_little_coverage_fails(self):
        result = self.run_gate(covered=79)
        self.assertEqual(result.returncode, 1)
        self.assertIn("Offshore: 79.0 % of its lines", result.stdout)

    def test_too_few_tests_fail(self):
        result = self.run_gate(covered=100, test_lines=9)
        self.assertEqual(result.returncode, 1)
        self.assertIn("Offshore: 0.90 lines of tests per line of source", result.stdout)

    def test_without_a_measurement_it_fails(self):
        result = subprocess.run(
            [str(GATE), "--description", str(GATE), "/nowhere.json"], capture_output=True, text=True)
        self.assertEqual(result.returncode, 1)
        self.assertIn("nothing measured", result.stdout)


if __name__ == "__main__":
    unittest.main()
