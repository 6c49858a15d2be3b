"""asinh: of reals, and of complex numbers part by part, by mpmath (spec/ops/asinh.md)."""

from assaygen import types
from assaygen.elements import complex_functions, elementwise, real_functions

WHY = elementwise.WHY | complex_functions.WHY | elementwise.REJECTED


def cases():
    yield from real_functions.cases("asinh")
    yield from complex_functions.cases("asinh", "asinh", {"f32": 2, "f64": 2})
    yield from elementwise.wrong_types("asinh", types.FLOATS + types.COMPLEX)
