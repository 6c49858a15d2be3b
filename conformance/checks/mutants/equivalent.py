"""Changes that change nothing, each with the reason: equivalent.json.

equivalent.py: checks that each of them is still there to be made.
"""

from __future__ import annotations

import json
import pathlib
import sys
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).resolve().parents[3]
LIST = pathlib.Path(__file__).with_name("equivalent.json")


@dataclass(frozen=True)
class Equivalent:
    """In the line of the file, `before` becomes `after`."""

    file: str
    line: str  # without what it is indented by
    before: str
    after: str
    why: str


def load() -> list[Equivalent]:
    return [Equivalent(**row) for row in json.loads(LIST.read_text())]


def in_short(text: str) -> str:
    return " ".join(text.split())


def reason(known: list[Equivalent], file: str, line: str, before: str, after: str) -> str:
    """Why the change changes nothing; empty where nobody says so."""
    wanted = (file, line.strip(), in_short(before), in_short(after))
    return next((e.why for e in known if (e.file, e.line, e.before, e.after) == wanted), "")


def problems(known: list[Equivalent]) -> list[str]:
    found = []
    for e in known:
        file = ROOT / e.file
        lines = file.read_text().split("\n") if file.exists() else []
        if e.line not in [line.strip() for line in lines]:
            found.append(f"{e.file} has no line \"{e.line}\"")
        if not e.why or e.before == e.after:
            found.append(f"{e.file}: \"{e.line}\" has no reason, or nothing is changed")
    if len(set(known)) < len(known):
        found.append("a change stands twice")
    return found


def main() -> int:
    found = problems(load())
    print("\n".join(found) or "equivalent: fine")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
