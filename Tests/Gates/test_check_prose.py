"""The prose gate finds its phrases, and leaves plain English alone."""

import subprocess
import tempfile
import unittest
from pathlib import Path

GATE = Path(__file__).resolve().parents[2] / "Scripts" / "check-prose"


class CheckProseTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)

    def write(self, path, text):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def check(self):
        return subprocess.run(
            [str(GATE), "--root", str(self.root)], capture_output=True, text=True)

    def check_text(self, text, path="Sources/Offshore/File.swift"):
        self.write(path, text)
        return self.check()

    def assert_passes(self, result):
        self.assertEqual((result.returncode, result.stderr), (0, ""), result.stdout)

    def assert_fails(self, result, *parts):
        self.assertEqual((result.returncode, result.stderr), (1, ""), result.stdout)
        self.assertEqual(len(result.stdout.splitlines()), 1, result.stdout)
        for part in parts:
            self.assertIn(part, result.stdout)

    # Phrases

    def test_each_listed_phrase_is_found(self):
        for line in [
            "The version, or `nil` where the row is new.", "The version, or `nil` where none is.",
            "Opens a file, creating it where there is one.", "Reads it, where it can.",
            "- Throws: `Failure` where the folder is missing.", "Empty where not asked.",
            "It is read where it is needed.", "Where it fails, the row stays.",
            "For whoever reads it.", "Somebody has to decide.", "Waits for nobody.",
            "Is known to everybody.", "For those who listen.", "The one for whom it waits.",
            "The value is another after each change.", "Fails. What is left stays.",
            "Stores what lets the device sync.", "Shows what waits for the server.",
            "The name is none.", "A text that is no date.", "It is no error to show.",
            "Takes what the store needs.", "Takes the rows.", "Notes the request.",
            "Tells the server.", "Says again the value.", "Lets those callers go.",
            "The token lets the device in.", "Is told of changes.", "The charter is gone.",
            "Nothing waits.", "The first farewell.", "Sows a library.", "The first obstacle.",
            "A hurry asks twice.", "A dead letter is stored.", "A server, whence it comes.",
        ]:
            with self.subTest(line):
                self.assert_fails(self.check_text(f"/// {line}\n"), "File.swift:1: “", "”: write ")

    def test_plain_english_passes(self):
        self.assert_passes(self.check_text("""
            /// Resumes the callers whose pull this event completes.
            ///
            /// The folder where backups are stored, and the line from where it continues. The value
            /// is no longer used. It is `nil` if there is none. What did it cost? It lets you insert rows in one call.
            /// - Throws: ``DatabaseError``: `notFound` if the row does not exist.
            /// - Parameter path: where the file is.
            """))

    def test_a_phrase_may_span_lines(self):
        self.assert_fails(
            self.check_text("struct A {\n  /// The version, or `nil`\n  /// where it is new.\n}\n"),
            "File.swift:3: “`nil` where it is new.”", "“if” or “when”")

    def test_paragraphs_and_comments_apart_are_no_phrase(self):
        self.assert_passes(self.check_text("/// Returns nil\n///\n/// where a path is.\n"))
        self.assert_passes(self.check_text("// Not nil\nlet a = 1\n// where a path is.\n"))

    # Places

    def test_code_is_not_read(self):
        self.assert_passes(self.check_text("let nobody = whoever(where: nothing)  // Fine.\n"))

    def test_strings_are_texts_but_not_those_of_tests(self):
        text = 'let title = LocalizedText(\n  en: "Nothing waits", ru: "…")\n'
        self.assert_fails(self.check_text(text), "File.swift:2: “Nothing waits”")
        (self.root / "Sources/Offshore/File.swift").unlink()
        self.assert_passes(self.check_text(text, "Tests/OffshoreTests/FileTests.swift"))

    def test_strings_of_seeds_are_content_but_their_comments_are_read(self):
        path = "Apps/Sample/Core/Seeds/SeedList.swift"
        text = 'let title = LocalizedText(\n  en: "For everybody", ru: "…")\n'
        self.assert_passes(self.check_text(text, path))
        self.assert_fails(self.check_text("/// For everybody.\n" + text, path),
                          "SeedList.swift:1: “everybody”")
        (self.root / path).unlink()
        for path in ["Apps/Sample/Core/Seeds.swift", "Sources/Offshore/Seeds/File.swift"]:
            self.assert_fails(self.check_text(text, path), ":2: “everybody”")
            (self.root / path).unlink()

    def test_usage_is_read_over_its_continued_lines(self):
        self.assert_fails(
            self.check_text('let usage = """\n  serve for \\\n  whoever asks\n  """\n'), "whoever")

    def test_names_of_tests_are_read(self):
        path = "Tests/OffshoreTests/FileTests.swift"
        self.assert_fails(
            self.check_text("@Test func `a change nobody made`() {}\n", path), "nobody")
        self.assert_fails(
            self.check_text('@Test("A change nobody made") func a() {}\n', path), "nobody")

    def test_documents_are_read_but_not_their_code(self):
        text = "# What stays\n\n[a](where-it-is) `for nobody`\n\n```swift\n// Nobody\n```\n\nFine.\n"
        self.assert_passes(self.check_text(text, "Docs/Article.md"))
        self.assert_fails(
            self.check_text(text + "\nWhat is left stays.\n", "Docs/Article.md"), "Article.md:11:")

    def test_scripts_for_the_browser_are_read_and_builds_are_not(self):
        self.assert_fails(
            self.check_text('let a = "http://nobody"; // Nobody\n', "Sources/W/live.js"), "Nobody")
        (self.root / "Sources/W/live.js").unlink()
        self.assert_passes(self.check_text("// Nobody\n", ".build/File.swift"))

    def test_python_is_read_in_comments_docstrings_and_names_of_tests(self):
        path = "Tests/Gates/test_file.py"
        code = '"""A test."""\n\ntext = """For nobody"""\nnobody = {"nobody": 1}  # Fine.\n'
        self.assert_passes(self.check_text(code, path))
        for text, place in [
            ("# For nobody\n", 5), ('def test_nobody_reads():\n    """Fine."""\n', 5),
            ('def read():\n    """Takes rows."""\n', 6),
            ('class Reader:\n    """Fine.\n\n    What it reads stays.\n    """\n', 8),
        ]:
            self.assert_fails(self.check_text(code + text, path), f"{path}:{place}:")

    def test_scripts_are_read_in_comments(self):
        script = "#!/usr/bin/env bash\n# Fine.\nnobody=1  # nobody\n"
        self.assert_passes(self.check_text(script, "Scripts/build"))
        self.assert_fails(self.check_text(script + "  # For nobody\n", "Scripts/build"), "Scripts/build:4:")
        (self.root / "Scripts/build").unlink()
        self.assert_fails(
            self.check_text("#!/usr/bin/env python3\n# For nobody\n", ".ci/run"), ".ci/run:2:")
        (self.root / ".ci/run").unlink()
        makefile = "nobody: ## Build\n\techo nobody\n"
        self.assert_passes(self.check_text(makefile, "Makefile"))
        self.assert_fails(self.check_text(makefile + "all: ## For nobody\n", "Makefile"), "Makefile:3:")

    def test_files_that_are_not_text_are_not_read(self):
        self.write("Docs/Screenshots/page.png", "nobody")
        self.write("Sources/Offshore/Data", "nobody")
        self.assert_passes(self.check())

    def test_clauses_of_comments_are_found_and_those_of_texts_are_other_ones(self):
        self.assert_fails(self.check_text("/// Reads what follows.\n"), "“what follows”")
        self.assert_passes(self.check_text('let text = "Reads what follows."\n'))
        self.assert_fails(self.check_text('let text = "Shows what is stored."\n'), "“what is stored”")


if __name__ == "__main__":
    unittest.main()
