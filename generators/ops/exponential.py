"""exponential: correctly rounded by mpmath (spec/ops/exponential.md)."""

import mpmath

from assaygen import functions, types
from assaygen.elements import complex_functions, elementwise

WHY = elementwise.WHY | complex_functions.WHY | elementwise.REJECTED
RULE = functions.function(functions.exponential, lambda x: None, mpmath.exp)
REAL = elementwise.RealFunction("exponential", RULE, {"f32": 2, "f64": 1}, (0, None))


def cases():
    yield from REAL.of_types()
    yield REAL.of_edges("88.72284", "-103.972084")
    yield from REAL.of_shapes(types.F32)
    yield from complex_functions.cases("exponential", "exp", {"f32": 2, "f64": 1})
    yield from elementwise.wrong_types("exponential", types.FLOATS + types.COMPLEX)
