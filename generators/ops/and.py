"""and: bitwise on integers, logical on pred (spec/ops/and.md)."""

from assaygen import elementwise, types

WHY = elementwise.WHY | {"Rejected": "the element type is not allowed"}


def rule(t, a, b):
    return a & b


def cases():
    yield from elementwise.exact("and", [types.PRED, *types.INTS], 2, rule)
    yield from elementwise.shapes("and", types.PRED, 2, rule)
    yield elementwise.wrong_type("and", types.F32, 2, "and.C2")
