"""xor: bitwise on integers, logical on pred (spec/ops/xor.md)."""

from assaygen import types
from assaygen.elements import elementwise

WHY = elementwise.WHY | elementwise.REJECTED


def rule(t, a, b):
    return a ^ b


def cases():
    yield from elementwise.exact("xor", [types.PRED, *types.INTS], 2, rule)
    yield from elementwise.shapes("xor", types.PRED, 2, rule)
    yield from elementwise.wrong_types("xor", [types.PRED, *types.INTS], 2)
