"""The cases of the vectors, and what they say of single elements."""

from __future__ import annotations

import collections
import json
import re
import sys
from dataclasses import dataclass
from functools import cached_property

from pages import ROOT

sys.path.insert(0, str(ROOT / "generators"))
from assaygen import types  # noqa: E402
from assaygen.types import Type  # noqa: E402

VECTORS = ROOT / "conformance/vectors"
APPLIED = re.compile(r"^  ROOT r = \S+ ([a-z][a-z0-9-]*)\((p\d+(?:, p\d+)*)\)", re.M)

# The types and the codes of operands, then of the result.
Element = tuple[tuple[Type, ...], tuple, Type, object]
Leaf = tuple[Type, list]


def literal(text: str) -> Leaf:
    """The type and the codes of a literal; pairs of codes are complex numbers."""
    shape, *words = text.split(" ")
    codes = []
    for word in words:
        word, _, count = word.partition("*")
        parts = tuple(int(part, 16) for part in word.split(":"))
        codes += [parts[0] if len(parts) == 1 else parts] * int(count or 1)
    return types.BY_NAME[shape.partition("[")[0]], codes


@dataclass(frozen=True, eq=False)
class Vector:
    """A case: a line of a file, `op` being the operation or set that the file is of."""

    op: str
    fields: dict

    @property
    def name(self) -> str:
        return self.fields["id"]

    @property
    def rejected(self) -> str | None:
        expect = self.fields["expect"]
        return expect["rejected"] if isinstance(expect, dict) else None

    @property
    def sets(self) -> list[dict]:
        expect = self.fields["expect"]
        return expect if isinstance(expect, list) else []

    @property
    def is_measured(self) -> bool:
        """Whether it says how far a result is from the right one."""
        return any("interval" in leaf for leaf in self.sets)

    @cached_property
    def inputs(self) -> list[Leaf]:
        return [literal(text) for text in self.fields["inputs"]]

    @cached_property
    def results(self) -> list[Leaf]:
        """The stated results; those of leaves that are not judged are left out."""
        stated = (leaf.get("bits") or leaf.get("interval") for leaf in self.sets)
        return [literal(text) for text in stated if text]

    @cached_property
    def moved(self) -> list[Leaf]:
        """The stated results whose NaNs keep their bits."""
        return [literal(leaf["bits"]) for leaf in self.sets if leaf.get("nan") == "same"]

    def elements(self) -> list[Element]:
        """Of an element-wise program of the operation alone: operands beside results."""
        applied = APPLIED.search(self.fields.get("hlo", ""))
        if not applied or applied[1] != self.op or len(self.sets) != 1 or not self.results:
            return []
        names = applied[2].split(", ")
        operands = [self.inputs[int(name[1:])] for name in names]
        (t, results), count = self.results[0], len(self.results[0][1])
        if any(len(codes) not in (1, count) for _, codes in operands):
            return []
        columns = [codes if len(codes) == count else codes * count for _, codes in operands]
        given = tuple(kind for kind, _ in operands)
        return [(given, row, t, result) for row, result in zip(zip(*columns), results)]


def read() -> dict[str, list[Vector]]:
    """The cases of each file."""
    found = collections.defaultdict(list)
    for file in sorted(VECTORS.rglob("*.jsonl")):
        op = file.stem.replace("_", "-")
        for line in file.read_text().splitlines()[1:]:
            found[op].append(Vector(op, json.loads(line)))
    return found
