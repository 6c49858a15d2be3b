"""Classes of values (accuracy.md 4.1): what the elements of covering cases are drawn from."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from assaygen import pools, types, values
from assaygen.streams import Stream
from assaygen.types import Type

# Where real functions overflow, vanish, turn or change their formulas; multiples of half a
# pi; ends of integer types.
CRITICAL = [Fraction(x) for x in (
    "88.72284", "-87.33655", "-103.27893", "-103.97208", "709.7827", "-745.1332", "11.0898",
    "-17.3287", "0.84375", "1.25", "3.9", "4.5", "9.05", "10.1", "7.5", "9.1", "-0.41421354",
    "1", "-1", "0.5", "2", "1.5707964", "3.1415927", "4.712389", "6.2831855", "22.5", "1e4",
    "1e9", "1e15", "1e30", "127.5", "255.5", "-128.5", "2147483648", "9223372036854775808",
    "65504", "240", "448", "57344", "0.69314718", "1e-5", "1e-30", "2.5", "-2.5", "33", "-7")]


def specials(t: Type, stream: Stream):
    """Zeros, walls of the range, infinities, NaNs; least and greatest integers."""
    return stream.choice(pools.specials(t))


def walls(t: Type, stream: Stream):
    """Powers of two of every exponent and their neighbours; all ones, and every other one."""
    if t.kind == "int":
        return t.wrap((1 << stream.below(t.bits)) - 1 + stream.below(3)) ^ t.wrap(-stream.bits(1))
    if t.specials == "e8m0":
        return stream.bits(8)
    kind = stream.below(5)
    field = stream.below((t.max_finite >> t.mantissa) + 1) << t.mantissa
    ones = (1 << t.mantissa) - 1
    code = field + (1, 0, -1, ones, ones // 3)[kind]
    return signed(t, min(max(code, 0), t.max_finite), stream)


def halves(t: Type, stream: Stream):
    """Whole numbers and those half way, up to where a type has no fractions, and the codes
    beside them; small integers."""
    if t.kind == "int":
        return t.wrap(stream.below(21) - 7)
    span = 3 + stream.below(t.mantissa + 3)
    return beside(t, Fraction(stream.below(1 << span), 2), stream)


def critical(t: Type, stream: Stream):
    """A number at which something changes, or up to two codes beside it."""
    if t.kind == "int":
        near = [t.bits - 1, t.bits, t.bits + 1, 31, 32, 33, 63, 64, t.low, t.high, 0, -1, 10, 46341]
        return t.wrap(stream.choice(near))
    x = stream.choice(CRITICAL)
    return beside(t, abs(x), stream) if stream.bits(1) else types.encode(t, values.number(x))


def any_bits(t: Type, stream: Stream):
    """Every code is as likely as any other."""
    return stream.bits(t.bits)


def sparse(t: Type, stream: Stream):
    """Every exponent is as likely, with at most two more ones."""
    if t.kind == "int":
        top = 1 << stream.below(t.bits)
        return t.wrap(top | stream.bits(64) % top) ^ t.wrap(-stream.bits(1))
    field = stream.below((t.max_finite >> t.mantissa) + 1) << t.mantissa
    ones = sum(1 << k for k in {stream.below(max(t.mantissa, 1)) for _ in range(stream.below(3))})
    return signed(t, min(field | ones * (t.mantissa > 0), t.max_finite), stream)


def unit(t: Type, stream: Stream):
    """From -1 to 1."""
    if t.kind == "int":
        return t.wrap(stream.below(3) - 1)
    x = Fraction(stream.bits(53), 1 << 53)
    return signed(t, types.encode(t, values.number(x)), stream)


def mixed(t: Type, stream: Stream):
    """Numbers near 1 and of all sizes, among them here and there a special one."""
    return specials(t, stream) if stream.below(8) == 0 else pools.random_code(t, stream)


def beside(t: Type, x: Fraction, stream: Stream) -> int:
    code = types.encode(t, values.number(x)) & ~t.sign_mask
    return signed(t, min(max(code + stream.below(5) - 2, 0), t.max_finite), stream)


def signed(t: Type, code: int, stream: Stream) -> int:
    """Of either sign; zero keeps its own where the other one would be NaN."""
    if stream.bits(1) or (t.specials == "fnuz" and code == 0):
        return code
    return code | t.sign_mask


def near(t: Type, code: int, stream: Stream) -> int:
    """A code that cancels with another one, or that is of a size with it."""
    if t.kind == "int":
        x = t.integer(code)
        return t.wrap((-x if stream.bits(1) else x) + stream.below(5) - 2)
    if t.specials == "e8m0":
        return min(max(code + stream.below(5) - 2, 0), 254)
    steps = stream.below(7) - 3 if stream.bits(1) else \
        stream.below(1 << t.mantissa + 2) - (1 << t.mantissa + 1)
    magnitude = min(max((code & ~t.sign_mask) + steps, 0), t.max_finite)
    return signed(t, magnitude, stream)


# Each draws a code of an integer or float type. "pairs" are drawn by near.
CLASSES: dict[str, Callable] = {
    "specials": specials, "walls": walls, "halves": halves, "critical": critical,
    "bits": any_bits, "sparse": sparse, "unit": unit, "mixed": mixed,
}
NAMES = [*CLASSES, "pairs"]


def draw(name: str, t: Type, stream: Stream):
    """A code of any type."""
    if t.kind == "pred":
        return stream.bits(1)
    if t.kind == "complex":
        part = types.component(t)
        return draw(name, part, stream), draw(name, part, stream)
    return CLASSES["mixed" if name == "pairs" else name](t, stream)


def row(name: str, kinds: list[Type], stream: Stream) -> tuple:
    """A code for each operand; of "pairs" those of the first one's type are near it."""
    found = [draw(name, t, stream) for t in kinds]
    if name == "pairs" and kinds[0].sign_mask and kinds[0].kind == "float":
        zeros = stream.below(6) == 0 and kinds[0].specials != "fnuz"
        found[0] = signed(kinds[0], 0, stream) if zeros else found[0]
    if name == "pairs" and kinds[0].kind in ("int", "float"):
        found[1:] = [near(t, found[0], stream) if t is kinds[0] else code
                     for t, code in zip(kinds[1:], found[1:])]
    return tuple(found)
