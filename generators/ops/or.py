"""or: bitwise on integers, logical on pred (spec/ops/or.md)."""

from assaygen import elementwise, types

WHY = elementwise.WHY | {"Rejected": "the element type is not allowed"}


def rule(t, a, b):
    return a | b


def cases():
    yield from elementwise.exact("or", [types.PRED, *types.INTS], 2, rule)
    yield from elementwise.shapes("or", types.PRED, 2, rule)
    yield elementwise.wrong_type("or", types.F32, 2, "or.C2")
