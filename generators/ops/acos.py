"""acos: of complex numbers, part by part by mpmath (spec/ops/acos.md)."""

from assaygen import complex_functions

WHY = complex_functions.WHY


def cases():
    yield from complex_functions.cases("acos", "acos", {"f32": 3, "f64": 2})
