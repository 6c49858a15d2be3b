"""sqrt: correctly rounded in every format, by integer roots (spec/ops/sqrt.md)."""

from fractions import Fraction

from assaygen import functions, types
from assaygen.elements import complex_functions, elementwise

WHY = elementwise.WHY | complex_functions.WHY | elementwise.REJECTED
# 8 units of 2^-p, as so many steps.
UNITS = {"f32": Fraction(7, 2), "f64": Fraction(7, 2)}


def cases():
    yield from elementwise.exact("sqrt", types.FLOATS, 1, functions.square_root)
    yield from elementwise.shapes("sqrt", types.F32, 1, functions.square_root)
    yield from complex_functions.cases("sqrt", "sqrt", UNITS)
    yield from elementwise.wrong_types("sqrt", types.FLOATS + types.COMPLEX)
