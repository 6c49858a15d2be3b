"""sinh: of reals, and of complex numbers part by part, by mpmath (spec/ops/sinh.md)."""

from assaygen import types
from assaygen.elements import complex_functions, elementwise, real_functions

WHY = elementwise.WHY | complex_functions.WHY | elementwise.REJECTED


def cases():
    yield from real_functions.cases("sinh")
    yield real_functions.real("sinh").of_edges("89.415985")
    yield from complex_functions.cases("sinh", "sinh", {"f32": 3, "f64": 2})
    yield from elementwise.wrong_types("sinh", types.FLOATS + types.COMPLEX)
