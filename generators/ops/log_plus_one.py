"""log-plus-one: of reals, and of complex numbers part by part, by mpmath
(spec/ops/log_plus_one.md)."""

from assaygen import types
from assaygen.elements import complex_functions, elementwise, real_functions

WHY = elementwise.WHY | complex_functions.WHY | elementwise.REJECTED


def cases():
    yield from real_functions.cases("log-plus-one")
    yield from complex_functions.cases("log-plus-one", "log1p", {"f32": 1, "f64": 1})
    yield from elementwise.wrong_types("log-plus-one", types.FLOATS + types.COMPLEX)
