"""Comparisons, choices and chains of conversions."""

from __future__ import annotations

from assaygen.arrays import Array
from assaygen.types import BY_NAME, F32, F64, PRED, S32
from sequences.catalog import Sequence
from sequences.elements import vector
from sequences.identities import specials

WHY = {
    "Converted": "chains of conversions: each rounds, saturates or wraps by itself",
    "Chosen": "comparisons and choices with NaN, of which some undo each other",
}
F16, BF16, F8, S8, U8, S64, U32 = (
    BY_NAME[n] for n in ("f16", "bf16", "f8e4m3fn", "s8", "u8", "s64", "u32"))
# Between codes of narrow types, at their ends, and beyond.
REALS = ("0.1", "-0.3", 1, "2049", "4097", "16777217", "65519", "65520", "1e-8", "-1e-40",
         "3.4e38", "inf", "-inf", "nan", "-0", "300", "-129", "255.5", "-0.75", "464", "465")
WHOLES = (0, 1, -1, 2 ** 24 + 1, 2 ** 31 - 1, -(2 ** 31), 257, -129, 2049, 65537)
LONG = (*WHOLES, 2 ** 53 + 1, -(2 ** 62) - 1, 2 ** 63 - 1, 2 ** 32 + 5)
# Chains of types, each of which the values pass through; the first is the input's.
CHAINS = [
    (F32, BF16, F32), (F32, F16, F32), (F32, F8, F32), (F32, F16, BF16, F32),
    (F32, BF16, F16, F32), (F64, F32, F64), (F64, F32, BF16), (F64, BF16), (F64, F32, F16),
    (F64, F16), (F32, F64, F32), (BF16, F32, BF16), (F16, F32, F8), (F16, F8), (F32, S32, F32),
    (F32, S8, F32), (F32, S32, S8), (F32, U8, S8, F32), (F32, PRED, F32), (F32, S32, PRED),
    (S32, F32, S32), (S32, F64, S32), (S32, S8, S32), (S32, U8, S32), (S32, S64, S32),
    (S32, PRED, S32), (S32, F16, S32), (S32, BF16, F32), (S32, F32, BF16), (S64, S32, S64),
    (S64, F64, S64), (S64, F32, S64), (S64, U32, F32), (S64, F64, F32), (S64, F32),
]


def drawn_from(t) -> Array:
    if t.kind == "float":
        return vector(t, *REALS)
    return vector(t, *(LONG if t is S64 else WHOLES))


def chains():
    for kinds in CHAINS:
        def build(b, x, kinds=kinds):
            for t in kinds[1:]:
                x = b.convert(x, t)
            return x
        name = "_".join(t.name for t in kinds[1:])
        yield Sequence(kinds[0], f"converted_{name}",
                       " to ".join(t.name for t in kinds) + ", a rounding at each step",
                       "Converted", (drawn_from(kinds[0]),), build)


def narrow_sums():
    """Sums and products that a wider type would not round."""
    for t in (BF16, F16):
        x, y = vector(t, 1, 256, "0.1", 3, 2048), vector(t, "0.00390625", 1, "0.2", "1e-3", 1)
        yield Sequence(t, "sum_less_terms", "(x + y) - x - y shows the rounding of the sum",
                       "Converted", (x, y), lambda b, p, q: b.two("subtract", b.two(
                           "subtract", b.two("add", p, q), p), q))
        yield Sequence(t, "in_wide_and_narrow", "a product and sum in f32, rounded once, and in "
                       "the type itself", "Converted", (x, y), lambda b, p, q, t=t: b.tuple(
                           b.convert(b.two("add", b.two("multiply", *(
                               b.convert(z, F32) for z in (p, q))), b.convert(p, F32)), t),
                           b.two("add", b.two("multiply", p, q), p)))
    yield Sequence(S8, "product_in_wide", "a product of s8 wraps before it is widened, and does "
                   "not behind that", "Converted",
                   (vector(S8, 127, -128, 16), vector(S8, 2, -1, 16)),
                   lambda b, p, q: b.tuple(b.convert(b.two("multiply", p, q), S32),
                                           b.two("multiply", *(b.convert(z, S32) for z in (p, q)))))


def pairs():
    """All pairs of some numbers, NaN among them."""
    some = (0, "-0", 1, "inf", "nan", "-2")
    return (vector(F32, *(x for x in some for _ in some)),
            vector(F32, *(y for _ in some for y in some)))


def whether(direction: str, turned: str):
    """A comparison, the opposite negated, and the one with exchanged sides."""
    opposite = {"LT": "GE", "LE": "GT", "EQ": "NE", "GT": "LE", "GE": "LT", "NE": "EQ"}[direction]
    return lambda b, x, y: b.tuple(b.compare(x, y, direction),
                                   b.one("not", b.compare(x, y, opposite)),
                                   b.compare(y, x, turned))


CHOICES = [
    ("greater_or_maximum", "a choice of the greater one is no maximum", lambda b, x, y: b.tuple(
        b.select(b.compare(x, y, "GT"), x, y), b.select(b.compare(x, y, "LE"), y, x),
        b.two("maximum", x, y))),
    ("clamped_by_parts", "clamp, and minimum of maximum", lambda b, x, y: b.tuple(
        b.clamp(b.number(F32, -1), x, b.number(F32, 1)),
        b.two("minimum", b.two("maximum", x, b.full(F32, -1, b.dims(x))),
              b.full(F32, 1, b.dims(x))),
        b.two("maximum", b.two("minimum", x, b.full(F32, 1, b.dims(x))),
              b.full(F32, -1, b.dims(x))))),
    ("clamped_between_crossed", "where the bounds cross the upper one counts", lambda b, x, y:
        b.clamp(b.number(F32, 2), x, b.number(F32, 1))),
    ("clamped_by_each_other", "bounds that are arrays", lambda b, x, y: b.clamp(
        b.two("minimum", x, y), b.full(F32, 0, b.dims(x)), b.two("maximum", x, y))),
    ("equal_and_ordered", "x <= y and y <= x is x = y", lambda b, x, y: b.tuple(
        b.two("and", b.compare(x, y, "LE"), b.compare(y, x, "LE")), b.compare(x, y, "EQ"))),
    ("less_or_equal", "x < y or x = y is x <= y", lambda b, x, y: b.tuple(
        b.two("or", b.compare(x, y, "LT"), b.compare(x, y, "EQ")), b.compare(x, y, "LE"))),
    ("neither", "neither less nor greater nor equal", lambda b, x, y: b.one("not", b.two(
        "or", b.two("or", b.compare(x, y, "LT"), b.compare(x, y, "GT")),
        b.compare(x, y, "EQ")))),
    ("sign_of_difference", "x - y < 0 is not x < y for infinities", lambda b, x, y: b.tuple(
        b.compare(b.two("subtract", x, y), b.full(F32, 0, b.dims(x)), "LT"),
        b.compare(x, y, "LT"))),
    ("total_order", "the total order knows NaN and signs of zeros", lambda b, x, y: b.tuple(
        b.compare(x, y, "LT", True), b.compare(x, y, "EQ", True), b.compare(x, y, "LT"))),
    ("chosen_of_one", "a choice between a value and itself", lambda b, x, y: b.select(
        b.compare(x, y, "LT"), x, x)),
    ("chosen_twice", "a choice within a choice by the same mask", lambda b, x, y: (
        lambda p: b.select(p, b.select(p, x, y), b.select(p, y, b.one("negate", x))))(
            b.compare(x, y, "LT"))),
    ("chosen_by_not", "a choice by a negated mask", lambda b, x, y: (
        lambda p: b.tuple(b.select(b.one("not", p), x, y), b.select(p, y, x)))(
            b.compare(x, y, "LT"))),
    ("chosen_by_scalar", "a mask of one element chooses the whole", lambda b, x, y: b.tuple(
        *(b.select(b.number(PRED, k), x, y) for k in (0, 1)))),
    ("mask_as_number", "a mask as numbers, compared with 0", lambda b, x, y: (
        lambda p: b.tuple(b.compare(b.convert(p, S32), b.full(S32, 0, b.dims(x)), "NE"), p))(
            b.compare(x, y, "LT"))),
    ("sum_of_chosen", "a choice of an operand and a choice of results", lambda b, x, y: (
        lambda p: b.tuple(b.two("add", x, b.select(p, y, b.full(F32, 0, b.dims(x)))),
                          b.select(p, b.two("add", x, y), x)))(b.compare(x, y, "LT"))),
    ("unchosen_division", "what is not chosen may be infinite", lambda b, x, y: b.select(
        b.compare(y, b.full(F32, 0, b.dims(x)), "EQ"), b.full(F32, 0, b.dims(x)),
        b.two("divide", x, y))),
]


def choices():
    for direction, turned in (("LT", "GT"), ("LE", "GE"), ("EQ", "EQ"), ("NE", "NE"),
                              ("GT", "LT"), ("GE", "LE")):
        yield Sequence(F32, f"compared_{direction.lower()}",
                       "the opposite of a comparison is another one only without NaN", "Chosen",
                       pairs(), whether(direction, turned))
    for name, statement, write in CHOICES:
        yield Sequence(F32, name, statement, "Chosen", pairs(), write)
    yield Sequence(F32, "finite", "is-finite, by itself and by comparisons", "Chosen",
                   (specials(F32),), lambda b, x: b.tuple(
                       b.one("is-finite", x, PRED), b.compare(
                           b.one("abs", x), b.full(F32, "inf", b.dims(x)), "NE")))


def sequences():
    yield from chains()
    yield from narrow_sums()
    yield from choices()
