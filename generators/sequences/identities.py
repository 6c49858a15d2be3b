"""Arithmetic that looks as if it could be simplified: x * 0, x - x, (a + b) - b."""

from __future__ import annotations

from assaygen import functions
from assaygen.arrays import Array
from assaygen.types import BY_NAME, F32, F64, S32
from sequences.catalog import Sequence
from sequences.elements import vector

WHY = {
    "Identity": "what holds of real numbers and not of floats: NaN, infinities, signs of "
                "zeros, roundings",
    "Regrouped": "sums, products and quotients whose grouping is that of the text",
    "Wrapped": "integers that wrap around, or are cut off by a quotient",
}
F16, BF16, S8, U8, S64, U32 = (BY_NAME[n] for n in ("f16", "bf16", "s8", "u8", "s64", "u32"))
SPECIALS = (0, "-0", 1, -1, "inf", "-inf", "nan", "0.1", 3, "-2.5")


def specials(t) -> Array:
    """Specials, the least and the greatest numbers among them."""
    edges = (1, t.sign_mask | 1, t.max_finite, t.sign_mask | t.max_finite)
    codes = vector(t, *SPECIALS).codes + edges
    return Array(t, (len(codes),), codes)


# Name, statement, what it writes with x and a constant c of the value.
OF_ONE = [
    ("times_zero", "x * 0 has the sign of x, and is NaN where x is no number", 0,
     lambda b, x, c: b.two("multiply", x, c)),
    ("zero_times", "0 * x is x * 0", 0, lambda b, x, c: b.two("multiply", c, x)),
    ("minus_itself", "x - x is +0, and NaN where x is infinite", None,
     lambda b, x, c: b.two("subtract", x, x)),
    ("over_itself", "x / x is 1, and NaN for zeros and infinities", None,
     lambda b, x, c: b.two("divide", x, x)),
    ("remainder_of_itself", "x modulo x is a zero of the sign of x", None,
     lambda b, x, c: b.two("remainder", x, x)),
    ("plus_zero", "-0 + 0 is +0", 0, lambda b, x, c: b.two("add", x, c)),
    ("plus_minus_zero", "x + -0 is x", "-0", lambda b, x, c: b.two("add", x, c)),
    ("minus_zero", "x - 0 is x", 0, lambda b, x, c: b.two("subtract", x, c)),
    ("from_zero", "0 - 0 is +0: no negation", 0, lambda b, x, c: b.two("subtract", c, x)),
    ("from_minus_zero", "-0 - x is a negation, but for NaN", "-0",
     lambda b, x, c: b.two("subtract", c, x)),
    ("times_one", "x * 1 is x", 1, lambda b, x, c: b.two("multiply", x, c)),
    ("times_minus_one", "x * -1 is a negation", -1, lambda b, x, c: b.two("multiply", x, c)),
    ("over_one", "x / 1 is x", 1, lambda b, x, c: b.two("divide", x, c)),
    ("zero_over", "0 / x is NaN for zeros", 0, lambda b, x, c: b.two("divide", c, x)),
    ("one_over_twice", "1 / (1 / x) is rounded twice", 1,
     lambda b, x, c: b.two("divide", c, b.two("divide", c, x))),
    ("over_three", "x / 3 is rounded once", 3, lambda b, x, c: b.two("divide", x, c)),
    ("times_third", "x * (1 / 3) is rounded twice", 3, lambda b, x, c: b.two(
        "multiply", x, b.two("divide", b.full(b.type(x), 1, b.dims(x)), c))),
    ("half_twice", "(x / 2) * 2 loses the last bit of a subnormal number", 2,
     lambda b, x, c: b.two("multiply", b.two("divide", x, c), c)),
    ("twice_half", "(x * 2) / 2 overflows", 2,
     lambda b, x, c: b.two("divide", b.two("multiply", x, c), c)),
    ("doubled", "x + x and 2 x are the same", 2, lambda b, x, c: b.tuple(
        b.two("add", x, x), b.two("multiply", c, x))),
    ("negated_twice", "a negation twice is nothing", None,
     lambda b, x, c: b.one("negate", b.one("negate", x))),
    ("size_of_negated", "|-x| is |x|", None, lambda b, x, c: b.tuple(
        b.one("abs", b.one("negate", x)), b.one("abs", b.one("abs", x)))),
    ("sign_times_size", "sign x * |x| is x", None,
     lambda b, x, c: b.two("multiply", b.one("sign", x), b.one("abs", x))),
    ("root_of_square", "the root of x^2 overflows and underflows: it is not |x|", None,
     lambda b, x, c: b.each(b.type(x), "sqrt", (b.two("multiply", x, x),),
                            lambda y: functions.square_root(b.type(x), y))),
    ("maximum_with_itself", "the greatest and the least of x and x is x", None,
     lambda b, x, c: b.tuple(b.two("maximum", x, x), b.two("minimum", x, x))),
    ("chosen_by_itself", "x = x is false of NaN alone", None, lambda b, x, c: b.tuple(
        b.compare(x, x, "EQ"), b.compare(x, x, "NE"), b.compare(x, x, "LE"))),
    ("zero_where_nan", "a choice by x = x removes NaN, which a product with 0 does not", 0,
     lambda b, x, c: b.tuple(b.select(b.compare(x, x, "EQ"), x, c),
                             b.two("multiply", b.two("multiply", x, c), c))),
    ("masked", "a choice is no product with 0 and 1", None, lambda b, x, c: masked(b, x)),
]


def masked(b, x):
    """x where it is positive, as a choice and as a product."""
    zero = b.full(b.type(x), 0, b.dims(x))
    positive = b.compare(x, zero, "GT")
    return b.tuple(b.select(positive, x, zero),
                   b.two("multiply", b.convert(positive, b.type(x)), x))


def of_one():
    for t in (F32, F64, F16, BF16):
        for name, statement, value, write in OF_ONE:
            def build(b, x, write=write, value=value, t=t):
                c = None if value is None else b.full(t, value, b.dims(x))
                return write(b, x, c)
            yield Sequence(t, name, statement, "Identity", (specials(t),), build,
                           only="" if t is F32 else "given")


def pairs(t):
    """a, b and c of different sizes, whose sums lose digits."""
    top = 2 ** (t.mantissa + 1)
    return (vector(t, 1, top, "0.1", top, 3, "inf", "-0", 5),
            vector(t, top, 1, "0.2", -top, "0.1", "inf", 0, "nan"),
            vector(t, -top, 1, "0.3", 1, "-0.1", 1, "-0", 2))


# Of three operands of floats.
OF_THREE = [
    ("sum_less_term", "(a + b) - b is not a", lambda b, x, y, z: b.two(
        "subtract", b.two("add", x, y), y)),
    ("difference_plus_term", "(a - b) + b is not a", lambda b, x, y, z: b.two(
        "add", b.two("subtract", x, y), y)),
    ("two_groupings", "(a + b) + c and a + (b + c) differ", lambda b, x, y, z: b.tuple(
        b.two("add", b.two("add", x, y), z), b.two("add", x, b.two("add", y, z)))),
    ("two_groupings_of_products", "(a b) c and a (b c) differ", lambda b, x, y, z: b.tuple(
        b.two("multiply", b.two("multiply", x, y), z),
        b.two("multiply", x, b.two("multiply", y, z)))),
    ("two_groupings_of_quotients", "(a / b) / c and a / (b c) differ",
     lambda b, x, y, z: b.tuple(b.two("divide", b.two("divide", x, y), z),
                                b.two("divide", x, b.two("multiply", y, z)))),
    ("distributed", "a c + b c and (a + b) c differ", lambda b, x, y, z: b.tuple(
        b.two("add", b.two("multiply", x, z), b.two("multiply", y, z)),
        b.two("multiply", b.two("add", x, y), z))),
    ("product_over_factor", "(a b) / b is not a", lambda b, x, y, z: b.two(
        "divide", b.two("multiply", x, y), y)),
    ("negated_difference", "-(a - b) is -0 where b - a is +0", lambda b, x, y, z: b.tuple(
        b.one("negate", b.two("subtract", x, y)), b.two("subtract", y, x))),
    ("sum_with_negated", "a + -b is a - b", lambda b, x, y, z: b.tuple(
        b.two("add", x, b.one("negate", y)), b.two("subtract", x, y))),
    ("product_of_negated", "-a * -b is a b", lambda b, x, y, z: b.tuple(
        b.two("multiply", b.one("negate", x), b.one("negate", y)),
        b.two("multiply", x, y), b.one("negate", b.two("multiply", b.one("negate", x), y)))),
    ("multiplied_and_added", "a b + c is rounded twice", lambda b, x, y, z: b.two(
        "add", b.two("multiply", x, y), z)),
    ("compensated", "the error of a sum is not zero", lambda b, x, y, z: compensated(b, x, y)),
    ("quotient_by_reciprocal", "a / b and a * (1 / b) differ", lambda b, x, y, z: b.tuple(
        b.two("divide", x, y), b.two("multiply", x, b.two(
            "divide", b.full(b.type(x), 1, b.dims(x)), y)))),
    ("greatest_of_difference", "max(a, b) - b is not max(a - b, 0)", lambda b, x, y, z: b.tuple(
        b.two("subtract", b.two("maximum", x, y), y),
        b.two("maximum", b.two("subtract", x, y), b.full(b.type(x), 0, b.dims(x))))),
]


def compensated(b, x, y):
    """The rounding error of x + y, as Knuth has it."""
    s = b.two("add", x, y)
    part = b.two("subtract", s, x)
    rest = b.two("subtract", s, part)
    return b.tuple(s, b.two("add", b.two("subtract", x, rest), b.two("subtract", y, part)))


def of_three():
    for t in (F32, BF16):
        for name, statement, write in OF_THREE:
            yield Sequence(t, name, statement, "Regrouped", pairs(t), write)


def whole(t):
    """Integers at the ends of their type and in its middle."""
    if t.signed:
        edges = (t.low, t.low + 1, -7, -1, 0, 1, 3, t.high // 2 + 1, t.high)
    else:
        edges = (0, 1, 7, t.high // 2, t.high // 2 + 1, t.high - 1, t.high, 3, 100)
    return vector(t, *edges), vector(t, *(x % 7 + 2 for x in edges))


# Of integers x and small positive y; c is 2 at every place.
OF_INTEGERS = [
    ("next_is_greater", "x + 1 > x is false at the top", lambda b, x, y, c: b.compare(
        b.two("add", x, b.full(b.type(x), 1, b.dims(x))), x, "GT")),
    ("difference_is_positive", "x - y > 0 is not x > y", lambda b, x, y, c: b.tuple(
        b.compare(b.two("subtract", x, y), b.full(b.type(x), 0, b.dims(x)), "GT"),
        b.compare(x, y, "GT"))),
    ("twice_half", "(2 x) / 2 is not x", lambda b, x, y, c: b.two(
        "divide", b.two("multiply", x, c), c)),
    ("half_twice", "(x / 2) * 2 is not x", lambda b, x, y, c: b.two(
        "multiply", b.two("divide", x, c), c)),
    ("quotient_and_remainder", "(x / y) y + x mod y is x", lambda b, x, y, c: b.two(
        "add", b.two("multiply", b.two("divide", x, y), y), b.two("remainder", x, y))),
    ("half_is_no_shift", "x / 2 is cut towards zero, a shift downwards", lambda b, x, y, c: b.tuple(
        b.two("divide", x, c), shifted(b, x, "arithmetic"))),
    ("odd_by_remainder", "x mod 2 = 1 is false of negative odd numbers",
     lambda b, x, y, c: b.tuple(
         b.compare(b.two("remainder", x, c), b.full(b.type(x), 1, b.dims(x)), "EQ"),
         b.two("and", x, b.full(b.type(x), 1, b.dims(x))))),
    ("negated_quotient", "-(x / y) and (-x) / y differ at the end", lambda b, x, y, c: b.tuple(
        b.one("negate", b.two("divide", x, y)), b.two("divide", b.one("negate", x), y))),
    ("two_quotients", "(x / y) / 2 is x / (2 y)", lambda b, x, y, c: b.tuple(
        b.two("divide", b.two("divide", x, y), c), b.two("divide", x, b.two("multiply", y, c)))),
    ("mean_that_wraps", "(x + y) / 2 wraps, (x & y) + ((x ^ y) >> 1) does not",
     lambda b, x, y, c: b.tuple(
         b.two("divide", b.two("add", x, y), c),
         b.two("add", b.two("and", x, y), shifted(
             b, b.two("xor", x, y), "arithmetic" if b.type(x).signed else "logical")))),
    ("differs_from_itself", "x ^ x, x - x, x & ~x are 0", lambda b, x, y, c: b.tuple(
        b.two("xor", x, x), b.two("subtract", x, x), b.two("and", x, b.one("not", x)))),
    ("complement", "~x is -x - 1", lambda b, x, y, c: b.tuple(
        b.one("not", x), b.two("subtract", b.one("negate", x), b.full(b.type(x), 1, b.dims(x))))),
    ("absorbed", "x | (x & y) is x, and (x ^ y) ^ y", lambda b, x, y, c: b.tuple(
        b.two("or", x, b.two("and", x, y)), b.two("xor", b.two("xor", x, y), y))),
    ("distributed", "(x + y) 2 is 2 x + 2 y, also where they wrap", lambda b, x, y, c: b.tuple(
        b.two("multiply", b.two("add", x, y), c),
        b.two("add", b.two("multiply", x, c), b.two("multiply", y, c)))),
    ("lowest_bit_away", "x & (x - 1) has a bit less", lambda b, x, y, c: b.two(
        "and", x, b.two("subtract", x, b.full(b.type(x), 1, b.dims(x))))),
    ("up_and_down", "a shift up and down cuts the highest bits", lambda b, x, y, c: shifted(
        b, b.each(b.type(x), "shift-left", (x, b.full(b.type(x), 1, b.dims(x))),
                  lambda p, _: b.type(x).wrap(p << 1)), "logical")),
]


def shifted(b, x, how: str):
    """x moved down by one bit, with or without its sign."""
    t = b.type(x)

    def rule(p, _):
        value = t.integer(p) if how == "arithmetic" and t.signed else p
        return t.wrap(value >> 1) if how == "logical" or t.signed else t.wrap(
            (value - (1 << t.bits) if value >> (t.bits - 1) else value) >> 1)
    return b.each(t, f"shift-right-{how}", (x, b.full(t, 1, b.dims(x))), rule)


def of_integers():
    for t in (S32, S8, U8, S64, U32):
        for name, statement, write in OF_INTEGERS:
            def build(b, x, y, write=write, t=t):
                return write(b, x, y, b.full(t, 2, b.dims(x)))
            yield Sequence(t, name, statement, "Wrapped", whole(t), build,
                           only="" if t in (S32, U8) else "given")


def sequences():
    yield from of_one()
    yield from of_three()
    yield from of_integers()
