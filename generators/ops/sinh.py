"""sinh: of complex numbers, part by part by mpmath (spec/ops/sinh.md)."""

from assaygen import complex_functions

WHY = complex_functions.WHY


def cases():
    yield from complex_functions.cases("sinh", "sinh", {"f32": 3, "f64": 2})
