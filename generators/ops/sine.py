"""sine: of complex numbers, part by part by mpmath (spec/ops/sine.md)."""

from assaygen import complex_functions, elementwise, types

WHY = complex_functions.WHY | elementwise.REJECTED


def cases():
    yield from complex_functions.cases("sine", "sin", {"f32": 2, "f64": 2})
    yield from elementwise.wrong_types("sine", types.FLOATS + types.COMPLEX)
