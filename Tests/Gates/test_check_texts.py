"""The gate of texts catches a Russian text that is in English, and reads Swift as far as texts need it."""

import subprocess
import tempfile
import unittest
from pathlib import Path

GATE = Path(__file__).resolve().parents[2] / "Scripts" / "check-texts"


class CheckTextsTests(unittest.TestCase):
    def run_gate(self, code, *options, path="Texts.swift"):
        """Runs the gate on a folder with one file."""
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(code)
            return subprocess.run(
                [str(GATE), *options, folder], capture_output=True, text=True)

    def assert_passes(self, code, count=1):
        result = self.run_gate(code)
        self.assertEqual((result.returncode, result.stderr), (0, ""), result.stdout)
        self.assertEqual(result.stdout, f"texts: {count} are in English and Russian\n")

    def assert_fails(self, code, *parts):
        result = self.run_gate(code)
        self.assertEqual((result.returncode, result.stderr), (1, ""), result.stdout)
        self.assertEqual(len(result.stdout.splitlines()), 1, result.stdout)
        for part in parts:
            self.assertIn(part, result.stdout)

    def keys(self, code):
        return self.run_gate(code, "--keys").stdout.splitlines()

    # Texts

    def test_a_text_in_both_languages_passes(self):
        self.assert_passes('let text = LocalizedText(\n  en: "Boat", ru: "Лодка")')

    def test_a_text_that_is_the_same_in_both_is_caught_at_its_line(self):
        self.assert_fails(
            '\nlet text = LocalizedText(en: "Boat", ru: "Boat")',
            "Texts.swift:2: a text is the same", "verbatim")

    def test_a_russian_text_without_a_cyrillic_letter_is_caught(self):
        self.assert_fails('T(en: "Boat", ru: "Ship")', "no Cyrillic letter", "“Ship”")

    def test_an_empty_russian_text_is_caught(self):
        self.assert_fails('T(en: "Boat", ru: "")', "empty")

    def test_a_text_without_russian_is_caught(self):
        self.assert_fails('T(en: "Boat", [.german: "Boot"])', "has no Russian")

    def test_a_value_that_is_missing_in_russian_is_caught(self):
        self.assert_fails(
            r'T(en: "\(count) of \(total)", ru: "\(count) из всех")', "other values", "“%1 из всех”")

    def test_values_may_differ_in_their_formats_and_in_their_order(self):
        self.assert_passes(
            r'T(en: "\(a.in(.english)) of \(b)", ru: "\(b): \(a.in(.russian).lowercased())")')

    def test_a_text_of_values_alone_needs_no_letters(self):
        self.assert_passes(r'T(en: "on \(day)", ru: "\(day)")')
        self.assert_passes(r'T(en: "“\(name)”", ru: "«\(name)»")')

    def test_names_in_latin_letters_may_stand_in_a_russian_text(self):
        self.assert_passes('T(en: "About Anyfleet", ru: "Об Anyfleet")')

    def test_each_form_of_a_counted_text_is_checked(self):
        def counted(many):
            return (r'.counted(n, en: .init(one: "# \(a)", other: "# \(a)s"),'
                    rf' ru: .init(one: "# шт. \(a)", few: "# шт. \(a)", many: "{many}"))')
        self.assert_passes(counted(r"# штук \(a)"))
        self.assert_fails(counted(r"# items \(a)"), "no Cyrillic")
        self.assert_fails(counted(r"# штук"), "other values")

    def test_a_text_in_two_pieces_is_one(self):
        self.assert_passes('T(\n  en: "A " + "boat",\n  ru: "Лодка" + ".")')
        self.assert_passes(r'T(en: "A " + "\(boat)", ru: "\(boat)" + ".")')

    # Swift

    def test_comments_and_other_literals_are_passed_over(self):
        self.assert_passes(
            '/// LocalizedText(en: "Boat", ru: "Boat")\n/* /* */ T(en: "a", ru: "a") */\n'
            'let code = "T(en: 1, ru: 1)"', count=0)

    def test_variables_are_passed_over(self):
        self.assert_passes("init(en english: Phrase) { self.init(en: english, [.a: b]) }", count=0)

    def test_commas_brackets_and_quotes_within_a_value_are_part_of_it(self):
        self.assert_passes(
            r'T(en: "\(all.map { "“\($0)”" }.joined(separator: ", ")))", ru: "Все: \(all[0, 1])")')

    def test_tests_are_passed_over(self):
        result = self.run_gate('T(en: "a", ru: "a")', path="Tests/Texts.swift")
        self.assertEqual(result.returncode, 0)

    # Keys

    def test_the_keys_of_all_texts_are_printed_once_each(self):
        code = r'''
            T(en: "Remove “\(name)”?", ru: "Удалить «\(name)»?")
            .counted(n, en: .init(one: "# guest", other: "# guests"), ru: .init(many: "# гостей"))
            T(en: "\(a) of \(b.c(d: "x, y"))", ru: "\(a) из \(b)")
            T(en: "Open", ru: "Открыть")
            T(en: "Open", ru: "Открыто")
            T(en: "\(a)", ru: "\(a)")
            T(en: "10\u{a0}m \"deep\"", ru: "10 м")
        '''
        self.assertEqual(
            self.keys(code),
            ["# guests", "%1 of %2", "10\u00a0m \"deep\"", "Open", "Remove “%1”?"])

    def test_the_key_of_a_long_literal_is_without_its_indentation(self):
        code = 'T(\n  en: """\n    Tick it, \\\n    and \\(see).\n    Done\n    """, ru: "")'
        self.assertEqual(self.keys(code), ["Tick it, and %1.", "Done"])


if __name__ == "__main__":
    unittest.main()
