"""cosh: of complex numbers, part by part by mpmath (spec/ops/cosh.md)."""

from assaygen import complex_functions

WHY = complex_functions.WHY


def cases():
    yield from complex_functions.cases("cosh", "cosh", {"f32": 2, "f64": 2})
