"""tanh: correctly rounded by mpmath (spec/ops/tanh.md)."""

import mpmath

from assaygen import functions, types
from assaygen.elements import complex_functions, elementwise

WHY = elementwise.WHY | complex_functions.WHY | elementwise.REJECTED
RULE = functions.function(functions.hyperbolic_tangent, lambda x: None, mpmath.tanh)
REAL = elementwise.RealFunction("tanh", RULE, {"f32": 3, "f64": 2}, (-1, 1))


def cases():
    yield from REAL.of_types()
    yield from REAL.of_shapes(types.F32)
    yield from complex_functions.cases("tanh", "tanh", {"f32": 3, "f64": 2})
    yield from elementwise.wrong_types("tanh", types.FLOATS + types.COMPLEX)
