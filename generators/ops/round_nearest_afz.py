"""round-nearest-afz: exact; keeps the sign of zero (spec/ops/round_nearest_afz.md)."""

import math
from fractions import Fraction

from assaygen.elements import rounding

WHY = rounding.WHY


def away_from_zero(x: Fraction) -> int:
    return math.floor(abs(x) + Fraction(1, 2)) * (1 if x > 0 else -1)


def cases():
    yield from rounding.cases("round-nearest-afz", away_from_zero)
