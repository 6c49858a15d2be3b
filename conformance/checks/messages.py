"""Checks that messages and doc comments say what they mean.

A message says what is wrong, with its values, and then the rule: what
require() refuses has both, and the rule demands ("it must be a scalar") and
does not state ("the operand is a scalar"). A doc comment stands alone.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ("interpreter", "conformance", "backends")
TOKEN = re.compile(r'R"\(.*?\)"|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])\'|//[^\n]*|.', re.S)
REQUIRE = re.compile(r"\b(?:require|require_evaluable)\(")
FAIL = re.compile(r"\b(?:fail|fail_at|fail_case|Error)\(")
DECLARED = re.compile(r"^\s*(?:bool|Phase|std::string_view|const std::string&)\s")
LITERAL = re.compile(r'"((?:\\.|[^"\\])*)"')
LABEL = re.compile(r"^[a-z][a-z0-9-]*\.[A-Za-z0-9-]+$")
DEMAND = re.compile(r"\b(?:must|needs?|can|cannot|may|supported)\b|<=")
# Words of what is wrong, or of a demand.
WRONG = re.compile(
    r"\b(?:not|no|none|but|nor|neither|cannot|without|beyond|out of|unknown|empty|twice|second"
    r"|again|already|missing|expected|wanted|more|fewer|less|too|overlap|left out|cut off"
    r"|others?|another|itself|ends before|instead|must|can|only|nested|nothing|breaks)\b|"
    r"n't|=")
# Numbers are joined to nouns by counted(), which knows "1 element".
PLURAL = re.compile(
    r'(?:to_string\([^"]*\) \+|size\(\),|count\(\),|rank\(\),)\s*" (?:'
    r"arguments|bytes|devices|dimensions|elements|instructions|members|operands"
    r'|parameters|results|rows|values)\b')
LEANING = re.compile(r"^\s*///? (?:The same\b|Of |Likewise|As (?:above|before)\b)")


def sources() -> list[pathlib.Path]:
    return [
        file
        for folder in FOLDERS
        for file in sorted((ROOT / folder).rglob("*"))
        if file.suffix in (".cc", ".h")
    ]


def arguments(text: str, start: int) -> list[str]:
    """The arguments of the call whose bracket opens before `start`."""
    found, depth = [""], 1
    for token in TOKEN.finditer(text, start):
        word = token.group()
        depth += (word in "([{") - (word in ")]}")
        if depth == 0:
            break
        if word == "," and depth == 1:
            found.append("")
        elif not word.startswith("//"):
            found[-1] += word
    return [argument.strip() for argument in found]


def words(argument: str, text: str) -> str:
    """The text of literals, or of the constant that is named."""
    if re.fullmatch(r"k\w+", argument):
        constant = re.search(rf"\b{argument} =\s*([^;]*);", text)
        argument = constant.group(1) if constant else ""
    return "".join(LITERAL.findall(argument))


def check_require(given: list[str], text: str) -> str:
    if len(given) < 4 or not given[2].startswith("{"):
        return "says no more than the rule"
    rule = words(given[-1], text)
    if rule and not DEMAND.search(rule):
        return f'states the rule as a fact: "{rule}"'
    return ""


def check_failure(given: list[str]) -> str:
    said = [a for a in given if not LABEL.match(a.strip('"'))]
    message = " ".join("".join(LITERAL.findall(a)) for a in said).strip()
    # What is joined from pieces shows its values.
    if not message or any("+" in a or "(" in a for a in said):
        return ""
    return "" if WRONG.search(message) else f'states the rule: "{message}"'


def messages(text: str) -> list[tuple[int, str]]:
    found = []
    for pattern, check in ((REQUIRE, lambda g: check_require(g, text)), (FAIL, check_failure)):
        for call in pattern.finditer(text):
            given = arguments(text, call.end())
            problem = "" if DECLARED.match(given[0]) else check(given)
            if problem:
                found.append((call.start(), problem))
    found += [(m.start(), "counts without counted()") for m in PLURAL.finditer(text)]
    return found


def comments(text: str) -> list[tuple[int, str]]:
    """Comments whose first line leans on another declaration."""
    found, position, inside = [], 0, False
    for line in text.split("\n"):
        if not inside and LEANING.match(line):
            found.append((position, "the comment does not stand alone"))
        inside = line.lstrip().startswith("//")
        position += len(line) + 1
    return found


def main() -> int:
    wrong = []
    for file in sources():
        text = file.read_text()
        found = comments(text)
        if not re.search(r"_(test|benchmark|fuzz)$|^error$", file.stem):
            found += messages(text)
        wrong += [
            f"{file.relative_to(ROOT)}:{text.count(chr(10), 0, at) + 1}: {what}"
            for at, what in sorted(found)
        ]
    print("\n".join(wrong) or "messages: all say what is wrong, and the rule")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
