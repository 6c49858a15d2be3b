"""domain: hands its operand on (spec/ops/domain.md)."""

from assaygen import types
from assaygen.cases import without
from assaygen.programs import passing

WHY = without(passing.WHY, "Devices", "Rejected")
COUNT = 40
ONE = ', domain={kind="sharding", entry={maximal device=0}, exit={maximal device=1}}'


def cases():
    for t in types.ALL:
        yield passing.handed("domain", t, ONE)
    yield from passing.shapes("domain", ONE)
    for number in range(COUNT):
        yield passing.random_tree("domain", number, lambda form: ', domain={kind="sharding", '
                                  'entry={}, exit={}}')
