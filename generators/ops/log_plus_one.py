"""log-plus-one: of complex numbers, part by part by mpmath (spec/ops/log_plus_one.md)."""

from assaygen import complex_functions, elementwise, types

WHY = complex_functions.WHY | elementwise.REJECTED


def cases():
    yield from complex_functions.cases("log-plus-one", "log1p", {"f32": 1, "f64": 1})
    yield from elementwise.wrong_types("log-plus-one", types.FLOATS + types.COMPLEX)
