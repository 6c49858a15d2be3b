"""shift-left: multiplies by powers of two, wrapped (spec/ops/shift_left.md)."""

from assaygen.elements import shifts

WHY = shifts.WHY


def shifted(t, code, amount):
    return 0 if amount >= t.bits else code * 2 ** amount


def cases():
    yield from shifts.cases("shift-left", shifted)
