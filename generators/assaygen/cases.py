"""Cases and their expectations as lines of JSON (spec/conformance.md)."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field

from assaygen import steps, types
from assaygen.arrays import Array
from assaygen.program import Program

# What XLA's parser never reads as a name, unless a % stands before it.
WORDS = {t.name for t in types.ALL} | set(
    "token opaque true false inf nan HloModule ENTRY ROOT FileNames FunctionNames "
    "FileLocations StackFrames maximal replicated manual unknown unreduced "
    "last_tile_dim_replicate shard_as shard_like".split())


def bits(array: Array, nan: str = "any") -> dict:
    """Exactly these bits; nan "any" (computed) or "same" (moved)."""
    return {"bits": array.text(), "nan": nan}


def rounded(array: Array, sides: list[int], limit: int | str,
            within: tuple[int | None, int | None] = (None, None)) -> dict:
    """Within `limit` steps of the rounded value, or "faithful"; never below the code
    within[0] nor above within[1]. `sides` are those of types.side."""
    t = array.type
    ranges = [steps.around(t, code, side, limit, within)
              for code, side in zip(array.codes, sides)]
    low, high = (Array(t, array.dims, codes, array.layout)
                 for codes in (tuple(r[k] for r in ranges) for k in (0, 1)))
    return interval(array, low, high)


def interval(array: Array, low: Array, high: Array, nans: str = "") -> dict:
    """Every code from low to high, and NaN where `nans` has a 1 and the type has one."""
    found = {"interval": array.text(), "low": low.text(), "high": high.text()}
    if "1" in nans and array.type.specials != "finite":
        found["nans"] = nans
    return found


def rejected(rule: str) -> dict:
    return {"rejected": rule}


def without(why: dict[str, str], *names: str) -> dict[str, str]:
    """Shared reasons but for those that no case of an operation has; each is one of them."""
    assert set(names) <= set(why), names
    return {name: text for name, text in why.items() if name not in names}


@dataclass
class Case:
    """One program, its inputs and what its result may be."""

    what: str  # "f32/negative_edge": the id without the operation
    statement: str
    program: Program | str
    expect: list | dict | str
    why: list[str] = field(default_factory=list)
    inputs: list[Array] | None = None

    def text(self) -> str:
        return self.program.text() if isinstance(self.program, Program) else self.program

    def words_as_names(self) -> list[str]:
        """Names of instructions that XLA's parser takes for types, values or other words."""
        if isinstance(self.expect, dict) and "rejected" in self.expect:
            return []
        names = re.findall(r"^ *(?:ROOT )?(\w+) = ", self.text(), re.MULTILINE)
        return sorted(WORDS.intersection(names))

    def line(self, op: str) -> str:
        inputs = self.inputs
        if isinstance(self.program, Program) and inputs is None:
            inputs = self.program.inputs
        row = {
            "id": f"{op}/{self.what}",
            "statement": self.statement,
            "why": self.why,
            "hlo": self.text(),
            "inputs": [x.text() for x in inputs or []],
            "expect": self.expect,
            "source": "reference" if self.expect == "reference" else "exact",
        }
        return json.dumps(row, separators=(",", ":"))
