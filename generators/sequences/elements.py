"""Elements of sequences: their codes and words, sums, and the regions that join them."""

from __future__ import annotations

import functools
import importlib
from fractions import Fraction
from typing import Callable

from assaygen import sums, types, values
from assaygen.arrays import Array
from assaygen.programs import regions
from assaygen.programs.regions import Region, shape
from assaygen.streams import Stream
from assaygen.types import PRED, Type
from assaygen.values import Value

WORDS = {"nan": values.NAN, "-nan": Value("nan", -1), "inf": values.INF,
         "-inf": Value("inf", -1), "-0": Value("zero", -1)}


@functools.cache
def rule_of(op: str) -> Callable:
    """rule(t, code, ...) gives the code of an element."""
    module = importlib.import_module(f"ops.{op.replace('-', '_')}")
    return getattr(module, "RULE", None) or module.rule


def word(t: Type, code: int) -> str:
    """One element of a constant; NaN has no payload there."""
    value = types.decode(t, code) if t.kind == "float" else None
    if value is None or value.kind in ("zero", "finite"):
        return regions.number(t, code)
    return "-" * (value.sign < 0) + value.kind


def spelled(x: Array) -> bool:
    """Whether words say all of the elements' bits."""
    t = x.type
    if t.kind == "complex" or not x.size:
        return False
    sign = t.sign_mask if t.kind == "float" else 0
    return t.kind != "float" or all(
        not types.decode(t, c).is_nan or c & ~sign == t.nan for c in x.codes)


def code_of(t: Type, x) -> int:
    """The code of an integer, of a fraction, or of one of WORDS."""
    if t.kind in ("int", "pred"):
        return t.wrap(int(x))
    if t.kind == "complex":
        part = types.component(t)
        return tuple(code_of(part, y) for y in (x if isinstance(x, tuple) else (x, 0)))
    return types.encode(t, WORDS.get(x) if isinstance(x, str) and x in WORDS
                        else values.number(Fraction(x)))


def vector(t: Type, *numbers) -> Array:
    return Array(t, (len(numbers),), tuple(code_of(t, x) for x in numbers))


def matrix(t: Type, *rows) -> Array:
    """Nested lists of numbers, of any depth."""
    dims, level = [], list(rows)
    while True:
        dims.append(len(level))
        if not level or not isinstance(level[0], list):
            break
        level = [x for part in level for x in part]
    sizes = [n // before if before else 0 for n, before in zip(dims, [1, *dims])]
    return Array(t, tuple(sizes), tuple(code_of(t, x) for x in level))


def braces(numbers) -> str:
    return "{" + ",".join(map(str, numbers)) + "}"


def clamped(starts, dims, sizes) -> list[int]:
    """Where a slice of these sizes begins, moved into the array."""
    return [min(max(x.type.integer(x.codes[0]), 0), n - k)
            for x, n, k in zip(starts, dims, sizes)]


def placed(where, numbers) -> list[int]:
    """The index with each number at its place."""
    index = [0] * len(numbers)
    for d, k in zip(where, numbers):
        index[d] = k
    return index


def order(stream: Stream, rank: int) -> str:
    """A layout: the dimensions from minor to major."""
    rest, found = list(range(rank)), []
    while rest:
        found.append(rest.pop(stream.below(len(rest))))
    return "{" + ",".join(map(str, found)) + "}" if rank > 1 else ""


def fold(op: str, t: Type, codes: list) -> int:
    """The combination of all codes, which has one value in every order."""
    if op == "second":
        return codes[-1]
    if t.kind != "float" or op != "add":
        assert t.kind != "float" or op in ("maximum", "minimum") or len(codes) < 3
        return functools.reduce(lambda a, b: rule_of(op)(t, a, b), codes)
    numbers = [types.decode(t, c) for c in codes]
    finite = [x.exact for x in numbers if x.kind in ("zero", "finite")]
    assert len(codes) < 3 or sums.every_order_is_exact(t, finite), (t.name, codes)
    return types.encode(t, functools.reduce(values.add, numbers))


def inner(t: Type, pairs: list) -> int:
    """The sum of products, which has one value in every order."""
    if t.kind != "float":
        return functools.reduce(lambda a, b: rule_of("add")(t, a, b),
                                (rule_of("multiply")(t, a, b) for a, b in pairs), 0)
    terms = [values.multiply(types.decode(t, a), types.decode(t, b)) for a, b in pairs]
    finite = [x.exact for x in terms if x.kind in ("zero", "finite")]
    assert sums.every_order_is_exact(t, finite), (t.name, pairs)
    assert not terms or any(x.kind != "zero" or x.sign > 0 for x in terms), "a zero of either sign"
    return types.encode(t, functools.reduce(values.add, terms, values.ZERO))


@functools.cache
def reducer(op: str, t: Type) -> Region:
    """op of two scalars; `second` gives the second of them."""
    region = Region(f"{op}_{t.name}", shape(t), shape(t))
    if op != "second":
        region.step(shape(t), op, ("p0", "p1"))
    return region


@functools.cache
def comparator(kinds: tuple[Type, ...], direction: str) -> Region:
    """Compares rows by the first of their elements."""
    name = "_".join(t.name for t in kinds)
    region = Region(f"by_{direction}_{name}".lower(), *(shape(t) for t in kinds for _ in "ab"))
    region.step(shape(PRED), "compare", ("p0", "p1"), None, f", direction={direction}")
    return region
