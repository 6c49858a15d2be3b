"""Complex products, quotients, magnitudes, directions and functions: the sets of single
elements, and the rows that functions are drawn from."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from assaygen import types, values
from assaygen.elements import complex_arithmetic as arithmetic
from assaygen.elements import complex_functions
from assaygen.streams import Stream
from assaygen.types import Type
from covering_elementwise.operation import Answer
from ops import multiply

# What complex_functions.argument makes of the numbers of its arguments, modulo 8: of the
# size of 1, next to what is hard, and over the range.
KINDS = {"sparse": (0, 1, 2, 3), "critical": (4, 5), "mixed": (6,)}


def joined(parts: list[tuple] | None):
    """(rounded, low, high) of both parts as one of complex codes."""
    return None if parts is None else tuple(zip(*parts))


def product(t: Type, row: tuple):
    return joined(multiply.component_sets(types.component(t), *row))


def quotient(t: Type, row: tuple):
    """Of finite numbers; the others are in divide's own cases."""
    part = types.component(t)
    z, w = (arithmetic.decoded(part, code) for code in row)
    if not arithmetic.is_finite(*z, *w) or all(v.is_zero for v in w):
        return None
    size = arithmetic.magnitude(z) / arithmetic.magnitude(w)
    if not arithmetic.fits(part, size):
        return None
    return joined(arithmetic.sets(part, arithmetic.quotient(z, w), size, 8))


def magnitude(t: Type, row: tuple):
    part = types.component(t)
    z = arithmetic.decoded(part, row[0])
    if not arithmetic.is_finite(*z):
        found = values.INF if any(v.is_inf for v in z) else values.NAN
        return (types.encode(part, found),) * 3
    if not arithmetic.fits(part, arithmetic.magnitude(z)):
        return None
    return arithmetic.magnitude_set(part, z)


def direction(t: Type, row: tuple):
    part = types.component(t)
    z = arithmetic.decoded(part, row[0])
    if not arithmetic.is_finite(*z):
        return None
    return joined(arithmetic.direction_sets(part, z))


def function(name: str, steps: dict) -> Answer:
    """A function of complex_functions; steps are those of f32 and f64."""
    def answer(t: Type, row: tuple):
        part = types.component(t)
        parts = tuple(float(types.decode(part, code).exact) for pair in row for code in pair)
        return joined(complex_functions.component_sets(part, name, steps[part.name], parts))
    return answer


def draw(name: str) -> Callable:
    """Rows of the function's own arguments, which stay clear of its cuts."""
    def row(value: str, t: Type, stream: Stream) -> tuple:
        part = types.component(t)
        index = 8 * stream.bits(40) + stream.choice(KINDS[value])
        parts = complex_functions.arguments(name, part.name, index)
        codes = [types.encode(part, values.number(Fraction(x))) for x in parts]
        return tuple(tuple(codes[k:k + 2]) for k in range(0, len(codes), 2))
    return row
