"""What the README shows as an example is what a test compiles and runs."""

import pathlib
import re
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class ReadmeTests(unittest.TestCase):
    def test_the_example_is_the_one_that_a_test_runs(self):
        example = re.search(r"```swift\n(.*?)```", (ROOT / "README.md").read_text(), re.S)[1]
        test = (ROOT / "Tests/OffshoreTests/Examples/ReadmeTests.swift").read_text()
        tested = [line.strip().removeprefix("private ") for line in test.splitlines()]
        place = -1
        for line in filter(None, map(str.strip, example.splitlines())):
            # A test expects what an example prints.
            if line.startswith("print("):
                continue
            self.assertIn(line, tested[place + 1:], "README.md and its test differ")
            place = tested.index(line, place + 1)

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
