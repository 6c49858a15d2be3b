"""async-done: the results, in any order (spec/ops/async_done.md)."""

from assaygen import refused, stated
from assaygen.programs import bindings

WHY = stated.WHY | bindings.WHY
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

STATE = "((f32[4], s32[2]), (s32[2], f32[4]), u32[])"
STATED = [
    (f"state_through_{name}", f"the state goes through {name}",
     "f32[4] 3f800000 40000000 7fc00001 80000000 ; s32[2] 00000005 ffffffff",
     f"s = {STATE} async-start(p0, p1), calls=w ; {step} ; (s32[2], f32[4]) async-done(u)",
     "s32[2] 00000005 ffffffff ; f32[4] 3f800000 40000000 7fc00001 80000000")
    for name, step in [
        ("copy", f"u = {STATE} copy(s)"),
        ("opt_barrier", f"u = {STATE} opt-barrier(s)"),
        ("tuple", f"t = ({STATE}, f32[4]) tuple(s, p0) ; "
                  f"u = {STATE} get-tuple-element(t), index=0"),
    ]
]


def cases():
    yield from bindings.cases("async-done")
    yield from (stated.case(row, regions=bindings.WRAPPED + "\n\n", nan="same")
                for row in STATED)
    yield from refused.cases("async-done", ROWS, bindings.WRAPPED)
