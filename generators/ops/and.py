"""and: bitwise on integers, logical on pred (spec/ops/and.md)."""

from assaygen import types
from assaygen.elements import elementwise

WHY = elementwise.WHY | elementwise.REJECTED


def rule(t, a, b):
    return a & b


def cases():
    yield from elementwise.exact("and", [types.PRED, *types.INTS], 2, rule)
    yield from elementwise.shapes("and", types.PRED, 2, rule)
    yield from elementwise.wrong_types("and", [types.PRED, *types.INTS], 2)
