"""+ - * / of operands of two types, where the exact result lies next to a number half way
between two codes of a third: one that rounds twice is wrong there."""

from __future__ import annotations

from fractions import Fraction
from typing import Callable

from assaygen import arrays, types, values
from assaygen.cases import Case, bits
from assaygen.program import Program
from assaygen.streams import Stream
from assaygen.types import Type

WHY = {"Mixed": "operands of two types, the exact result next to a tie of a third"}
TYPES = [tuple(types.BY_NAME[name] for name in row.split()) for row in (
    "f32 bf16 bf16", "f32 f32 bf16", "f64 f32 f32", "f64 f64 f16", "f64 bf16 bf16",
    "f16 bf16 bf16", "f8e4m3fn f32 f4e2m1fn", "f32 f8e5m2 f8e8m0fnu")]


def cases(op: str, combine: Callable, first_of: Callable):
    """combine(a, b) of Values; first_of(tie, b) is the a, a Fraction, that gives a tie."""
    for a, b, out in TYPES:
        rows = list(_rows(Stream(op, "mixed", a.name, b.name, out.name), a, b, out, first_of))
        inputs = [arrays.of(t, column) for t, column in zip((a, b), zip(*rows))]
        result = arrays.of(out, (types.encode(out, combine(types.decode(a, x), types.decode(b, y)))
                                 for x, y in rows))
        program = Program("m", inputs).root(result.shape, f"{op}(p0, p1)")
        yield Case(f"{a.name}/mixed_{b.name}_{out.name}",
                   f"{op} of {a.name} and {b.name} beside ties of {out.name}", program,
                   [bits(result)], ["Mixed"])


def _rows(stream: Stream, a: Type, b: Type, out: Type, first_of: Callable):
    while True:
        rows = [_row(stream, a, b, out, first_of) for _ in range(256)]
        known = [row for row in rows if row is not None]
        if len(known) >= 48:
            return known[:48]


def _row(stream: Stream, a: Type, b: Type, out: Type, first_of: Callable):
    """Codes of finite numbers that are not zero; None where there are none."""
    code = stream.below(out.max_finite)
    tie = (types.decode(out, code).exact + types.decode(out, code + 1).exact) / 2
    second = Fraction((1 << 53) + stream.bits(53), 1 << (53 + stream.below(70)))
    if stream.bits(1) and b.specials != "e8m0":
        second = -second
    y = types.encode(b, values.number(second))
    if types.decode(b, y).kind != "finite":
        return None
    x = types.encode(a, values.number(first_of(tie, types.decode(b, y).exact)))
    return (x, y) if types.decode(a, x).kind == "finite" else None
