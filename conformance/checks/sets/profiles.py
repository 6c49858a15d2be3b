"""Profiles: a level of conformance/levels and a choice on each axis."""

from __future__ import annotations

import json
import pathlib
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache

from formats import Type

LEVELS = pathlib.Path(__file__).resolve().parents[2] / "levels"
AXES = {
    "subnormals": "ieee", "nan": "any", "zero-sign": "strict", "contraction": "none",
    "excess-precision": "none", "accumulation": "wide-any",
}


@dataclass(frozen=True)
class Bound:
    """A limit of a level; absent ones are None or 0."""

    steps: int | None = None
    faithful: bool = False
    unlimited: bool = False
    ulps: Fraction = Fraction(0)
    ulps_per_x: Fraction = Fraction(0)
    eps: Fraction = Fraction(0)
    absolute: Fraction = Fraction(0)
    absolute_eps: Fraction = Fraction(0)
    low: Fraction | None = None
    high: Fraction | None = None

    def holds_for(self, x: Fraction | None) -> bool:
        if self.low is None and self.high is None:
            return True
        return x is not None and self.low <= x <= self.high


@dataclass(frozen=True)
class Profile:
    text: str
    level: str
    axes: tuple[tuple[str, str], ...] = field(default=())

    def axis(self, name: str) -> str:
        return dict(self.axes)[name]

    @property
    def daz(self) -> bool:
        return "daz" in self.axis("subnormals")

    @property
    def ftz(self) -> bool:
        return "ftz" in self.axis("subnormals")

    @property
    def exact_sums(self) -> bool:
        return level_file(self.level).get("sums") == "rounded-once"


@lru_cache(maxsize=None)
def level_file(name: str) -> dict:
    return json.loads((LEVELS / f"{name}.json").read_text())


@lru_cache(maxsize=None)
def parse(text: str) -> Profile:
    level, *choices = text.split(",")
    axes = dict(AXES)
    axes.update(level_file(level)["axes"])
    axes.update(choice.split("=") for choice in choices)
    return Profile(text, level, tuple(axes.items()))


def _real(text: str) -> Fraction:
    return Fraction(float.fromhex(text))


def _bound(row: dict) -> Bound:
    exact = {
        key.replace("-", "_"): Fraction(str(row[key]))
        for key in ("ulps", "ulps_per_x", "eps", "absolute_eps") if key in row}
    if "absolute" in row:
        exact["absolute"] = _real(row["absolute"])
    ends = {}
    if "from" in row:
        ends = {"low": _real(row["from"]), "high": _real(row["to"])}
    return Bound(row.get("steps"), row.get("faithful", False), row.get("unlimited", False),
                 **exact, **ends)


@lru_cache(maxsize=None)
def bounds_of(level: str, function: str, t: Type) -> tuple[Bound, ...] | None:
    """The bounds of a function on a type, the first that holds for x counting; None where
    the level has no row for an operation that is no real function."""
    file = level_file(level)
    rows = file["functions"].get(function)
    if rows is None and function in ("divide", "sqrt"):
        return None
    row = _most_special(rows or {}, t)
    if row is None:
        row = _most_special(file["default"], t)
    return tuple(_bound(b) for b in (row if isinstance(row, list) else [row]))


def _most_special(rows: dict, t: Type) -> dict | list | None:
    names = [t.name]
    names += ["f8"] if t.bits <= 8 else []
    names += ["narrow"] if t.bits < 32 else []
    return next((rows[n] for n in [*names, "any"] if n in rows), None)
