"""Scripts/bootstrap, with programs in place of those that install, and the commands that call it."""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]

# A Debian system in a folder: `installed` and `known` are lists of packages, `calls` is one of commands.
PROGRAMS = {
    "swift": 'echo "Swift version ${VERSION:-6.3.1} (swift-6.3.1-RELEASE)"',
    "dpkg-query": 'while read -r name; do printf "<ii %s>" "$name"; done <"$SYSTEM/installed"',
    "apt-cache": 'shift; for name; do grep -qx "$name" "$SYSTEM/known" || exit 100; done',
    "apt-get": """
while [[ $1 == -* ]]; do [[ $1 == -o ]] && shift; shift; done
echo "apt-get $*" >>"$SYSTEM/calls"
case $1 in
  update) cp "$SYSTEM/offered" "$SYSTEM/known" ;;
  install)
    for name; do
      [[ $name == install || $name == -* ]] && continue
      grep -qx "$name" "$SYSTEM/known" || { echo "E: Unable to locate package $name"; exit 100; }
    done ;;
esac
""",
    "sudo": '[[ $1 == -n ]] && shift; exec "$@"',
}


class BootstrapTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.system = pathlib.Path(folder.name)
        self.programs = self.system / "programs"
        self.programs.mkdir()
        for name, script in PROGRAMS.items():
            (self.programs / name).write_text(f"#!/usr/bin/env bash\n{script}\n")
            (self.programs / name).chmod(0o755)
        script = (ROOT / "Scripts/bootstrap").read_text()
        self.packages = re.search(r"^build=\(([^)]*)\)", script, re.M)[1].split()
        self.write(installed=[], known=[], offered=self.packages)

    def write(self, **lists):
        for name, lines in lists.items():
            (self.system / name).write_text("".join(f"{line}\n" for line in lines))

    def run_script(self, *groups, **variables):
        result = subprocess.run(
            [ROOT / "Scripts/bootstrap", *groups], text=True, capture_output=True, stdin=subprocess.DEVNULL,
            env={"PATH": f"{self.programs}:{os.environ['PATH']}", "SYSTEM": str(self.system), **variables})
        calls = self.system / "calls"
        return result, calls.read_text().splitlines() if calls.exists() else []

    def test_it_installs_nothing_and_says_nothing_if_nothing_is_missing(self):
        self.write(installed=self.packages)
        result, calls = self.run_script()
        self.assertEqual((result.returncode, result.stdout + result.stderr, calls), (0, "", []))

    def test_it_fetches_the_lists_of_a_fresh_machine_first(self):
        self.write(installed=self.packages[1:])
        result, calls = self.run_script()
        self.assertEqual(result.returncode, 0, result.stderr)
        missing = self.packages[0]
        self.assertEqual(calls, ["apt-get update", f"apt-get install -y --no-install-recommends {missing}"])
        self.assertIn(f"bootstrap: installing {missing}\n", result.stderr)

    def test_it_leaves_lists_alone_that_have_the_missing_packages(self):
        self.write(known=self.packages)
        result, calls = self.run_script()
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual([call.split()[1] for call in calls], ["install"])

    def test_it_shows_why_packages_cannot_be_installed_and_names_them(self):
        self.write(offered=[])
        result, calls = self.run_script()
        self.assertEqual(result.returncode, 1)
        self.assertEqual([call.split()[1] for call in calls], ["update", "install"])
        self.assertIn("E: Unable to locate package", result.stderr)
        self.assertIn(" ".join(self.packages), result.stderr)

    def test_it_refuses_an_old_swift_and_an_unknown_group(self):
        for groups, variables, status in [((), {"VERSION": "6.1"}, 1), (("brwoser",), {}, 2)]:
            result, calls = self.run_script(*groups, **variables)
            self.assertEqual((result.returncode, calls), (status, []))
            self.assertIn("bootstrap: ", result.stderr)

    def test_pages_have_icons_wherever_they_are_built(self):
        self.assertIn("bootstrap-icons", self.packages)

    def test_each_command_installs_what_it_takes_first(self):
        makefile = (ROOT / "Makefile").read_text()
        commands = re.findall(r"^([a-z-]+): ## [^\n]*\n((?:\t[^\n]*\n)+)", makefile, re.M)
        self.assertIn("test", dict(commands))
        for name, recipe in commands:
            if name == "help":
                continue
            first, *rest = recipe.splitlines()
            groups = re.fullmatch(r"\tScripts/bootstrap(.*)", first)
            self.assertTrue(groups, f"{name} calls Scripts/bootstrap first")
            takes_browser = any("Tests/Browser" in line for line in rest)
            self.assertEqual("browser" in groups[1], takes_browser, name)


if __name__ == "__main__":
    unittest.main()
