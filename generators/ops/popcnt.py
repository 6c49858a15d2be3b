"""popcnt: ones in the type's own width (spec/ops/popcnt.md)."""

from assaygen import types
from assaygen.elements import elementwise

WHY = elementwise.WHY | {"Rejected": "the element type is not allowed"}


def rule(t, code):
    return t.wrap(code.bit_count())


def cases():
    yield from elementwise.exact("popcnt", types.INTS, 1, rule)
    yield from elementwise.shapes("popcnt", types.BY_NAME["u16"], 1, rule)
    yield elementwise.wrong_type("popcnt", types.F32, 1, "popcnt.C1")
