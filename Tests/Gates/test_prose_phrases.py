"""Each phrase of the prose gate is found in each of its forms, and its exceptions are left alone."""

import importlib.machinery
import importlib.util
import itertools
import re
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "Scripts" / "check-prose"
loader = importlib.machinery.SourceFileLoader("check_prose", str(SCRIPT))
check_prose = importlib.util.module_from_spec(importlib.util.spec_from_loader("check_prose", loader))
loader.exec_module(check_prose)

# Sentences of comments, in which exactly one phrase is found. A part in braces stands for several sentences.
COMMENTS = """
The version, or {`nil`|nil|none|empty|zero|nothing|false|true} where the row is new.
The version, nil, where the row is new.
- {Throws|Returns|Precondition}: the failure of a folder where files lie.
Code `{conflict|constraint|damaged|forbidden|invalidValue|missing|missingTable|notFound}` where rows differ.
Opens a file {Where|where} there {is|are|was|were} one.
Reads it {Where|where} {not|nothing|none|no|any|one|some|several|both|neither|either|all|each|many} seen.
Reads it {Where|where} {that|this|these|those} {is|are|was|were|has|have|does|did|can|cannot} so.
Reads it, where {it|they|he|she} fails.
Reads rows where {it|they|he|she} could.
Reads rows where it {is|are|was|were|has|have|had|does|do|did|can|cannot|could|may|must|should|would} so.
Waits. Where {it|they|he|she} fails, rows stay.
A row of {whoever|Whoever|whomever|Whomever|whosoever|Whosoever|whosever|Whosever} reads.
A row of {nobody|Nobody|somebody|Somebody|everybody|Everybody|anybody|Anybody}.
A row {of|to|from|by} who reads.
A row for {those|Those|all|All|one|One|ones|Ones} who read.
A row whom rows follow.
What the row needs.
Waits. What the row needs.
How {many|much|long|often|far} rows reach.
Stores a token {what|that} lets rows sync.
Reads what {no one|none|someone|everyone|anyone} wrote.
The name {is|are|was|were} none. The names should be none.
{It|This} is no date. A text, and {it|this|that|which} is no date.
The value {is|are|was} another {than|after|before} each change.
From {whence|Whence|hither|Hither|thither|Thither} rows.
Takes rows.
It {takes|Takes} what the store needs.
{Notes|Hears} the request.
{Tells|Says} the server.
Lets those callers go.
Says again the value.
It {let|lets|Let|Lets} in rows. It let a {account|browser|client|device|member|person|phone|user} in.
It let the device in. It let device in.
Was told the value. It {tell|tells|Tell|Tells} of rows.
It {hear|hears|heard} rows.
The row {is|are} gone.
{nothing|Nothing|none|None} waits.
It {has|Has} to be, or fails.
The {farewell|Farewell|farewells}.
To {sow|Sow|sows|sown|sowed|sowing}.
The {hindrance|Hindrance|hindrances|obstacle|Obstacle|obstacles}.
To {hurry|Hurry|hurries|hurried}.
A {dead|Dead} letter. Some dead letters.
A {door|Door}. Some doors.
Reads what {is|are|was|were|has|had|does|did|can|cannot|may|must|should|would|could|will} so.
Reads what {comes|came|goes|went|stays|stayed|waits|follows|belongs|refers|changes|changed|differs} so.
Reads what {happens|happened|becomes|became|needs|remains|arrives|stands|lies} so.
"""
# Texts in strings, in which exactly one phrase is found.
TEXTS = """
Shows what {is|was} {said|kept|there|shown|sent|stored|written|known|seen|read|waiting|no} date.
Shows what {waits|stays|stayed|came|comes|goes|went|it is|they are|did not|does not} so.
"""
# Plain sentences, which the exceptions of phrases are for.
PLAIN = """
- Throws: the error of the line from where it reads.
It reads {from|to|of|is|and|or|knows|know|says|say|tells|shows|place|folder|see|stay|stays} where it is.
What did it cost?
How {many|much|long} rows are there?
It is `nil` if there {is|are} none.
It is no {longer|more|way|need} used.
  - heard: receives events.
Did it read what is stored?
It returns the result that its closure returns, where the file is.
"""


def expanded(lines):
    """The sentences of a list, with each part in braces replaced by each of its alternatives."""
    for line in lines.strip("\n").splitlines():
        parts = re.split(r"\{([^}]*)\}", line)
        choices = [part.split("|") if index % 2 else [part] for index, part in enumerate(parts)]
        # One choice at a time is enough: the others keep their first alternative.
        for index, choice in enumerate(choices):
            for alternative in choice if len(choice) > 1 else choice[:1]:
                yield "".join(alternative if place == index else each[0]
                              for place, each in enumerate(choices))


def separate(line):
    """Sentences that are examples for different forms, as examples of their own."""
    return re.split(r"(?<=\.) (?=(?:It|A|The|Some)\b)", line)


def arms(text):
    """The alternatives of a group or a pattern, split at the bars outside of groups inside."""
    found, depth, place = [""], 0, 0
    while place < len(text):
        width = 2 if text[place] == "\\" else len(re.match(r"\[[^]]*\]|.", text[place:])[0])
        token = text[place:place + width]
        depth += (token == "(") - (token == ")")
        if token == "|" and depth == 0:
            found.append("")
        else:
            found[-1] += token
        place += width
    return found


def group_end(pattern, start):
    """The place after a group that begins at a place."""
    depth, place = 0, start
    while True:
        width = 2 if pattern[place] == "\\" else len(re.match(r"\[[^]]*\]|.", pattern[place:])[0])
        token = pattern[place:place + width]
        depth += (token == "(") - (token == ")")
        place += width
        if depth == 0:
            return place


def reduced(pattern):
    """Forms of a pattern that lack one alternative or one option, with whether it is an exception that they lack."""
    whole = arms(pattern)
    for index in range(len(whole) if len(whole) > 1 else 0):
        yield "|".join(whole[:index] + whole[index + 1:]), False
    place = 0
    while place < len(pattern):
        rest = pattern[place:]
        if rest.startswith("\\"):
            place += 2
        elif letters := re.match(r"\[([A-Za-z])([a-z])\]", rest):
            for letter in letters.groups():
                yield pattern[:place] + letter + rest[letters.end():], False
            place += letters.end()
        elif rest.startswith("["):
            place += re.match(r"\[[^]]*\]", rest).end()
        elif look := re.match(r"\(\?<?[!=]", rest):
            end = group_end(pattern, place)
            inner, after = pattern[place + look.end():end - 1], pattern[end:]
            # What has to stand before is not an exception.
            if look[0].endswith("!"):
                each = arms(inner)
                for index in range(len(each)):
                    others = each[:index] + each[index + 1:]
                    yield pattern[:place] + (f"{look[0]}{'|'.join(others)})" if others else "") + after, True
            place = end
        elif rest.startswith("(?:"):
            end = group_end(pattern, place)
            inner, after = pattern[place + 3:end - 1], pattern[end:]
            each = arms(inner)
            for index in range(len(each) if len(each) > 1 else 0):
                others = "|".join(each[:index] + each[index + 1:])
                yield f"{pattern[:place]}(?:{others}){after}", False
            if after.startswith("?"):
                yield f"{pattern[:place]}(?:{inner}){after[1:]}", False
                yield pattern[:place] + after[1:], False
            place += 3
        elif re.match(r"[^)]\?", rest) and not rest.startswith(("(", "?")):
            yield pattern[:place] + rest[0] + rest[2:], False
            yield pattern[:place] + rest[2:], False
            place += 2
        else:
            place += 1


def examples():
    """Each example with its words as the script sees them, and the kind of list that reads them."""
    for line in itertools.chain.from_iterable(map(separate, expanded(COMMENTS))):
        yield line, f"/// {line}\n"
    for line in expanded(TEXTS):
        yield line, f'let text = "{line}"\n'


PATH = Path("Sources/Offshore/File.swift")


class PhraseTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # The words in which each phrase is found.
        cls.found = {phrase: [] for phrases, _ in check_prose.LISTS for phrase, _ in phrases}
        cls.wrong = []
        for line, text in examples():
            matches = list(check_prose.matches(PATH, text))
            phrases = {phrase for phrase, *_ in matches}
            if len(phrases) == 1:
                cls.found[matches[0][0]].append(matches[0][2])
            else:
                cls.wrong.append((line, sorted(phrases)))
        cls.plain = [check_prose.prose(PATH, f"/// {line}\n", {check_prose.PROSE}) for line in expanded(PLAIN)]

    def test_exactly_one_phrase_is_found_in_each_example(self):
        self.assertEqual(self.wrong, [])

    def test_each_phrase_has_an_example(self):
        self.assertEqual([phrase for phrase, words in self.found.items() if not words], [])

    def test_each_alternative_has_an_example(self):
        for phrase, words in self.found.items():
            for form, is_exception in reduced(phrase):
                if is_exception:
                    continue
                pattern = check_prose.compiled(form)
                with self.subTest(phrase=phrase, lacking=form):
                    self.assertTrue(any(not pattern.search(each) for each in words))

    def test_plain_sentences_pass(self):
        for line in expanded(PLAIN):
            self.assertEqual(list(check_prose.matches(PATH, f"/// {line}\n")), [], line)

    def test_each_exception_has_a_plain_sentence(self):
        for phrase in self.found:
            for form, is_exception in reduced(phrase):
                if is_exception:
                    pattern = check_prose.compiled(form)
                    with self.subTest(phrase=phrase, lacking=form):
                        self.assertTrue(any(pattern.search(each) for each in self.plain))

    def test_forms_without_an_alternative_are_all_found(self):
        self.assertEqual(
            [form for form, _ in reduced(r"\b[Ww]here (?:is|are)s?\b(?!n|o\))")],
            [r"\bWhere (?:is|are)s?\b(?!n|o\))", r"\bwhere (?:is|are)s?\b(?!n|o\))",
             r"\b[Ww]here (?:are)s?\b(?!n|o\))", r"\b[Ww]here (?:is)s?\b(?!n|o\))",
             r"\b[Ww]here (?:is|are)s\b(?!n|o\))", r"\b[Ww]here (?:is|are)\b(?!n|o\))",
             r"\b[Ww]here (?:is|are)s?\b(?!o\))", r"\b[Ww]here (?:is|are)s?\b(?!n)"])
        self.assertEqual([form for form, _ in reduced("a|b(?: c)?")],
                         ["b(?: c)?", "a", "a|b(?: c)", "a|b"])


if __name__ == "__main__":
    unittest.main()
