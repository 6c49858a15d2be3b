"""ceil: exact; keeps the sign of zero (spec/ops/ceil.md)."""

import math

from assaygen import types
from assaygen.elements import elementwise

WHY = elementwise.WHY | elementwise.REJECTED


def cases():
    yield from elementwise.to_integers("ceil", math.ceil)
    yield from elementwise.wrong_types("ceil", types.FLOATS)
