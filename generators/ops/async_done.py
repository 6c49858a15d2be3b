"""async-done: the results, in any order (spec/ops/async_done.md)."""

from assaygen import refused
from assaygen.programs import bindings

WHY = bindings.WHY
ROWS = [
    ("C1", "one of two operands is bound", "f32[4]",
     "s = ((f32[4]), (s32[2], f32[4]), u32[]) async-start(p0), calls=w ; "
     "(s32[2], f32[4]) async-done(s)"),
    ("C1", "no operand is bound", "f32[4]",
     "s = ((), (), u32[]) async-start(), calls=w ; (s32[2], f32[4]) async-done(s)"),
    ("C1", "an update binds none", "f32[4]",
     "s = ((f32[4]), (), u32[]) async-start(p0), calls=w ; "
     "u = ((f32[4]), (), u32[]) async-update(s) ; (s32[2], f32[4]) async-done(u)"),
    ("C2", "the carried result is of another type", "f32[4] ; s32[2]",
     "s = ((f32[4], s32[2]), (s32[2], f32[4]), u32[]) async-start(p0, p1), calls=w ; "
     "t = (((f32[4], s32[2]), (s32[2], f32[4]), u32[])) tuple(s) ; "
     "u = ((f32[4], s32[2]), (s32[2], f32[4]), u32[]) get-tuple-element(t), index=0 ; "
     "(s32[2], s32[4]) async-done(u)"),
]


def cases():
    yield from bindings.cases("async-done")
    yield from refused.cases("async-done", ROWS, bindings.WRAPPED)
