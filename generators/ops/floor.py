"""floor: exact; keeps the sign of zero (spec/ops/floor.md)."""

import math

from assaygen import types
from assaygen.elements import elementwise

WHY = elementwise.WHY | elementwise.REJECTED


def cases():
    yield from elementwise.to_integers("floor", math.floor)
    yield from elementwise.wrong_types("floor", types.FLOATS)
