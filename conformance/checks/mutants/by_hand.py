"""Changes that a person wrote down, of kinds that no program makes: by_hand.json.

by_hand.py: checks that each of them is still there to be made.
"""

from __future__ import annotations

import json
import pathlib
import sys
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).resolve().parents[3]
LIST = pathlib.Path(__file__).with_name("by_hand.json")


@dataclass(frozen=True)
class Change:
    """In the one line of the file that reads so, `before` becomes `after`: an
    expression, or a statement with its semicolon."""

    file: str
    line: str  # without what it is indented by
    before: str
    after: str

    def form(self) -> str:
        """What stands for both, with {m} for the switch."""
        if self.before.endswith(";"):
            return f"{{ if ({{m}}) {{ {self.after} }} else {{ {self.before} }} }}"
        return f"({{m}} ? ({self.after}) : ({self.before}))"


def load() -> list[Change]:
    return [Change(**row) for row in json.loads(LIST.read_text())]


def place(change: Change, text: str) -> tuple[int, int, int]:
    """The number of the line, from 1, and where `before` begins and ends in the
    bytes of the file."""
    lines = text.split("\n")
    number = [line.strip() for line in lines].index(change.line)
    begin = sum(len(line.encode()) + 1 for line in lines[:number])
    begin += len(lines[number][:lines[number].index(change.before)].encode())
    return number + 1, begin, begin + len(change.before.encode())


def problem(change: Change) -> str:
    file = ROOT / change.file
    lines = [line.strip() for line in file.read_text().split("\n")] if file.exists() else []
    if lines.count(change.line) != 1 or change.line.count(change.before) != 1:
        return (f"{change.file} has {lines.count(change.line)} lines \"{change.line}\" with "
                f"{change.line.count(change.before)} times \"{change.before}\", not one")
    return "" if change.before != change.after else f"{change.file}: nothing is changed"


def main() -> int:
    changes = load()
    found = list(filter(None, map(problem, changes)))
    if len(set(changes)) < len(changes):
        found.append("a change stands twice")
    print("\n".join(found) or "by_hand: fine")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
