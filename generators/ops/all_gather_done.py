"""all-gather-done: waits (spec/ops/all_gather_done.md)."""

from assaygen import refused
from assaygen.cases import without
from assaygen.programs import flights as f

from ops import all_gather_start

WHY = without(f.WHY, "Halves", "Random")
ROWS = [
    ("C1", "the operand is an array", "f32[4]", "f32[4] all-gather-done(p0)"),
    ("C1", "the operand has one part", "(f32[4])", "f32[4] all-gather-done(p0)"),
    ("C1", "the operand has three parts", "(f32[2], f32[4], u32[])",
     "f32[4] all-gather-done(p0)"),
]


def cases():
    for number in range(f.COUNT):
        yield all_gather_start.one(number, "all-gather-done")
    yield from refused.cases("all-gather-done", ROWS)
