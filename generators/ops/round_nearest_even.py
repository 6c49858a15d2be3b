"""round-nearest-even: exact; keeps the sign of zero (spec/ops/round_nearest_even.md)."""

from assaygen.elements import rounding

WHY = rounding.WHY


def cases():
    yield from rounding.cases("round-nearest-even", round)  # of a Fraction: halves to even
