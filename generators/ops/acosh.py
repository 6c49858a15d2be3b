"""acosh: of complex numbers, part by part by mpmath (spec/ops/acosh.md)."""

from assaygen import complex_functions

WHY = complex_functions.WHY


def cases():
    yield from complex_functions.cases("acosh", "acosh", {"f32": 4, "f64": 2})
