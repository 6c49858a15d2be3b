"""acosh: of reals, and of complex numbers part by part, by mpmath (spec/ops/acosh.md)."""

from assaygen import types
from assaygen.elements import complex_functions, elementwise, real_functions

WHY = elementwise.WHY | complex_functions.WHY | elementwise.REJECTED


def cases():
    yield from real_functions.cases("acosh")
    yield from complex_functions.cases("acosh", "acosh", {"f32": 4, "f64": 2})
    yield from elementwise.wrong_types("acosh", types.FLOATS + types.COMPLEX)
