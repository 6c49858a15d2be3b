"""minimum: NaN wins, -0 is below +0 (spec/ops/minimum.md)."""

from assaygen import types, values
from assaygen.elements import elementwise

WHY = elementwise.WHY | elementwise.REJECTED
RULE = elementwise.by_class(pred=lambda a, b: a & b, integer=lambda t, a, b: min(a, b),
                            real=elementwise.lift(values.minimum))


def cases():
    yield from elementwise.exact("minimum", [types.PRED, *types.INTS, *types.FLOATS],
                                 2, RULE)
    yield from elementwise.shapes("minimum", types.F32, 2, RULE)
    yield from elementwise.wrong_types("minimum", [types.PRED, *types.INTS, *types.FLOATS], 2)
