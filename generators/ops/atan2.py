"""atan2: of reals, and of complex numbers part by part, by mpmath (spec/ops/atan2.md)."""

from fractions import Fraction

import mpmath

from assaygen import arrays, stated, types
from assaygen.cases import without
from assaygen.elements import complex_functions, elementwise, pair_functions
from assaygen.elements.pair_functions import codes
from assaygen.streams import Stream

WHY = (stated.WHY | elementwise.WHY | without(complex_functions.WHY, "Infinite") |
       elementwise.REJECTED |
       {"Hard": "next to cuts, branch points, zeros and the unit circle, and of mixed sizes"})


def within(t):
    """-pi and pi, rounded outward."""
    code, side = pair_functions.computed(t, lambda _: +mpmath.pi, Fraction(0))
    outward = code + (side > 0)
    return outward | t.sign_mask, outward


REAL = pair_functions.PairFunction("atan2", pair_functions.angle, (3, 2), within)


def chosen(t):
    return codes(t, 2, 3, -2, -3, Fraction(1, 2), Fraction(-5, 2), 10, -7, Fraction(1, 3), 64)


def hard(t):
    """Points next to the axes and the diagonals, and with quotients at the ends of the
    range."""
    stream = Stream("atan2", "hard", t.name)
    pairs = []
    for k in range(48):
        x, y = (Fraction(stream.below(1 << 20) + (1 << 19), 1 << 20) for _ in range(2))
        far = Fraction(2) ** (stream.below(t.bias) * (1 - 2 * (k % 2)))
        signs = (1 - 2 * (k // 2 % 2), 1 - 2 * (k // 4 % 2))
        near = codes(t, x)[0] + stream.below(3)
        points = [(codes(t, y * far), codes(t, x)), (codes(t, x), [near]),
                  (codes(t, y), codes(t, x * far)), (codes(t, y * far), codes(t, x * far))]
        pairs += [(types.encode(t, sign_of(t, a, signs[0])), types.encode(t, sign_of(t, b, signs[1])))
                  for left, right in points for a in left for b in right]
    return pairs


def sign_of(t, code, sign):
    value = types.decode(t, code)
    return value if sign > 0 or t.specials == "e8m0" else value.negated()


STATED = [
    ("right_angles", "i and -i over 1 are the poles of the arc tangent",
     "c64[2] 00000000:3f800000 00000000:bf800000 ; c64[2] 3f800000:00000000*2",
     "c64[2] atan2(p0, p1)",
     "c64[2] 7fc00000:7f800000 7fc00000:ff800000"),
    ("complex_zeros", "0 over 0",
     "c64[1] 00000000:00000000 ; c64[1] 00000000:00000000",
     "c64[1] atan2(p0, p1)",
     "c64[1] 7fc00000:7fc00000"),
    ("complex_infinities", "a part that is infinite or NaN, in either operand",
     "c64[4] 3f800000:3f800000*2 7f800000:3f800000 3f800000:7fc00000 ; c64[4] 3f800000:7f800000 "
     "7fc00000:40000000 3f800000:40000000*2",
     "c64[4] atan2(p0, p1)",
     "c64[4] 7fc00000:7fc00000*4"),
]


def cases():
    yield from REAL.of_types(chosen, hard)
    yield from REAL.of_shapes(types.F32)
    yield from complex_functions.cases("atan2", "atan2", {"f32": 3, "f64": 2})
    yield from elementwise.wrong_types("atan2", types.FLOATS + types.COMPLEX, 2)
    yield from (stated.case(row) for row in STATED)
