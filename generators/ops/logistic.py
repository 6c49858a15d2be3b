"""logistic: 1 / (1 + exp(-x)), rounded once (spec/ops/logistic.md)."""

import mpmath

from assaygen import functions, types
from assaygen.elements import complex_functions, elementwise

WHY = elementwise.WHY | complex_functions.WHY | elementwise.REJECTED


def evaluate(x):
    return 1 / (1 + mpmath.exp(-x))


RULE = functions.function(functions.logistic, lambda x: None, evaluate)


def cases():
    yield from elementwise.real_function("logistic", RULE, {"f32": 3, "f64": 3},
                                         within=(0, 1))
    yield from complex_functions.cases("logistic", "logistic", {"f32": 3, "f64": 3})
    yield from elementwise.wrong_types("logistic", types.FLOATS + types.COMPLEX)
