"""Reads cells of tables: "s8 -128", "0, -0", "beyond -1 and 1", "pi/2".

A cell becomes a `Term`: the types that it is of, and alternatives, each of which a
case has to show. Cells that are free text become None.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Callable

from vectors import Type, types

from assaygen import values

Test = Callable[[Type, object, object], bool]  # type, code, code of the operand x

PI = Fraction(314159265358979323846264338327950288, 10 ** 35)
NUMBER = r"[+-]?\d+(?:\.\d+)?"
OF_TYPES = [
    (r"(?:s|u)\d+|f8e\w+|bf16|f\d\d|pred", lambda t, name: t.name == name),
    (r"fp4, fp6", lambda t, name: t.specials == "finite" and t.kind == "float"),
    (r"f8 FNUZ", lambda t, name: t.specials == "fnuz"),
    (r"f8 FN, FNUZ, E8M0", lambda t, name: t.specials in ("fn", "fnuz", "e8m0")),
    (r"integer|other integers", lambda t, name: t.kind == "int"),
    (r"float|finite float", lambda t, name: t.kind == "float"),
]


@dataclass(frozen=True)
class Term:
    """`names` are the alternatives as the cell spells them."""

    of_type: Callable[[Type], bool]
    names: tuple[str, ...]
    tests: tuple[Test, ...]


def value(t: Type, code) -> values.Value:
    if t.kind in ("int", "pred"):
        return values.number(t.integer(code) if t.kind == "int" else code)
    return types.decode(t, code)


def is_a(kind: str, sign: int = 0) -> Test:
    def test(t, code, _):
        x = value(t, code)
        return x.kind == kind and sign in (0, x.sign)
    return test


def real(holds: Callable[[Fraction], bool]) -> Test:
    """Of numbers."""
    def test(t, code, _):
        x = value(t, code)
        return x.kind in ("zero", "finite") and holds(x.exact)
    return test


def extended(holds: Callable[[float | Fraction], bool]) -> Test:
    """Of numbers and infinities."""
    def test(t, code, _):
        x = value(t, code)
        if x.is_nan:
            return False
        return holds(x.sign * float("inf") if x.is_inf else x.exact)
    return test


def has_payload(t: Type, code, _) -> bool:
    """Whether it is a NaN with bits beside those of the canonical one."""
    plain = t.kind == "float" and t.specials == "ieee"
    return plain and value(t, code).is_nan and code & ~t.sign_mask != t.nan


def signals(t: Type, code, _) -> bool:
    return has_payload(t, code, _) and not code >> t.mantissa - 1 & 1


def subnormal(t: Type, code, _) -> bool:
    least = Fraction(2) ** t.min_exponent
    return real(lambda x: 0 < abs(x) < least)(t, code, _)


def wide(t: Type, code, _) -> bool:
    """Whether a shift by it leaves nothing: read as unsigned it is the width or more."""
    return code >= t.bits


WORDS: dict[str, Test] = {
    "any": lambda t, code, _: True,
    "": lambda t, code, _: True,
    "any float": lambda t, code, _: t.kind == "float",
    "NaN": is_a("nan"),
    "or NaN": is_a("nan"),
    "NaN with sign -": is_a("nan", -1),
    "the same NaN with sign +": lambda t, code, x: code == x & ~t.sign_mask,
    "the same NaN with the other sign": lambda t, code, x: code == x ^ t.sign_mask,
    "+inf": is_a("inf", 1),
    "inf": is_a("inf", 1),
    "-inf": is_a("inf", -1),
    "+0": is_a("zero", 1),
    "-0": is_a("zero", -1),
    "x": lambda t, code, x: value(t, code).kind in ("zero", "finite") and code == x,
    "x > 0": real(lambda x: x > 0),
    "positive": real(lambda x: x > 0),
    "not negative": real(lambda x: x >= 0),
    "negative": real(lambda x: x < 0),
    "negative odd": real(lambda x: x < 0 and x % 2 == 1),
    "negative even": real(lambda x: x < 0 and x % 2 == 0),
    "odd": real(lambda x: x % 2 == 1),
    "not an integer": real(lambda x: x.denominator > 1),
    "not 0": extended(lambda x: x != 0),
    "beyond -1 and 1": extended(lambda x: abs(x) > 1),
    "mod(x) < 1": real(lambda x: abs(x) < 1),
    "mod(x) > 1": real(lambda x: abs(x) > 1),
    "subnormal": subnormal,
    "subnormals": subnormal,
    "smallest integer": lambda t, code, _: t.signed and t.integer(code) == t.low,
    "the smallest integer": lambda t, code, _: t.signed and t.integer(code) == t.low,
    "largest finite": lambda t, code, _: code == t.max_finite,
    "the largest finite value": lambda t, code, _: code == t.max_finite,
    "smallest subnormal": lambda t, code, _: code == 1,
    "the smallest subnormal": lambda t, code, _: code == 1,
    "the width": lambda t, code, _: t.integer(code) == t.bits,
    "the width or more": wide,
    "or negative": lambda t, code, _: t.integer(code) < 0,
    "or any negative amount": lambda t, code, _: t.integer(code) < 0,
    "NaN with a payload": has_payload,
    "any NaN": has_payload,
    "signalling or not": signals,
    "itself": lambda t, code, x: code == x,
    "the same": lambda t, code, x: code == x,
    "-x": lambda t, code, x: value(t, code) == value(t, x).negated(),
    "-1 - x": lambda t, code, x: code == t.wrap(~x),
    "true": lambda t, code, _: code == 1,
    "false": lambda t, code, _: code == 0,
}
BOUNDS = [
    (rf"below ({NUMBER})", lambda end, x: x < end),
    (rf"above ({NUMBER})", lambda end, x: x > end),
    (rf"({NUMBER}) and above", lambda end, x: x >= end),
]


def constant(t: Type, exact: Fraction) -> int | None:
    """The code of a number, rounded."""
    if t.kind == "float":
        return types.encode(t, values.number(exact))
    return t.wrap(int(exact)) if t.kind == "int" else int(exact != 0)


def one(word: str) -> Test | None:
    """The test of a single alternative."""
    if word in WORDS:
        return WORDS[word]
    for pattern, holds in BOUNDS:
        if found := re.fullmatch(pattern, word):
            end = Fraction(found[1])
            return extended(lambda x: holds(end, x))
    if word == "0":
        return real(lambda x: x == 0)
    if found := re.fullmatch(r"(-?)(?:(\d) )?pi(?:/(\d))?", word):
        exact = int(found[1] + (found[2] or "1")) * PI / int(found[3] or 1)
    elif re.fullmatch(NUMBER, word):
        exact = Fraction(word)
    elif found := re.fullmatch(r"about (\S+)", word):
        near = Fraction(found[1])
        return real(lambda x: abs(x - near) < near / 100)
    else:
        return None
    return lambda t, code, _: code == constant(t, exact)


def typed(cell: str) -> tuple[Callable[[Type], bool], str]:
    """The types that a cell is of, and the rest of it."""
    if found := re.fullmatch(r"(.*) \((?:the )?f32\b.*\)", cell):
        return lambda t: t.name == "f32", found[1]
    for pattern, holds in OF_TYPES:
        if found := re.fullmatch(rf"({pattern})(?::? (.*))?", cell):
            name = found[1]
            return lambda t: holds(t, name), found[2] or ""
    return lambda t: t.kind != "complex", cell


def read(cell: str) -> Term | None:
    """An operand, or a result without its explanation."""
    of_type, rest = typed(cell)
    if rest in WORDS:
        return Term(of_type, (rest,), (WORDS[rest],))
    if rest == "integer":
        return None
    names = tuple(rest.split(", "))
    tests = tuple(one(name) for name in names)
    return None if None in tests else Term(of_type, names, tests)


def read_result(cell: str) -> Term | None:
    plain = re.split(r"[:;(]|,? for | from here on|, always|, bit for bit|, as ", cell)[0].strip()
    return read(plain) if plain else None
