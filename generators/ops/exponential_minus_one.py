"""exponential-minus-one: of reals, and of complex numbers part by part, by mpmath
(spec/ops/exponential_minus_one.md)."""

from assaygen import types
from assaygen.elements import complex_functions, elementwise, real_functions

WHY = elementwise.WHY | complex_functions.WHY | elementwise.REJECTED


def cases():
    yield from real_functions.cases("exponential-minus-one")
    yield from complex_functions.cases("exponential-minus-one", "expm1", {"f32": 1, "f64": 2})
    yield from elementwise.wrong_types("exponential-minus-one", types.FLOATS + types.COMPLEX)
