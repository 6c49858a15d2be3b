"""asinh: of complex numbers, part by part by mpmath (spec/ops/asinh.md)."""

from assaygen import complex_functions

WHY = complex_functions.WHY


def cases():
    yield from complex_functions.cases("asinh", "asinh", {"f32": 2, "f64": 2})
