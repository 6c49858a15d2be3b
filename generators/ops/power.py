"""power: of complex numbers, part by part by mpmath (spec/ops/power.md)."""

from assaygen import complex_functions

WHY = complex_functions.WHY


def cases():
    yield from complex_functions.cases("power", "pow", {"f32": 2, "f64": 2})
