"""The sizes that are printed are counted as the script's header says."""

import importlib.machinery
import importlib.util
import json
import os
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "Scripts" / "sizes"
loader = importlib.machinery.SourceFileLoader("sizes", str(SCRIPT))
sizes = importlib.util.module_from_spec(importlib.util.spec_from_loader("sizes", loader))
loader.exec_module(sizes)


class SizesTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.write("Sources/Offshore/Database.swift", "")
        for path in [*sizes.FRAMEWORK, *sizes.TICK]:
            self.write(path, "line\n")

    def write(self, path, text):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def run_script(self):
        return subprocess.run(
            [str(SCRIPT), "--root", str(self.root)], capture_output=True, text=True)

    def figure(self, measure):
        result = self.run_script()
        self.assertEqual((result.returncode, result.stderr), (0, ""), result.stdout)
        lines = [line for line in result.stdout.splitlines() if line.strip().startswith(measure)]
        self.assertEqual(len(lines), 1, result.stdout)
        return lines[0][44:76].strip()

    def test_a_folder_without_tests_is_counted(self):
        self.write("Examples/PackingList/Core/Item.swift", "a\n\n// b\n")
        self.write("Examples/PackingList/Tests/ItemTests.swift", "a\n")
        self.write("Examples/PackingList/README.md", "a\n")
        self.assertEqual(self.figure("Examples/PackingList"), "3 lines in 1 files")

    def test_a_missing_folder_is_a_dash(self):
        self.assertEqual(self.figure("Examples/PackingList"), "–")
        self.assertEqual(self.figure("UFree,"), "–")
        self.write("Apps/UFree/Core/Day.swift", "a\n")
        self.write("Apps/UFree/Web/DayPage.swift", "a\nb\n")
        self.assertEqual(self.figure("UFree,"), "3 lines in 2 files")

    def test_an_entity_is_its_files_and_lines_and_a_share_of_the_framework(self):
        self.write(f"{sizes.CORE}/Guide.swift", "struct Guide {\n}\n")
        self.write(f"{sizes.WEB}/GuidePage.swift", "a\nb\nc\n")
        self.write(f"{sizes.CORE}/Store.swift", "let guides = 1\nlet decks = 2\n// Of guideIDs\n")
        # The files of the framework have 15 lines that do not name it.
        rest = 15 - (len(sizes.FRAMEWORK) - 1)
        self.write(sizes.FRAMEWORK[0], "// A guide\n" + "line\n" * rest)
        self.assertEqual(self.figure("files of its own"), "5 lines in 2 files")
        self.assertEqual(self.figure("shared files that name it"), "3 lines in 2 files")
        self.assertEqual(self.figure("its share"), "5 lines")
        self.assertEqual(self.figure("one more entity"), "13 lines, 4 files touched")

    def test_public_symbols_are_declarations_requirements_and_cases(self):
        self.write("Sources/Offshore/Database.swift", """
            public import Foundation
            // public func comment() {}
            public final class Database {
              public private(set) var path = "public var text"
              public static func open() { func inner() {} }
              func hidden() {}
            }
            public enum Mode {
              case read, write(String, Int)
              case both
              var isRead: Bool { switch self { case .read: true default: false } }
            }
            public protocol Codec {
              associatedtype Value
              static func read() -> Value
              var name: String { get }
            }
            extension Int: Codec { public typealias Value = Int }
            """)
        # A class with two members, an enumeration with three cases, a protocol with three requirements.
        self.assertEqual(self.figure("public symbols of Offshore "), "11")

    def test_public_symbols_that_cannot_be_called_do_not_count(self):
        self.write("Sources/Offshore/Misuses.swift", """
            extension Table {
              @available(
                *, unavailable,
                message: "use (columns)"
              )
              @_disfavoredOverload
              public init(_ name: String) {}
              @available(*, unavailable, message: "use `where`")
              public func filter() {}
              @available(macOS 15, *)
              public func create() {}
            }
            """)
        self.assertEqual(self.figure("public symbols of Offshore "), "1")

    def cells(self, module):
        """The figures of a module's line."""
        result = self.run_script()
        self.assertEqual((result.returncode, result.stderr), (0, ""), result.stdout)
        lines = [line for line in result.stdout.splitlines() if line.startswith(f"{module} ")]
        self.assertEqual(len(lines), 1, result.stdout)
        return [lines[0][start:start + 13].strip() for start in range(22, 126, 13)]

    def test_a_module_has_the_distribution_of_its_files(self):
        for index, count in enumerate([10, 29, 30, 40, 50, 60, 70, 80, 90, 1_000]):
            self.write(f"Sources/OffshoreSync/Folder/File{index}.swift", "line\n" * count)
        self.write("Sources/OffshoreSync/OffshoreSync.docc/OffshoreSync.md", "line\n")
        self.assertEqual(self.cells("OffshoreSync")[:6], ["10", "1,459", "55", "90", "2 (20.0 %)", "1000"])
        self.write("Sources/System/CLibrary/shim.swift", "line\n")
        self.write("Sources/Tools/offshore/Tool.swift", "line\nline\n")
        self.assertEqual(self.cells("offshore")[:2], ["1", "2"])
        # With the empty file of the set-up.
        self.assertEqual(self.cells("all of Sources")[:2], ["12", "1,461"])

    def test_apps_are_counted_by_target(self):
        self.write("Apps/UFree/Core/Day.swift", "a\n")
        self.write("Apps/UFree/Tests/DayTests.swift", "a\n")
        self.write("Apps/Dock/Device/Phone.swift", "a\n")
        self.write("Apps/Dock/main.swift", "a\nb\n")
        self.assertEqual(self.cells("UFree/Core")[:2], ["1", "1"])
        self.assertEqual(self.cells("Dock")[:2], ["2", "3"])

    def test_public_symbols_are_counted_by_module(self):
        self.write("Sources/OffshoreServer/Server.swift", "public struct Server {\n  public init() {}\n}\n")
        self.write("Sources/Offshore/Table.swift", "public struct Table {}\n")
        self.assertEqual(self.cells("OffshoreServer")[6], "2")
        self.assertEqual(self.cells("all of Sources")[6], "3")
        self.assertEqual(self.figure("public symbols of OffshoreServer"), "2")

    def graph(self, module, *kinds):
        self.write(f".build/docs/graphs/{module}/{module}.symbols.json", json.dumps(
            {"symbols": [{"kind": {"identifier": kind}} for kind in kinds]}))

    def test_documented_symbols_are_those_of_the_last_documentation(self):
        self.assertEqual((self.cells("Offshore")[7], self.figure("documented symbols")), ("–", "–"))
        self.graph("Offshore", "swift.struct", "swift.method", "swift.extension")
        self.graph("OffshoreServer", "swift.class")
        self.write("Sources/OffshoreServer/Server.swift", "public class Server {}\n")
        old = time.time() - 60
        for file in self.root.rglob("*.swift"):
            os.utime(file, (old, old))
        self.assertEqual((self.cells("Offshore")[7], self.figure("documented symbols")), ("2", "2"))
        self.assertEqual(self.cells("all of Sources")[7], "3")
        later = time.time() + 60
        os.utime(self.root / "Sources/Offshore/Database.swift", (later, later))
        self.assertEqual(self.figure("documented symbols"), "–")

    def test_a_listed_path_that_does_not_exist_fails(self):
        (self.root / sizes.TICK[0]).unlink()
        result = self.run_script()
        self.assertEqual((result.returncode, result.stderr), (1, ""))
        self.assertIn(f"{sizes.TICK[0]} does not exist", result.stdout)

    def test_every_path_is_listed_once(self):
        for paths in [sizes.FRAMEWORK, sizes.TICK]:
            self.assertEqual(len(paths), len(set(paths)))


if __name__ == "__main__":
    unittest.main()
