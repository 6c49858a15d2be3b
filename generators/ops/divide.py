"""divide: correctly rounded quotients, integers toward zero (spec/ops/divide.md)."""

from assaygen import types, values
from assaygen.elements import complex_arithmetic, elementwise, mixed_types

WHY = elementwise.WHY | complex_arithmetic.WHY | mixed_types.WHY | elementwise.REJECTED


def quotient(t, a, b):
    if b == 0:
        return -1
    magnitude = abs(a) // abs(b)
    return magnitude if (a < 0) == (b < 0) else -magnitude


RULE = elementwise.by_class(integer=quotient, real=elementwise.lift(values.divide))


def cases():
    yield from elementwise.exact("divide", types.INTS + types.FLOATS, 2, RULE)
    yield from elementwise.shapes("divide", types.F32, 2, RULE)
    yield from complex_arithmetic.quotients()
    yield from mixed_types.cases("divide", values.divide, lambda tie, b: tie * b)
    yield from elementwise.wrong_types("divide", types.ALL[1:], 2)
