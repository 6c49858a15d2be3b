"""floor: exact; keeps the sign of zero (spec/ops/floor.md)."""

import math

from assaygen import elementwise, types, values

WHY = elementwise.WHY


def rule(t, code):
    value = types.decode(t, code)
    if value.kind != "finite":
        return types.encode(t, value)
    return types.encode(t, values.number(math.floor(value.exact), value.sign))


def cases():
    yield from elementwise.exact("floor", types.FLOATS, 1, rule)
    yield from elementwise.shapes("floor", types.BY_NAME["bf16"], 1, rule)
