"""maximum: NaN wins, -0 is below +0 (spec/ops/maximum.md)."""

from assaygen import types, values
from assaygen.elements import elementwise

WHY = elementwise.WHY | elementwise.REJECTED
RULE = elementwise.by_class(pred=lambda a, b: a | b, integer=lambda t, a, b: max(a, b),
                            real=elementwise.lift(values.maximum))


def cases():
    yield from elementwise.exact("maximum", [types.PRED, *types.INTS, *types.FLOATS],
                                 2, RULE)
    yield from elementwise.shapes("maximum", types.BY_NAME["f8e4m3fn"], 2, RULE)
    yield from elementwise.wrong_types("maximum", [types.PRED, *types.INTS, *types.FLOATS], 2)
