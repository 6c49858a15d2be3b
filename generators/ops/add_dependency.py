"""add-dependency: a value behind a token (spec/ops/add_dependency.md)."""

from assaygen import refused, types
from assaygen.programs import passing

WHY = passing.WHY
COUNT = 40
TOKEN = ("t",)
ROWS = [
    ("C1", "the second operand is an array", "f32[2]", "f32[2] add-dependency(p0, p0)"),
    ("C1", "the operands are exchanged", "f32[2]",
     "t = token[] after-all() ; f32[2] add-dependency(t, p0)"),
    ("C1", "the token is in a tuple", "f32[2]",
     "t = token[] after-all() ; u = (token[]) tuple(t) ; f32[2] add-dependency(p0, u)"),
]


def cases():
    for t in types.ALL:
        yield passing.handed("add-dependency", t, tokens=TOKEN)
    yield from passing.shapes("add-dependency", tokens=TOKEN)
    for number in range(COUNT):
        yield passing.random_tree("add-dependency", number, tokens=TOKEN)
    yield from refused.cases("add-dependency", ROWS)
