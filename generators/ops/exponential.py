"""exponential: correctly rounded by mpmath (spec/ops/exponential.md)."""

import mpmath

from assaygen import functions, types
from assaygen.elements import complex_functions, elementwise

WHY = elementwise.WHY | complex_functions.WHY | elementwise.REJECTED
RULE = functions.function(functions.exponential, lambda x: None, mpmath.exp)


def cases():
    yield from elementwise.real_function("exponential", RULE, {"f32": 2, "f64": 1},
                                         within=(0, None))
    yield from complex_functions.cases("exponential", "exp", {"f32": 2, "f64": 1})
    yield from elementwise.wrong_types("exponential", types.FLOATS + types.COMPLEX)
