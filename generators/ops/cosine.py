"""cosine: of reals, and of complex numbers part by part, by mpmath (spec/ops/cosine.md)."""

from assaygen import types
from assaygen.elements import complex_functions, elementwise, real_functions

WHY = elementwise.WHY | complex_functions.WHY | elementwise.REJECTED | {
    "Near": "next to multiples of pi/2, and results next to the middle between two codes",
}
# Numbers of f32 very close to odd multiples of pi/2, from 1.6 to 2^126, and then to even ones:
# the continued fractions of 2^e / (pi/2) have them. 16367173 * 2^72 is the closest of all. The
# last is 729548.5, whose rounding shows a wrong sign of the bits of pi/2 from 2^-69 on.
MULTIPLES = [0x3FC90FDB, 0x4096CBE4, 0x437CE5F1, 0x450BE628, 0x474D246F, 0x4882665E, 0x4A2562AE,
             0x4C2332E9, 0x50A3E87F, 0x53B146A6, 0x5C07BCD0, 0x65898498, 0x6A1976F1, 0x6F79BE45,
             0x77584625, 0x7EBDCDA0, 0x43FCE5F1, 0x47CD246F, 0x4CA332E9, 0x5123E87F, 0x6FF9BE45,
             0x49321CC8]
# Their cosines lie within 2^-25 of a step of the middle between two numbers; found by a search
# over all from 2^-6 to 2^25.
MIDDLES = [0x3E5FA70E, 0x3FDB3C0E, 0x4010A4BF, 0x42378DB8, 0x424790CE, 0x46F85A22,
           0x47A0E238, 0x4986AFEE, 0x4A01DCA4, 0x4B511330]


def near():
    cosine = real_functions.real("cosine")
    yield cosine.of_codes("multiples", "cosine next to multiples of pi/2 of all sizes",
                          types.F32, [code | sign for code in MULTIPLES
                                      for sign in (0, types.F32.sign_mask)], ["Near"])
    yield cosine.of_codes("middles", "cosines that are half way between two codes, almost",
                          types.F32, MIDDLES, ["Near"])


def cases():
    yield from real_functions.cases("cosine")
    yield from near()
    yield from complex_functions.cases("cosine", "cos", {"f32": 2, "f64": 2})
    yield from elementwise.wrong_types("cosine", types.FLOATS + types.COMPLEX)
