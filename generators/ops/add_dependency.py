"""add-dependency: a value behind a token (spec/ops/add_dependency.md)."""

from assaygen import refused, stated, types
from assaygen.cases import without
from assaygen.programs import passing

WHY = stated.WHY | without(passing.WHY, "Devices")
COUNT = 40
TOKEN = ("t",)
ROWS = [
    ("C1", "the second operand is an array", "f32[2]", "f32[2] add-dependency(p0, p0)"),
    ("C1", "the operands are exchanged", "f32[2]",
     "t = token[] after-all() ; f32[2] add-dependency(t, p0)"),
    ("C1", "the token is in a tuple", "f32[2]",
     "t = token[] after-all() ; u = (token[]) tuple(t) ; f32[2] add-dependency(p0, u)"),
]


STATED = [
    ("token",
     "a token behind a token orders an instruction, and changes no bits",
     "f32[3] 7fc00001 80000000 00000001",
     "t = token[] after-all() ; u = token[] after-all() ; v = token[] add-dependency(t, u) ; "
     "f32[3] add-dependency(p0, v)",
     "f32[3] 7fc00001 80000000 00000001"),
]


def cases():
    for t in types.ALL:
        yield passing.handed("add-dependency", t, tokens=TOKEN)
    yield from passing.shapes("add-dependency", tokens=TOKEN)
    for number in range(COUNT):
        yield passing.random_tree("add-dependency", number, tokens=TOKEN)
    yield from refused.cases("add-dependency", ROWS)
    yield from (stated.case(row, nan="same") for row in STATED)
