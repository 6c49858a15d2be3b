"""opt-barrier: hands its operand on (spec/ops/opt_barrier.md)."""

from assaygen import types
from assaygen.cases import without
from assaygen.programs import passing

WHY = without(passing.WHY, "Devices", "Rejected")
COUNT = 40


def cases():
    for t in types.ALL:
        yield passing.handed("opt-barrier", t)
    yield from passing.shapes("opt-barrier")
    for number in range(COUNT):
        yield passing.random_tree("opt-barrier", number)
