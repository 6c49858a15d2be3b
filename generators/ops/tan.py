"""tan: of complex numbers, part by part by mpmath (spec/ops/tan.md)."""

from assaygen import complex_functions, elementwise, types

WHY = complex_functions.WHY | elementwise.REJECTED


def cases():
    yield from complex_functions.cases("tan", "tan", {"f32": 3, "f64": 2})
    yield from elementwise.wrong_types("tan", types.FLOATS + types.COMPLEX)
