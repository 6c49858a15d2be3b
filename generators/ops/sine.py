"""sine: of complex numbers, part by part by mpmath (spec/ops/sine.md)."""

from assaygen import complex_functions

WHY = complex_functions.WHY


def cases():
    yield from complex_functions.cases("sine", "sin", {"f32": 2, "f64": 2})
