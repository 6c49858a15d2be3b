"""power: of complex numbers, part by part by mpmath (spec/ops/power.md)."""

from assaygen import complex_functions, elementwise, types

WHY = complex_functions.WHY | elementwise.REJECTED


def cases():
    yield from complex_functions.cases("power", "pow", {"f32": 2, "f64": 2})
    yield from elementwise.wrong_types("power", types.ALL[1:], 2)
