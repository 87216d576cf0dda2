"""What the README shows as an example is what a test compiles and runs."""

import pathlib
import re
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class ReadmeTests(unittest.TestCase):
    def assert_tested(self, article, examples, *tests):
        """The lines of the examples are those of tests, in their order."""
        text = "\n".join((ROOT / "Tests/OffshoreTests" / test).read_text() for test in tests)
        tested = [line.strip().removeprefix("private ") for line in text.splitlines()]
        place = -1
        for line in filter(None, map(str.strip, examples.splitlines())):
            # A test expects what an example prints.
            if line.startswith("print("):
                continue
            self.assertIn(line, tested[place + 1:], f"{article} and its test differ")
            place = tested.index(line, place + 1)

    def test_the_example_is_the_one_that_a_test_runs(self):
        example = re.search(r"```swift\n(.*?)```", (ROOT / "README.md").read_text(), re.S)[1]
        self.assert_tested("README.md", example, "Examples/ReadmeTests.swift")

    def test_the_examples_of_the_article_on_queries_are_those_that_tests_run(self):
        article = (ROOT / "Docs/Queries.md").read_text()
        examples = "\n".join(re.findall(r"```swift\n(.*?)```", article, re.S))
        self.assert_tested(
            "Docs/Queries.md", examples, "Query/Ledger.swift", "Examples/QueriesArticleTests.swift")

    def test_the_examples_of_the_article_on_migrations_are_those_that_a_test_runs(self):
        article = (ROOT / "Docs/Migrations.md").read_text()
        examples = "\n".join(re.findall(r"```swift\n(.*?)```", article, re.S))
        self.assert_tested(
            "Docs/Migrations.md", examples, "Examples/MigrationsArticleTests.swift")

    def test_the_examples_of_the_article_on_observation_are_those_that_tests_run(self):
        article = (ROOT / "Docs/Observation.md").read_text()
        examples = "\n".join(re.findall(r"```swift\n(.*?)```", article, re.S))
        self.assert_tested(
            "Docs/Observation.md", examples, "Examples/ObservationArticleTests.swift")

    def test_the_examples_of_the_article_on_upkeep_are_those_that_tests_run(self):
        article = (ROOT / "Docs/Upkeep.md").read_text()
        examples = "\n".join(re.findall(r"```swift\n(.*?)```", article, re.S))
        self.assert_tested("Docs/Upkeep.md", examples, "Examples/UpkeepArticleTests.swift")

    def test_the_examples_of_the_article_on_text_search_are_those_that_a_test_runs(self):
        article = (ROOT / "Docs/TextSearch.md").read_text()
        examples = "\n".join(re.findall(r"```swift\n(.*?)```", article, re.S))
        self.assert_tested("Docs/TextSearch.md", examples, "Examples/TextSearchArticleTests.swift")

    def test_what_the_readme_links_to_is_kept_with_it(self):
        links = re.findall(r"\]\(([^)#:]+)\)", (ROOT / "README.md").read_text())
        for link in links:
            self.assertTrue((ROOT / link).exists(), link)
        if not (ROOT / ".git").exists():
            return
        kept = subprocess.run(["git", "ls-files", "--", *links], cwd=ROOT, text=True, check=True,
                              stdout=subprocess.PIPE).stdout.splitlines()
        for link in links:
            self.assertTrue(any(each.startswith(link) for each in kept), link)


if __name__ == "__main__":
    unittest.main()
