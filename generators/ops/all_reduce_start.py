"""all-reduce-start: several at once (spec/ops/all_reduce_start.md);
all_reduce.py has single ones."""

from assaygen import collectives as c, refused
from assaygen.programs import flights as f, reductions as r
from assaygen.cases import Case, without
from assaygen.streams import Stream

WHY = without(f.WHY | r.WHY, "AnyOrder", "Halves", "Order", "Random", "Type")
REGIONS = """sum {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}

first {
  ROOT a = f32[] parameter(0)
}

less {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = (f32[]) tuple(a)
}"""


def row(rule: str, statement: str, shape: str, combiner: str):
    return (rule, statement, shape, f"s = {shape} all-reduce-start(p0), to_apply={combiner}"
            f" ; {shape} all-reduce-done(s)")


ROWS = [
    row("C1", "the combiner takes one scalar", "f32[4]", "first"),
    row("C1", "the combiner returns a tuple", "f32[4]", "less"),
    row("C1", "the combiner is of another type", "c64[4]", "sum"),
    row("C2", "the operand is a tuple", "(f32[4], f32[4])", "sum"),
    row("C2", "the operand is the empty tuple in a tuple", "(f32[], ())", "sum"),
]


def one(number: int, kind=None, op: str = "all-reduce-start"):
    """All operations of a case have one combiner and one type."""
    stream = Stream(op, number)
    at = c.setting(stream, r.MODES, c.free_groups)
    t, name = kind or r.draw(stream)
    found, expect = [], {x: [] for x in at.devices}
    for k in range(1 + stream.below(3)):
        tables, shapes = [], {x: [] for x in at.devices}
        for j in range(1 + stream.below(3)):
            dims = c.dims_of(stream)
            table = r.operands(f"{op}{k}_{j}", number, at, t, dims)
            tables.append(table)
            for x in at.devices:
                shapes[x].append(table[x])
                expect[x].append(r.expectation(*r.combined(table, at.members(x), dims, t, name)))
        found.append(f.Flight(tables, shapes, f"to_apply=f{at.attributes}"))
    text = f.program(stream, "all-reduce", at, found, lambda given, result: result,
                     r.region(t, name))
    sets = [x for d in at.devices for x in expect[d]]
    return Case(f"{t.name}/several_{number:03}", f"{name}, {len(found)} at once, {at.words}",
                text, sets, ["Several"], f.inputs(at, found))


def cases():
    yield from map(one, range(f.COUNT))
    yield from r.of_types(one)
    yield from refused.cases("all-reduce-start", ROWS, REGIONS)
