"""Sums of products: the types and values of random dots and convolutions."""

from __future__ import annotations

from fractions import Fraction

from assaygen import arrays, collectives, combiners, sums, types, values
from assaygen.arrays import Array
from assaygen.streams import Stream
from assaygen.types import Type

WHY = {
    "Mixed": "operands of other types than the result: converted first",
    "Underflow": "products are subnormal numbers, and what rounding loses is none",
    "NearTheTop": "products with numbers near the largest",
}
FLOATS = [t for t in types.FLOATS if t.specials != "e8m0"]
WIDE = [t for t in FLOATS if t.mantissa >= 7]
SMALL_INTS = [t for t in types.INTS if t.bits <= 8]


def draw_types(stream: Stream) -> tuple[Type, Type, Type]:
    """(lhs, rhs, result): one type, or types that convert to the result's exactly
    (integers: modulo its width)."""
    kind = stream.below(8)
    if kind < 2:
        return (stream.choice(types.INTS),) * 3
    if kind < 4:
        return (stream.choice(FLOATS),) * 3
    if kind == 4:
        return (stream.choice(types.COMPLEX),) * 3
    if kind == 5:
        return tuple(stream.choice(types.INTS) for _ in range(3))
    operands = FLOATS if kind == 6 else [*FLOATS, *SMALL_INTS]
    return stream.choice(operands), stream.choice(operands), stream.choice(WIDE)


def power_of_two(stream: Stream) -> int:
    """Of f8e8m0fnu, from 1/16 to 16."""
    return 123 + stream.below(9)


def ends(t: Type, stream: Stream):
    """(name, reason, numbers of the left operand, of the right one) where products
    come near an end of the type's range; sums of 8 do not overflow."""
    def numbers(field):
        return lambda _: (field << t.mantissa | stream.bits(t.mantissa)
                          | (t.sign_mask if stream.bits(1) else 0))
    root, rest = t.bias // 2, t.bias - 1 - t.bias // 2
    quarter, top = t.bias - 2, t.max_finite >> t.mantissa
    return (("underflow", "Underflow", numbers(root), numbers(rest)),
            ("near_top", "NearTheTop", numbers(top - 3), numbers(quarter)))


def source(t: Type, result: Type, stream: Stream):
    """A function that draws codes of t: values that the result's type has, whose
    products are far from its ends; zeros and ones where it has few digits."""
    if t.kind == "complex":
        part = types.component(t)
        return lambda: tuple(combiners.whole(part, stream) for _ in range(2))
    if t.kind == "int":
        return lambda: stream.bits(t.bits)
    if result.mantissa < 7:
        return lambda: types.encode(t, values.number(stream.below(4) == 0))
    grid = t if t.mantissa <= result.mantissa else result
    one = max(grid.bias - 2, 1) << grid.mantissa

    def element():
        code = one + stream.below(1 << grid.mantissa)
        code |= grid.sign_mask if stream.bits(1) else 0
        return types.encode(t, types.decode(grid, code))
    return element


def drawn(t: Type, result: Type, dims, stream: Stream) -> Array:
    one = source(t, result, stream)
    return arrays.build(t, dims, lambda _: one())


def exact(t: Type, code) -> Fraction:
    return Fraction(t.integer(code)) if t.kind == "int" else types.decode(t, code).exact


def summed(kinds, row) -> tuple:
    """(value, least, greatest) of a sum of products of codes."""
    left, right, t = kinds
    if t.kind == "pred":
        return (int(any(a and b for a, b in row)),) * 3
    if t.kind == "int":
        return (t.wrap(sum(left.integer(a) * right.integer(b) for a, b in row)),) * 3
    if t.kind == "complex":
        return _complex(types.component(t), row)
    if row and all(is_negative_zero(kinds, *pair) for pair in row):
        return 0, t.sign_mask, 0  # -0 where a sum begins with its first product
    narrowed = sum(own.kind == "float" and own.mantissa > t.mantissa for own in kinds[:2])
    return sums.codes(t, [exact(left, a) * exact(right, b) for a, b in row], True, narrowed)


def is_negative_zero(kinds, a, b) -> bool:
    """Only integers are zero beside numbers that may be negative."""
    x, y = exact(kinds[0], a), exact(kinds[1], b)
    return x * y == 0 and min(x, y) < 0


def _complex(part, row):
    """Products of whole numbers: exact in every order."""
    real = imaginary = Fraction(0)
    for a, b in row:
        (p, q), (r, s) = ([exact(part, c) for c in z] for z in (a, b))
        real, imaginary = real + p * r - q * s, imaginary + p * s + q * r
    return (tuple(types.encode(part, values.number(x)) for x in (real, imaginary)),) * 3


def expectation(kinds, dims, rows) -> dict:
    return combiners.expectation(kinds[2], dims, [summed(kinds, row) for row in rows])


def reasons(kinds, expect: dict) -> list[str]:
    return (["Mixed"] * (len(set(kinds)) > 1)
            + ["AnyOrder"] * combiners.is_open(expect))


def shuffled(stream: Stream, text: str) -> str:
    return "".join(collectives.shuffled(stream, text))
