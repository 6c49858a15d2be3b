"""shift-right-arithmetic: divides by powers of two, rounding down; the highest
bit counts as a sign in unsigned types too (spec/ops/shift_right_arithmetic.md)."""

from assaygen.elements import shifts

WHY = shifts.WHY


def shifted(t, code, amount):
    negative = code >= 1 << (t.bits - 1)
    number = code - (1 << t.bits) if negative else code
    if amount >= t.bits:
        return -1 if negative else 0
    return number // 2 ** amount


def cases():
    yield from shifts.cases("shift-right-arithmetic", shifted)
