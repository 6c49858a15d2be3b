"""ceil: exact; keeps the sign of zero (spec/ops/ceil.md)."""

import math

from assaygen import elementwise

WHY = elementwise.WHY


def cases():
    yield from elementwise.to_integers("ceil", math.ceil)
