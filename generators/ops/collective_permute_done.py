"""collective-permute-done: waits (spec/ops/collective_permute_done.md)."""

from assaygen import refused
from assaygen.programs import flights as f

from ops import collective_permute_start

WHY = collective_permute_start.WHY
ROWS = [
    ("C1", "the operand is an array", "f32[4]", "f32[4] collective-permute-done(p0)"),
    ("C1", "the operand has one part", "(f32[4])", "f32[4] collective-permute-done(p0)"),
    ("C1", "the operand is the empty tuple", "() ; f32[4]",
     "f32[4] collective-permute-done(p0)"),
]


def cases():
    for number in range(f.COUNT):
        yield collective_permute_start.one(number, "collective-permute-done")
    yield from refused.cases("collective-permute-done", ROWS)
