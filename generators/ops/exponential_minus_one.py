"""exponential-minus-one: of complex numbers, part by part by mpmath (spec/ops/exponential_minus_one.md)."""

from assaygen import complex_functions

WHY = complex_functions.WHY


def cases():
    yield from complex_functions.cases("exponential-minus-one", "expm1", {"f32": 1, "f64": 2})
