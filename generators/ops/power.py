"""power: of integers by multiplication, of reals by mpmath, of complex numbers part
by part (spec/ops/power.md)."""

from fractions import Fraction

from assaygen import stated, types
from assaygen.cases import without
from assaygen.elements import complex_functions, elementwise, pair_functions
from assaygen.elements.pair_functions import codes
from assaygen.streams import Stream

WHY = (stated.WHY | elementwise.WHY | pair_functions.WHY |
       without(complex_functions.WHY, "Infinite") | elementwise.REJECTED |
       {"Hard": "next to cuts, branch points, zeros and the unit circle, and of mixed sizes; "
                "of reals: exact powers and those half way, next to 1, at the ends of the range"})
REAL = pair_functions.PairFunction("power", pair_functions.power, (2, 2))


def integer(t, a, b):
    """Modulo the width; a negative exponent truncates 1 / a^-b towards zero."""
    if b < 0:
        return {1: 1, -1: -1 if b % 2 else 1}.get(a, 0)
    return pow(a, b, 1 << t.bits)


def chosen(t):
    """Integers and halves of both signs."""
    return codes(t, 2, 3, -2, -3, Fraction(1, 2), Fraction(3, 2), Fraction(5, 2), Fraction(-1, 2),
                 Fraction(-5, 2), 10, -7, Fraction(1, 3), 64)


def hard(t):
    """Roots of squares, squares and cubes of numbers of half the digits, bases next to 1
    with large exponents, bases and exponents that end at either end of the range."""
    stream = Stream("power", "hard", t.name)
    pairs = []
    for k in range(24):
        m = 2 * stream.below(1 << max(t.mantissa // 2, 1)) + 1
        scale = Fraction(2) ** (2 * stream.below(7) - 6)
        root, square = codes(t, m * scale), codes(t, m * m * scale * scale)
        pairs += [(x, y) for x in root for y in codes(t, 2, 3, -1, -2)]
        pairs += [(x, y) for x in square for y in codes(t, Fraction(1, 2), Fraction(-1, 2),
                                                        Fraction(3, 2), Fraction(1, 4))]
        near = Fraction(1, 1 << t.mantissa) * (1 + stream.below(3))
        pairs += [(x, y) for x in codes(t, 1 + near, 1 - near / 2)
                  for y in codes(t, Fraction(2) ** stream.below(t.bias) * (1 - 2 * (k % 2)))]
        base = Fraction(stream.below(1 << 20) + (1 << 19), 1 << 17)
        end = Fraction(t.bias * (1 - 2 * (k % 2)), 2 + k % 2)
        pairs += [(x, y) for x in codes(t, base) for y in codes(t, end + Fraction(k, 9))]
    return pairs


STATED = [
    ("complex_to_zero", "any number to the power of 0, and 1 to any power",
     "c64[4] 40000000:40400000 7fc00000:7fc00000 3f800000:00000000*2 ; c64[4] "
     "00000000:00000000*2 40000000:40400000 7fc00000:7fc00000",
     "c64[4] power(p0, p1)",
     "c64[4] 3f800000:00000000*4"),
    ("of_complex_zero", "0 to powers above and below 0",
     "c64[2] 00000000:00000000*2 ; c64[2] 40000000:00000000 c0000000:00000000",
     "c64[2] power(p0, p1)",
     "c64[2] 00000000:00000000 7f800000:7fc00000"),
    ("overflows_beside_zero", "the sine of 2 pi is 0: e^(real part) 0 is no NaN",
     "c64[3] bf800000:00000000*2 3f800000:bf800000 ; c64[3] c0000000:e0000000 "
     "40000000:d0000000 60000000:00000000",
     "c64[3] power(p0, p1)",
     "c64[3] 7f800000:80000000 7f800000:00000000 7f800000:80000000 from 7f800000:ff800000*3 to 7f800000:7f800000*3"),
    ("of_complex_infinity", "+inf + 0i to real powers",
     "c64[2] 7f800000:00000000*2 ; c64[2] 40000000:00000000 c0000000:00000000",
     "c64[2] power(p0, p1)",
     "c64[2] 7f800000:00000000 00000000:00000000"),
]


def cases():
    rule = elementwise.by_class(integer=integer)
    yield from elementwise.exact("power", types.INTS, 2, rule)
    yield from REAL.of_types(chosen, hard)
    yield from REAL.of_shapes(types.F32)
    yield from complex_functions.cases("power", "pow", {"f32": 2, "f64": 2})
    yield from elementwise.wrong_types("power", types.ALL[1:], 2)
    yield from (stated.case(row) for row in STATED)
