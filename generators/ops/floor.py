"""floor: exact; keeps the sign of zero (spec/ops/floor.md)."""

import math

from assaygen import elementwise

WHY = elementwise.WHY


def cases():
    yield from elementwise.to_integers("floor", math.floor)
