"""rsqrt: 1 / sqrt(x), rounded once (spec/ops/rsqrt.md)."""

import mpmath

from assaygen import functions, types
from assaygen.elements import complex_functions, elementwise

WHY = elementwise.WHY | complex_functions.WHY | elementwise.REJECTED


def evaluate(x):
    return 1 / mpmath.sqrt(x)


RULE = functions.function(functions.reciprocal_root, functions.inverse_root, evaluate)
REAL = elementwise.RealFunction("rsqrt", RULE, {"f32": 2, "f64": 1})


def cases():
    yield from REAL.of_types()
    yield from REAL.of_shapes(types.F32)
    yield from complex_functions.cases("rsqrt", "rsqrt", {"f32": 2, "f64": 1})
    yield from elementwise.wrong_types("rsqrt", types.FLOATS + types.COMPLEX)
