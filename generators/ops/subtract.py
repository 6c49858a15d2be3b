"""subtract: all types but pred (spec/ops/subtract.md)."""

from assaygen import types, values
from assaygen.elements import elementwise, mixed_types

WHY = elementwise.WHY | mixed_types.WHY | elementwise.REJECTED
RULE = elementwise.by_class(
    integer=lambda t, a, b: a - b,
    real=elementwise.lift(lambda a, b: values.add(a, b.negated())))


def cases():
    yield from elementwise.exact("subtract", types.ALL[1:], 2, RULE)
    yield from elementwise.shapes("subtract", types.F64, 2, RULE)
    yield from mixed_types.cases("subtract", lambda a, b: values.add(a, b.negated()),
                                 lambda tie, b: tie + b)
    yield from elementwise.wrong_types("subtract", types.ALL[1:], 2)
