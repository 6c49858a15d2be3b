"""ragged-all-to-all: random sizes (spec/ops/ragged_all_to_all.md)."""

from assaygen import arrays, collectives as c, types
from assaygen.arrays import Array
from assaygen.streams import Stream

WHY = {**c.WHY, "Updates": "several slices for each member"}
MODES = (c.REPLICAS, c.PARTITIONS)
MOST = 3  # rows of a slice
S32 = types.BY_NAME["s32"]


class Plan:
    """What each device sends: (from, count, to) for each member and slice."""

    def __init__(self, stream: Stream, at: c.Setting, slices: int) -> None:
        self.slices, self.n = slices, at.size()
        self.rows = self.n * slices * MOST
        last = self.rows - MOST
        self.sent = {(x, y, u): (stream.below(last + 1), stream.below(MOST + 1))
                     for x in at.devices for y in at.members(x) for u in range(slices)}
        self.places = {y: c.shuffled(stream, range(self.n * slices))
                       for y in at.devices}

    def place(self, at, x, y, u) -> int:
        """Slices of a receiver lie in blocks of their own."""
        return MOST * self.places[y][at.members(y).index(x) * self.slices + u]

    def table(self, at, value, rank: int):
        dims = (self.n * self.slices,) if rank == 1 else (self.n, self.slices)
        return {x: Array(S32, dims, tuple(
            value(x, y, u) for y in at.members(x) for u in range(self.slices)))
            for x in at.devices}


def received(at, plan, input_, output, y):
    """Row by row: the rows that were sent, else those of the output."""
    rows = {}
    for x in at.members(y):
        for u in range(plan.slices):
            first, count = plan.sent[x, y, u]
            to = plan.place(at, x, y, u)
            rows |= {to + k: (x, first + k) for k in range(count)}

    def element(i):
        if i[0] not in rows:
            return output[y].at(i)
        x, row = rows[i[0]]
        return input_[x].at((row, *i[1:]))
    return arrays.build(output[y].type, output[y].dims, element)


def one(number: int):
    stream = Stream("ragged-all-to-all", number)
    at = c.setting(stream, MODES, c.equal_groups)
    slices = 1 + stream.below(2)
    rank = 1 + stream.below(2)
    plan = Plan(stream, at, slices)
    t = c.random_type(stream)
    dims = (plan.rows, *c.dims_of(stream, 1)[:stream.below(2)])
    input_ = c.operands("ragged-all-to-all", number, at, t, dims)
    output = c.operands("ragged-all-to-all", number, at, t, dims, "_out")
    tables = [input_, output,
              plan.table(at, lambda x, y, u: plan.sent[x, y, u][0], rank),
              plan.table(at, lambda x, y, u: plan.sent[x, y, u][1], rank),
              plan.table(at, lambda x, y, u: plan.place(at, x, y, u), rank),
              plan.table(at, lambda x, y, u: plan.sent[y, x, u][1], rank)]
    results = {y: [received(at, plan, input_, output, y)] for y in at.devices}
    listed = ", ".join(f"p{k}" for k in range(6))
    program = c.start(at, *tables).root(
        Array(t, dims, ()).shape, f"ragged-all-to-all({listed}){at.attributes}")
    return c.case(f"{t.name}/random_{number:03}", f"{slices} slices for each member",
                  at, tables, program, results, "Updates" if slices > 1 else "Random")


def cases():
    yield from map(one, range(c.COUNT))
