"""cosine: of complex numbers, part by part by mpmath (spec/ops/cosine.md)."""

from assaygen import complex_functions

WHY = complex_functions.WHY


def cases():
    yield from complex_functions.cases("cosine", "cos", {"f32": 2, "f64": 2})
