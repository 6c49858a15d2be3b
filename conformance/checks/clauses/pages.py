"""The clauses of the pages: rules with labels, and rows of tables.

Rows are those of *Special values*, and those of tables that say who does something else:
their first column is `who`.
"""

from __future__ import annotations

import pathlib
import re
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).resolve().parents[3]
SPEC = ROOT / "spec"
LABEL = r"[a-z][a-z0-9-]*\.(?:C\d+|[a-z][a-z0-9-]*)"
LISTED = re.compile(rf"^\* `({LABEL})`", re.M)
INVALID = re.compile(rf"^\s*```\w+ invalid ({LABEL})", re.M)
EXAMPLE = re.compile(r"^```hlo example", re.M)
SECTION = re.compile(r"^## (.*)$")
# A bar inside of |x| < 1 is none between cells.
MODULUS = re.compile(r"\|(x)\|")


@dataclass(frozen=True)
class Row:
    """A row of a table; `heads` are the names of its columns."""

    heads: tuple[str, ...]
    cells: tuple[str, ...]

    @property
    def key(self) -> str:
        return " | ".join(self.cells)

    @property
    def differs(self) -> bool:
        """Whether it says what somebody else does."""
        return self.heads[0] == "who"


@dataclass(frozen=True)
class Page:
    """What a page says: its name is that of the operation or chapter."""

    name: str
    is_operation: bool
    labels: tuple[str, ...]
    rows: tuple[Row, ...]
    refused: tuple[str, ...]  # labels of its `invalid` examples
    examples: int


def cells(line: str) -> tuple[str, ...]:
    plain = MODULUS.sub(r"mod(\1)", line.strip())
    return tuple(cell.strip() for cell in plain[1:-1].split("|"))


def tables(text: str):
    """The name of a section, and the rows of a table in it, the names of columns first."""
    section, found = "", []
    for line in [*text.splitlines(), ""]:
        if line.startswith("|"):
            found.append(cells(line))
        elif found:
            yield section, found
            found = []
        if title := SECTION.match(line):
            section = title[1]


def rows(text: str) -> tuple[Row, ...]:
    return tuple(Row(table[0], row) for section, table in tables(text)
                 for row in table[2:]
                 if section == "Special values" or table[0][0] == "who")


def read(file: pathlib.Path) -> Page:
    text = file.read_text()
    is_operation = file.parent.name == "ops"
    name = file.stem.replace("_", "-") if is_operation else file.stem
    return Page(name, is_operation, tuple(LISTED.findall(text)), rows(text),
                tuple(INVALID.findall(text)), len(EXAMPLE.findall(text)))


def all_pages() -> list[Page]:
    return [read(file) for file in sorted(SPEC.rglob("*.md"))]
