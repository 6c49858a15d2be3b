"""log-plus-one: of complex numbers, part by part by mpmath (spec/ops/log_plus_one.md)."""

from assaygen import complex_functions

WHY = complex_functions.WHY


def cases():
    yield from complex_functions.cases("log-plus-one", "log1p", {"f32": 1, "f64": 1})
