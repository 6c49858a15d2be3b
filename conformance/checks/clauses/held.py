"""What held.json names: cases, examples of pages, and tests in C++ and of the commands.

held.json has an object for each page, from rows (their cells, with ` | ` between them) and
labels to lists of what holds them, or to a sentence that says why there is no case. A holder
is the id of a case, `page/example-N` behind the name of a page, or a file and the name of a
test in it: `conformance/files/file_use_test.cc FileUse.RefusesTwice`.
"""

from __future__ import annotations

import json
import re

from pages import ROOT

FILE = ROOT / "conformance/checks/clauses/held.json"
TEST = re.compile(r"\bTEST(?:_F|_P)?\((\w+),\s*(\w+)\)\s*\{(.*?)^\}", re.M | re.S)


def no_name_twice(pairs: list[tuple[str, object]]) -> dict:
    names = [name for name, _ in pairs]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise SystemExit(f"held.json: {', '.join(twice)} stands twice")
    return dict(pairs)


def read() -> dict[str, dict[str, list[str] | str]]:
    return json.loads(FILE.read_text(), object_pairs_hook=no_name_twice)


class Tests:
    """The tests in C++ by their names, and the scripts that are tests."""

    def __init__(self) -> None:
        self.bodies: dict[str, str] = {}
        for folder in ("backends", "conformance", "interpreter"):
            for file in sorted((ROOT / folder).rglob("*_test.cc")):
                for suite, name, body in TEST.findall(file.read_text()):
                    self.bodies[f"{file.relative_to(ROOT)} {suite}.{name}"] = body
        self.scripts = {str(file.relative_to(ROOT)): file.read_text()
                        for folder in ("conformance/checks", "conformance/python/tests")
                        for file in sorted((ROOT / folder).rglob("*.py"))
                        if "clauses" not in file.parts}

    def has(self, name: str) -> bool:
        return name in self.bodies or name in self.scripts

    def naming(self, label: str) -> list[str]:
        """The tests that have the label in their text."""
        written = re.compile(rf"(?<![\w.-]){re.escape(label)}(?![\w-])")
        return [name for name, body in [*self.bodies.items(), *self.scripts.items()]
                if written.search(body)]
