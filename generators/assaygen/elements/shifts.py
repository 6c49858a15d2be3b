"""Cases of the shifts of integers: every amount, those beyond the width among
them (spec/ops/shift_left.md and its neighbours)."""

from __future__ import annotations

from typing import Callable

from assaygen import pools, types
from assaygen.elements import elementwise
from assaygen.streams import Stream
from assaygen.types import Type

WHY = elementwise.WHY | elementwise.REJECTED | {
    "Amount": "every amount from 0 to beyond the width, and negative ones, which "
              "are large as unsigned numbers",
}


def amounts(t: Type) -> list[int]:
    """All codes of narrow types, else those at the width and the special ones."""
    if t.bits <= 4:
        return list(range(1 << t.bits))
    near = [*range(t.bits + 3), 2 * t.bits, 256, 1 << (t.bits - 1)]
    return list(dict.fromkeys(t.wrap(x) for x in [*near, *pools.int_specials(t)]))


def operands(op: str, t: Type) -> list[int]:
    if t.bits <= 4:
        return list(range(1 << t.bits))
    stream = Stream(op, "operands", t.name)
    return [1, t.wrap(-1), 1 << (t.bits - 1), *(stream.bits(t.bits) for _ in range(2))]


def cases(op: str, shifted: Callable[[Type, int, int], int]):
    """`shifted` gets the codes of operand and amount, and gives an integer."""
    def rule(t: Type, code: int, amount: int) -> int:
        return t.wrap(shifted(t, code, amount))

    for t in types.INTS:
        rows = [(x, a) for x in operands(op, t) for a in amounts(t)]
        yield elementwise.chosen(op, "amounts", f"{op} by every amount", t, rows, rule,
                                 ["Amount"])
    yield from elementwise.exact(op, [t for t in types.INTS if t.bits > 4], 2, rule, count=48)
    yield from elementwise.shapes(op, types.S32, 2, rule)
    yield from elementwise.mismatched(op, types.S32, types.BY_NAME["u32"], f"{op}.C1")
    yield elementwise.wrong_type(op, types.F32, 2, f"{op}.C2")
    yield elementwise.wrong_type(op, types.PRED, 2, f"{op}.C2")
