"""acos: of reals, and of complex numbers part by part, by mpmath (spec/ops/acos.md)."""

from assaygen import types
from assaygen.elements import complex_functions, elementwise, real_functions

WHY = elementwise.WHY | complex_functions.WHY | elementwise.REJECTED


def cases():
    yield from real_functions.cases("acos")
    yield from complex_functions.cases("acos", "acos", {"f32": 3, "f64": 2})
    yield from elementwise.wrong_types("acos", types.FLOATS + types.COMPLEX)
