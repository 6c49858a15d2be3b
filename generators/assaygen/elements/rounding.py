"""Cases of roundings to the nearest integer: what lies at halves and beside them
(spec/ops/round_nearest_even.md and its neighbour)."""

from __future__ import annotations

from fractions import Fraction
from typing import Callable

from assaygen import types, values
from assaygen.elements import elementwise
from assaygen.types import Type

WHY = elementwise.WHY | elementwise.REJECTED | {
    "Half": "numbers half way between integers, and their neighbours, up to where a "
            "type has no fractions any more",
}


def halves(t: Type) -> list[tuple[int]]:
    """Both signs of codes at n + 1/2, around it, and at the end of fractions."""
    places = [Fraction(2 * n + 1, 2) for n in range(5)]
    places += [1 << k for k in range(t.mantissa - 3, t.mantissa + 3)]
    places += [Fraction((1 << k) - 1, 2) for k in range(t.mantissa - 1, t.mantissa + 3)]
    found = []
    for x in places:
        code = types.encode(t, values.number(x))
        for near in range(code - 2, code + 3):
            found += [near, near | t.sign_mask]
    return [(code,) for code in dict.fromkeys(found)]


def cases(op: str, rounded: Callable[[Fraction], int]):
    rule = elementwise.integral(rounded)
    yield from elementwise.to_integers(op, rounded)
    for t in types.FLOATS:
        if t.bits > 8:
            yield elementwise.chosen(op, "halves", "halves and what lies beside them", t,
                                     halves(t), rule, ["Half"])
    for t in (types.S32, types.PRED, types.C64):
        yield elementwise.wrong_type(op, t, 1, f"{op}.C1")
