"""logistic: 1 / (1 + exp(-x)), rounded once (spec/ops/logistic.md)."""

import mpmath

from assaygen import functions, types
from assaygen.elements import complex_functions, elementwise

WHY = elementwise.WHY | complex_functions.WHY | elementwise.REJECTED


def evaluate(x):
    return 1 / (1 + mpmath.exp(-x))


RULE = functions.function(functions.logistic, lambda x: None, evaluate)
REAL = elementwise.RealFunction("logistic", RULE, {"f32": 3, "f64": 3}, (0, 1))


def cases():
    yield from REAL.of_types()
    yield REAL.of_edges("17.32868", "-103.97208")
    yield from REAL.of_shapes(types.F32)
    yield from complex_functions.cases("logistic", "logistic", {"f32": 3, "f64": 3})
    yield from elementwise.wrong_types("logistic", types.FLOATS + types.COMPLEX)
