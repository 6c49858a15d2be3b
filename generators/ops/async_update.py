"""async-update: binds further operands (spec/ops/async_update.md)."""

from assaygen import refused
from assaygen.programs import bindings

WHY = bindings.WHY


def row(rule: str, statement: str, shapes: str, state: str, operands: str = "p1"):
    return (rule, statement, shapes,
            "s = ((f32[4]), (), u32[]) async-start(p0), calls=w ; "
            f"u = {state} async-update(s, {operands}) ; "
            "(s32[2], f32[4]) async-done(u)")


ROWS = [
    row("C1", "the new operand is missing in the state", "f32[4] ; s32[2]",
        "((f32[4]), (s32[2], f32[4]), u32[])"),
    row("C1", "the state holds another operand", "f32[4] ; s32[2]",
        "((f32[4], s32[3]), (s32[2], f32[4]), u32[])"),
    row("C1", "the operands are exchanged in the state", "f32[4] ; s32[2]",
        "((s32[2], f32[4]), (s32[2], f32[4]), u32[])"),
    row("C2", "the new operand has another size", "f32[4] ; s32[3]",
        "((f32[4], s32[3]), (s32[2], f32[4]), u32[])"),
    row("C2", "an operand too much", "f32[4] ; s32[2]",
        "((f32[4], s32[2], s32[2]), (s32[2], f32[4]), u32[])", "p1, p1"),
    row("C3", "the result is exchanged", "f32[4] ; s32[2]",
        "((f32[4], s32[2]), (f32[4], s32[2]), u32[])"),
    row("C3", "the result is an array of it", "f32[4] ; s32[2]",
        "((f32[4], s32[2]), s32[2], u32[])"),
]


def cases():
    yield from bindings.cases("async-update")
    yield from refused.cases("async-update", ROWS, bindings.WRAPPED)
