"""tan: of reals, and of complex numbers part by part, by mpmath (spec/ops/tan.md)."""

from assaygen import types
from assaygen.elements import complex_functions, elementwise, real_functions

WHY = elementwise.WHY | complex_functions.WHY | elementwise.REJECTED


def cases():
    yield from real_functions.cases("tan")
    yield from complex_functions.cases("tan", "tan", {"f32": 3, "f64": 2})
    yield from elementwise.wrong_types("tan", types.FLOATS + types.COMPLEX)
