"""ragged-all-to-all: random sizes (spec/ops/ragged_all_to_all.md)."""

from assaygen import arrays, collectives as c, refused, types
from assaygen.cases import without
from assaygen.arrays import Array
from assaygen.streams import Stream

WHY = refused.WHY | without({**c.WHY, "Updates": "several slices for each member"}, "Halves")
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


ROWS = [
    ("C1", "the output has another type", "f32[8] ; s32[8] ; s64[2]",
     "s32[8] ragged-all-to-all(p0, p1, p2, p2, p2, p2)"),
    ("C1", "scalars", "f32[] ; f32[] ; s64[2]",
     "f32[] ragged-all-to-all(p0, p1, p2, p2, p2, p2)"),
    ("C1", "the output has another rank", "f32[8] ; f32[8,1] ; s64[2]",
     "f32[8,1] ragged-all-to-all(p0, p1, p2, p2, p2, p2)"),
    ("C2", "offsets of pred", "f32[8] ; f32[8] ; pred[2]",
     "f32[8] ragged-all-to-all(p0, p1, p2, p2, p2, p2)"),
    ("C2", "offsets of rank three", "f32[8] ; f32[8] ; s64[2,1,1]",
     "f32[8] ragged-all-to-all(p0, p1, p2, p2, p2, p2)"),
    ("C2", "a scalar offset", "f32[8] ; f32[8] ; s64[]",
     "f32[8] ragged-all-to-all(p0, p1, p2, p2, p2, p2)"),
    ("C3", "one offset less", "f32[8] ; f32[8] ; s64[2] ; s64[1]",
     "f32[8] ragged-all-to-all(p0, p1, p3, p2, p2, p2)"),
    ("C3", "sizes of another rank", "f32[8] ; f32[8] ; s64[2] ; s64[2,1]",
     "f32[8] ragged-all-to-all(p0, p1, p2, p3, p2, p3)"),
    ("ragged-all-to-all.range", "a slice beyond the input", "",
     "x = s32[4] iota(), iota_dimension=0 ; y = s32[8] iota(), iota_dimension=0 ; z = s64[1] "
     "constant({0}) ; n = s64[1] constant({5}) ; s32[8] ragged-all-to-all(x, y, z, n, z, n)"),
    ("ragged-all-to-all.range", "a slice beyond the output", "",
     "x = s32[4] iota(), iota_dimension=0 ; z = s64[1] constant({0}) ; o = s64[1] "
     "constant({3}) ; n = s64[1] constant({2}) ; s32[4] ragged-all-to-all(x, x, z, n, o, n)"),
    ("ragged-all-to-all.range", "a negative offset", "",
     "x = s32[4] iota(), iota_dimension=0 ; z = s64[1] constant({0}) ; o = s64[1] "
     "constant({-1}) ; n = s64[1] constant({2}) ; s32[4] ragged-all-to-all(x, x, o, n, z, n)"),
    ("ragged-all-to-all.sizes", "more received than sent", "",
     "x = s32[4] iota(), iota_dimension=0 ; z = s64[1] constant({0}) ; n = s64[1] "
     "constant({1}) ; m = s64[1] constant({2}) ; s32[4] ragged-all-to-all(x, x, z, n, z, m)"),
]
THREE = ("ragged-all-to-all.members", "three slices for two devices", "",
         "x = s32[4] iota(), iota_dimension=0 ; n = s64[3] constant({0, 0, 0}) ; "
         "s32[4] ragged-all-to-all(x, x, n, n, n, n)")


def cases():
    yield from map(one, range(c.COUNT))
    yield from refused.cases("ragged-all-to-all", ROWS)
    yield refused.case("ragged-all-to-all", THREE, header=", replica_count=2")
