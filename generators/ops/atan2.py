"""atan2: of complex numbers, part by part by mpmath (spec/ops/atan2.md)."""

from assaygen import complex_functions, elementwise, types

WHY = complex_functions.WHY | elementwise.REJECTED


def cases():
    yield from complex_functions.cases("atan2", "atan2", {"f32": 3, "f64": 2})
    yield from elementwise.wrong_types("atan2", types.FLOATS + types.COMPLEX, 2)
