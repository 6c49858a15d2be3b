"""shift-right-logical: divides unsigned numbers by powers of two, rounding down
(spec/ops/shift_right_logical.md)."""

from assaygen.elements import shifts

WHY = shifts.WHY


def shifted(t, code, amount):
    return 0 if amount >= t.bits else code // 2 ** amount


def cases():
    yield from shifts.cases("shift-right-logical", shifted)
