"""README and the articles are right: their examples are code of tests, and their links lead to files."""

import difflib
import pathlib
import re
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
CATALOG = "Sources/{0}/{0}.docc/{1}.md"
TUTORIAL = CATALOG.format("Offshore", "Tutorial")

# The tests with the examples of a document. Those of the tutorial are files; see Scripts/check-tutorial.
EXAMPLES = {
    "README.md": ["Tests/OffshoreTests/Examples/ReadmeTests.swift"],
    CATALOG.format("Offshore", "GettingStarted"):
        ["Tests/OffshoreTests/Examples/GettingStartedArticleTests.swift"],
    CATALOG.format("Offshore", "Tables"): ["Tests/OffshoreTests/Examples/TablesArticleTests.swift"],
    CATALOG.format("Offshore", "Queries"): [
        "Tests/OffshoreTests/Query/Ledger.swift",
        "Tests/OffshoreTests/Examples/QueriesArticleTests.swift"],
    CATALOG.format("Offshore", "Migrating"):
        ["Tests/OffshoreTests/Examples/MigrationsArticleTests.swift"],
    CATALOG.format("Offshore", "Observation"):
        ["Tests/OffshoreTests/Examples/ObservationArticleTests.swift"],
    CATALOG.format("Offshore", "Upkeep"): ["Tests/OffshoreTests/Examples/UpkeepArticleTests.swift"],
    CATALOG.format("Offshore", "TextSearch"):
        ["Tests/OffshoreTests/Examples/TextSearchArticleTests.swift"],
    CATALOG.format("OffshoreSync", "Syncing"): [
        "Tests/OffshorePresentationTests/Sync/SyncingArticleTests.swift",
        "Tests/OffshoreSyncTests/Examples/SyncArticlesTests.swift",
        "Tests/OffshorePresentationTests/History/HistoryArticleTests.swift",
        "Tests/OffshoreSyncTests/Files/Gallery.swift"],
    CATALOG.format("OffshoreSync", "HowSyncingWorks"):
        ["Tests/OffshoreSyncTests/Examples/SyncArticlesTests.swift"],
    CATALOG.format("OffshoreServer", "Servers"):
        ["Tests/OffshoreServerTests/Examples/ServersArticleTests.swift"],
    CATALOG.format("OffshoreFiles", "OffshoreFiles"):
        ["Tests/OffshoreFilesTests/Examples/FilesArticleTests.swift"],
    CATALOG.format("OffshoreHTTP", "OffshoreHTTP"): [
        "Tests/OffshoreHTTPTests/Server/FormUploadTests.swift",
        "Tests/OffshoreHTTPTests/Server/TerminationSignalsTests.swift"],
    CATALOG.format("OffshoreImages", "OffshoreImages"):
        ["Tests/OffshoreImagesTests/ImageProgramTests.swift"],
    CATALOG.format("OffshoreWeb", "OffshoreWeb"):
        ["Tests/OffshoreWebTests/Forms/FileFieldTests.swift",
         "Tests/OffshoreWebTests/Forms/PostFormTests.swift"],
    CATALOG.format("OffshorePages", "Pages"): [
        "Tests/OffshorePagesTests/Examples/PagesArticleTests.swift",
        "Tests/OffshorePagesTests/Routes/FormFilesTests.swift"],
    CATALOG.format("OffshorePresentation", "Features"): [
        "Tests/OffshorePresentationTests/Features/FeaturesArticleTests.swift",
        "Tests/OffshorePagesTests/Features/StorePageTests.swift"],
    CATALOG.format("OffshorePresentationTesting", "OffshorePresentationTesting"):
        ["Tests/OffshorePresentationTestingTests/Examples/TestingFeaturesArticleTests.swift"],
    CATALOG.format("OffshoreTesting", "Testing"):
        ["Tests/OffshoreTestingTests/Examples/TestingArticleTests.swift"],
}

FENCE = re.compile(r"^[ \t]*```(\w*)\n(.*?)^[ \t]*```[ \t]*$", re.MULTILINE | re.DOTALL)
# A test checks the values that an example prints.
PRINT = re.compile(r"^print\((.*)\)$")


def documents():
    """The documents of the repository, relative to its root."""
    for path in sorted(ROOT.rglob("*.md")):
        relative = path.relative_to(ROOT)
        if not any(part.startswith(".") for part in relative.parts):
            yield relative


def code_lines(text):
    """The lines of code without indentation, access modifiers and comments at their ends."""
    for line in text.splitlines():
        line = re.sub(r"\s{2,}// .*$", "", line).strip()
        if line:
            yield re.sub(r"^(?:private|fileprivate) ", "", line)


def missing_line(example, tested):
    """The first line of an example that does not follow the ones before it in a test, or `None`."""
    place = -1
    for line in code_lines(example):
        printed = PRINT.match(line)
        if printed:
            if any(not any(value in each for each in tested) for value in printed[1].split(", ")):
                return line
            continue
        try:
            place = tested.index(line, place + 1)
        except ValueError:
            return line
    return None


class DocumentTests(unittest.TestCase):
    maxDiff = None

    def test_every_example_is_code_of_a_test(self):
        for document in documents():
            text = (ROOT / document).read_text()
            examples = [code for language, code in FENCE.findall(text) if language == "swift"]
            if not examples or str(document) == TUTORIAL:
                continue
            self.assertIn(str(document), EXAMPLES, "add the tests of its examples to EXAMPLES")
            tests = {name: list(code_lines((ROOT / name).read_text()))
                     for name in EXAMPLES[str(document)]}
            for example in examples:
                missing = {name: missing_line(example, lines) for name, lines in tests.items()}
                if None in missing.values():
                    continue
                closest = [
                    f"{name}:\n    {line}\n  closest there:\n    "
                    + "\n    ".join(difflib.get_close_matches(line, tests[name], 1, 0.5) or ["–"])
                    for name, line in missing.items()]
                with self.subTest(document=str(document)):
                    self.fail(f"an example of {document} is not in a test; its line that is missing in "
                              + "\n".join(closest) + f"\nThe example:\n{example}")

    def test_each_listed_document_has_examples(self):
        for document in EXAMPLES:
            self.assertIn("```swift\n", (ROOT / document).read_text(), document)

    def test_links_lead_to_files_that_the_repository_has(self):
        kept = set()
        if (ROOT / ".git").exists():
            kept = set(subprocess.run(
                ["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT, text=True,
                check=True, stdout=subprocess.PIPE).stdout.splitlines())
        for document in documents():
            text = re.sub(r"`[^`\n]*`", "", FENCE.sub("", (ROOT / document).read_text()))
            for link in re.findall(r"\]\(([^)\s]+)\)", text):
                path, _, anchor = link.partition("#")
                if ":" in path:
                    continue
                target = ((ROOT / document).parent / path).resolve() if path else ROOT / document
                with self.subTest(document=str(document), link=link):
                    self.assertTrue(target.exists(), "no such file")
                    name = str(target.relative_to(ROOT))
                    if kept:
                        self.assertTrue(any(each == name or each.startswith(name + "/") for each in kept),
                                        "the repository does not have the file")
                    if anchor:
                        self.assertIn(anchor, anchors(target))

    def test_code_that_differs_from_a_test_is_found(self):
        tested = ["let a = 1", "let b = 2", "#expect(a + b == 3)"]
        self.assertIsNone(missing_line("let a = 1  // one\nlet b = 2\nprint(a + b)\n", tested))
        self.assertEqual(missing_line("let b = 2\nlet a = 1\n", tested), "let a = 1")
        self.assertEqual(missing_line("print(a - b)\n", tested), "print(a - b)")
        self.assertEqual(missing_line("let c = 3\n", tested), "let c = 3")


def anchors(document):
    """The names that a git host gives the headings of a document."""
    headings = re.findall(r"^#+[ \t]+(.*?)[ \t]*$", FENCE.sub("", document.read_text()), re.MULTILINE)
    return [re.sub(r"[^\w\s-]", "", heading.lower()).replace(" ", "-") for heading in headings]


if __name__ == "__main__":
    unittest.main()
