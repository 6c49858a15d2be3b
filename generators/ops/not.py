"""not: bitwise on integers, logical on pred (spec/ops/not.md)."""

from assaygen import types
from assaygen.elements import elementwise

WHY = elementwise.WHY | elementwise.REJECTED


def rule(t, a):
    return t.wrap(~a)


def cases():
    yield from elementwise.exact("not", [types.PRED, *types.INTS], 1, rule)
    yield from elementwise.shapes("not", types.BY_NAME["u8"], 1, rule)
    yield from elementwise.wrong_types("not", [types.PRED, *types.INTS])
