"""copy-start and copy-done: any bits of any type (spec/ops/copy_start.md)."""

from assaygen import movement
from assaygen.cases import Case, bits, without
from assaygen.program import Program

WHY = without(movement.WHY, "Edge", "Layout", "Random", "Rejected", "Shape")


def cases():
    for t in movement.ALL:
        operand = movement.any_bits("copy-start", t, (3, 4))
        shape = operand.shape
        program = Program("m", [operand])
        program.line(f"s = ({shape}, {shape}, u32[]) copy-start(p0)")
        program.root(shape, "copy-done(s)")
        yield Case(f"{t.name}/3x4", "a copy in two halves", program,
                   [bits(operand, "same")], ["Type"])
