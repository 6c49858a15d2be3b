"""is-finite: false for infinities and NaN alone (spec/ops/is_finite.md)."""

from assaygen import types
from assaygen.elements import elementwise

WHY = elementwise.WHY | elementwise.REJECTED


def rule(t, code):
    return int(types.decode(t, code).kind in ("zero", "finite"))


def to_pred(_):
    return types.PRED


def cases():
    yield from elementwise.exact("is-finite", types.FLOATS, 1, rule, result=to_pred)
    yield from elementwise.shapes("is-finite", types.F32, 1, rule, result=to_pred)
    for t in (types.S32, types.PRED, types.C64):
        yield elementwise.wrong_type("is-finite", t, 1, "is-finite.C1", out=types.PRED)
