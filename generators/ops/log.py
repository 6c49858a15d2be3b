"""log: correctly rounded by mpmath (spec/ops/log.md)."""

import mpmath

from assaygen import functions, types
from assaygen.elements import complex_functions, elementwise

WHY = elementwise.WHY | complex_functions.WHY | elementwise.REJECTED
RULE = functions.function(functions.logarithm, lambda x: 0 if x == 1 else None, mpmath.log)
REAL = elementwise.RealFunction("log", RULE, {"f32": 2, "f64": 1})


def cases():
    yield from REAL.of_types()
    yield from REAL.of_shapes(types.F32)
    yield from complex_functions.cases("log", "log", {"f32": 2, "f64": 1})
    yield from elementwise.wrong_types("log", types.FLOATS + types.COMPLEX)
