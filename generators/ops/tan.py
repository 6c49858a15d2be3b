"""tan: of reals, and of complex numbers part by part, by mpmath (spec/ops/tan.md)."""

from assaygen import stated, types
from assaygen.elements import complex_functions, elementwise, real_functions

WHY = stated.WHY | elementwise.WHY | complex_functions.WHY | elementwise.REJECTED


STATED = [
    ("complex_infinity",
     "an infinite angle has no tangent, and keeps its imaginary zero",
     "c64[1] 7f800000:00000000",
     "c64[1] tan(p0)",
     "c64[1] 7fc00000:00000000"),
]


def cases():
    yield from real_functions.cases("tan")
    yield real_functions.real("tan").of_edges("1.5707964")
    yield from complex_functions.cases("tan", "tan", {"f32": 3, "f64": 2})
    yield from elementwise.wrong_types("tan", types.FLOATS + types.COMPLEX)
    yield from (stated.case(row) for row in STATED)
