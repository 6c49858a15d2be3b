"""cosh: of reals, and of complex numbers part by part, by mpmath (spec/ops/cosh.md)."""

from assaygen import types
from assaygen.elements import complex_functions, elementwise, real_functions

WHY = elementwise.WHY | complex_functions.WHY | elementwise.REJECTED


def cases():
    yield from real_functions.cases("cosh")
    yield from complex_functions.cases("cosh", "cosh", {"f32": 2, "f64": 2})
    yield from elementwise.wrong_types("cosh", types.FLOATS + types.COMPLEX)
