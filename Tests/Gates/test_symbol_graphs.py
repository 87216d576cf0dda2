"""The symbols of a module's documentation are those that a user meets."""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "Scripts"))
import symbol_graphs  # noqa: E402

MODULE = """
public struct Shown: Equatable {
  public struct Nested {}
  @_documentation(visibility: internal) public func hidden() {}
  public init() {}
  func internalMember() {}
}
@_documentation(visibility: internal) public struct Hidden {
  public var property = 1
  public struct Nested {}
}
extension Hidden { public func member() {} }
@_documentation(visibility: internal) extension Shown { public func memberOfHiddenExtension() {} }
public protocol Requiring { func requirement() }
extension Requiring { public func inherited() {} }
public struct Conforming: Requiring { public func requirement() {} }
public enum Choice: String { case a, b }
extension Int { public func memberOfAnotherModule() {} }
@available(*, unavailable) public func unavailable() {}
"""


class SymbolGraphTests(unittest.TestCase):
    def test_hidden_inherited_and_derived_declarations_are_left_out(self):
        with tempfile.TemporaryDirectory() as name:
            root = Path(name)
            (root / "Modules").mkdir()
            (root / "Sources/System").mkdir(parents=True)
            (root / "Sample.swift").write_text(MODULE)
            subprocess.run(
                ["swiftc", "-emit-module", "-parse-as-library", "-module-name", "Sample",
                 "-emit-module-path", "Modules/Sample.swiftmodule", "Sample.swift"],
                cwd=root, check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            symbol_graphs.extract(root, root, ["Sample"], root / "graphs")
            graphs = root / "graphs/Sample"
            names = sorted(
                ".".join(symbol["pathComponents"]) for file in graphs.iterdir()
                for symbol in json.loads(file.read_text())["symbols"]
                if symbol["kind"]["identifier"] != symbol_graphs.EXTENSION)
            self.assertEqual(names, [
                "Choice", "Choice.a", "Choice.b", "Conforming", "Conforming.requirement()",
                "Int.memberOfAnotherModule()", "Requiring", "Requiring.inherited()",
                "Requiring.requirement()", "Shown", "Shown.Nested", "Shown.init()",
            ])
            self.assertEqual(symbol_graphs.count(graphs), len(names))

    def test_the_modules_are_those_of_libraries_below_sources(self):
        def target(name, path, *dependencies):
            return {"name": name, "c99name": name, "path": path, "target_dependencies": list(dependencies)}

        self.assertEqual(symbol_graphs.library_modules({
            "products": [
                {"name": "A", "type": {"library": ["automatic"]}, "targets": ["A"]},
                {"name": "B", "type": {"library": ["automatic"]}, "targets": ["B"]},
                {"name": "App", "type": {"library": ["automatic"]}, "targets": ["App"]},
                {"name": "tool", "type": {"executable": None}, "targets": ["tool"]},
            ],
            "targets": [
                target("A", "Sources/A", "B", "Internal"), target("B", "Sources/B"),
                target("Internal", "Sources/Internal"), target("App", "Apps/App", "A"),
                target("tool", "Sources/Tools/tool", "A"),
            ],
        }), {"A": ["B"], "B": []})


if __name__ == "__main__":
    unittest.main()
