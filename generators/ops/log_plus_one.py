"""log-plus-one: of reals, and of complex numbers part by part, by mpmath
(spec/ops/log_plus_one.md)."""

from assaygen import complex_functions, elementwise, real_functions, types

WHY = elementwise.WHY | complex_functions.WHY | elementwise.REJECTED


def cases():
    yield from real_functions.cases("log-plus-one")
    yield from complex_functions.cases("log-plus-one", "log1p", {"f32": 1, "f64": 1})
    yield from elementwise.wrong_types("log-plus-one", types.FLOATS + types.COMPLEX)
