"""The values, shapes and layouts that cases draw from (accuracy.md 4)."""

from __future__ import annotations

from assaygen import types
from assaygen.streams import Stream
from assaygen.types import Type

# Ranks 0 to 5, with zero-sized and unit dimensions.
SHAPES = [(), (1,), (7,), (0,), (2, 3), (1, 5), (3, 0), (2, 3, 4), (2, 1, 3, 2),
          (1, 2, 0, 3), (2, 1, 2, 1, 3)]

# Layouts of a [5,6] array: transposed, tiled, repeatedly tiled, combined,
# with a padded tail.
LAYOUTS = ["{0,1}", "{1,0:T(2,4)}", "{0,1:T(4,2)(2,1)}", "{1,0:T(*,4)}",
           "{1,0:T(8,128)}", "{1,0:T(3,2)L(16)}"]

LAYOUT_WHY = {
    "Layout": "operands and results lie in other orders and tilings, with "
              "poisoned padding; the values do not depend on it",
    "Shape": "ranks 0 to 5, zero-sized and unit dimensions",
}


def float_specials(t: Type) -> list[int]:
    """Zeros, walls of the binades' ends, infinities, NaNs of both signs."""
    if t.specials == "e8m0":
        return [0, 1, 126, 127, 128, 129, 253, 254, 255]
    normal = 1 << t.mantissa
    one = t.bias << t.mantissa
    positive = [0, 1, normal - 1, normal, normal + 1, one, one | max(normal >> 1, 1),
                t.max_finite - 1, t.max_finite]
    if t.specials == "ieee":
        infinity = t.max_finite + 1
        positive += [infinity, t.nan, infinity + 1]  # the last signals
    elif t.specials == "fn":
        positive += [t.nan]
    both = positive + [code | t.sign_mask for code in positive]
    return list(dict.fromkeys(both))


def int_specials(t: Type) -> list[int]:
    wanted = [0, 1, 2, 3, -1, -2, 7, t.low, t.low + 1, t.high, t.high - 1, 100]
    inside = [x for x in wanted if t.low <= x <= t.high]
    return [t.wrap(x) for x in dict.fromkeys(inside)]


def specials(t: Type) -> list:
    """Codes of a type that deserve to meet each other."""
    if t.kind == "pred":
        return [0, 1]
    if t.kind == "int":
        return int_specials(t)
    if t.kind == "float":
        return float_specials(t)
    part = [c for c in float_specials(types.component(t))][:10]
    return [(re, im) for re in part[::2] for im in part[1::2]]


def finite_float(t: Type, stream: Stream) -> int:
    """A random finite code; exponents near 1 half of the time."""
    while True:
        code = stream.bits(t.bits)
        if t.specials != "e8m0" and t.exponent > 4 and stream.bits(1):
            field = t.bias - 3 + stream.below(7)
            low = code & ((1 << t.mantissa) - 1)
            code = (code & t.sign_mask) | field << t.mantissa | low
        value = types.decode(t, code)
        if value.kind in ("finite", "zero"):
            return code


def random_code(t: Type, stream: Stream):
    if t.kind == "float":
        return finite_float(t, stream)
    if t.kind == "complex":
        part = types.component(t)
        return (finite_float(part, stream), finite_float(part, stream))
    return stream.bits(t.bits)


def unary_codes(t: Type, stream: Stream, count: int) -> list:
    """All codes of small types, else specials and random ones."""
    if t.kind != "complex" and t.bits <= 8:
        return list(range(1 << t.bits))
    return specials(t) + [random_code(t, stream) for _ in range(count)]


def binary_codes(t: Type, stream: Stream, count: int) -> list[tuple]:
    """Specials against each other, then random pairs, some close together."""
    some = specials(t)
    if t.kind == "complex":
        some = some[::3]
    pairs = [(a, b) for a in some for b in some]
    for i in range(count):
        a, b = random_code(t, stream), random_code(t, stream)
        if i % 4 == 0 and t.kind == "float" and t.specials != "e8m0":
            b = _near(t, a, stream)
        pairs.append((a, b))
    return pairs


def _near(t: Type, code: int, stream: Stream) -> int:
    """A code a few steps away, often of the other sign: cancellation."""
    magnitude = code & ~t.sign_mask
    moved = min(max(magnitude + stream.below(5) - 2, 0), t.max_finite)
    sign = t.sign_mask if stream.bits(1) else 0
    if t.specials == "fnuz" and moved == 0:
        sign = 0
    return (code & t.sign_mask ^ sign) | moved
