"""all-gather-start: several at once (spec/ops/all_gather_start.md); all_gather.py
has single ones."""

from assaygen import collectives as c, refused
from assaygen.programs import flights as f
from assaygen.cases import bits, without
from assaygen.streams import Stream

from ops import all_gather

WHY = without(f.WHY, "Halves", "Random")
ROWS = [
    ("C1", "the result is the gathered array", "f32[2]",
     "s = f32[4] all-gather-start(p0), replica_groups={{0,1}}, dimensions={0} ; "
     "f32[4] all-gather-done(s)"),
    ("C1", "the state has three parts", "f32[2]",
     "s = (f32[2], f32[4], u32[]) all-gather-start(p0), replica_groups={{0,1}}, "
     "dimensions={0} ; f32[4] all-gather-done(s)"),
    ("C1", "the state holds another operand", "f32[2]",
     "s = (f32[3], f32[4]) all-gather-start(p0), replica_groups={{0,1}}, "
     "dimensions={0} ; f32[4] all-gather-done(s)"),
    ("C1", "the state is flat for two operands", "f32[2]",
     "s = (f32[2], f32[2], f32[4], f32[4]) all-gather-start(p0, p0), "
     "replica_groups={{0,1}}, dimensions={0} ; "
     "(f32[4], f32[4]) all-gather-done(s)"),
]


def one(number: int, op: str = "all-gather-start"):
    stream = Stream(op, number)
    at = c.setting(stream, all_gather.MODES, c.equal_groups)
    rank, found = 1 + stream.below(3), []
    for k in range(1 + stream.below(3)):
        d, tables, gathered = stream.below(rank), [], {x: [] for x in at.devices}
        for j in range(1 + stream.below(3)):
            t, dims = c.random_type(stream), tuple(1 + stream.below(3) for _ in range(rank))
            table = c.operands(op, number, at, t, dims, f"{k}_{j}")
            tables.append(table)
            for x in at.devices:
                gathered[x].append(all_gather.gathered(table, at.members(x), dims, d, t))
        found.append(f.Flight(tables, gathered, f"dimensions={{{d}}}{at.attributes}"))
    text = f.program(stream, "all-gather", at, found,
                     lambda given, result: f"({given}, {result})")
    return f.case(number, f"{len(found)} at once", at, found, text,
                  [bits(x, "same") for x in f.results(at, found)])


def cases():
    yield from map(one, range(f.COUNT))
    yield from refused.cases("all-gather-start", ROWS)
