"""all-gather: random groups of devices, element by element
(spec/ops/all_gather.md)."""

from assaygen import arrays, collectives as c, refused, stated, types
from assaygen.arrays import Array
from assaygen.streams import Stream

WHY = stated.WHY | c.WHY | refused.WHY
MODES = (c.REPLICAS, c.BOTH, c.GLOBAL)


def gathered(table, group, dims, d, t):
    """Element i is that of member i[d] // size at i[d] % size."""
    size = dims[d]

    def element(i):
        member = group[i[d] // size]
        return table[member].at((*i[:d], i[d] % size, *i[d + 1:]))
    whole = (*dims[:d], size * len(group), *dims[d + 1:])
    return arrays.build(t, whole, element)


def one(number: int, kind=None):
    stream = Stream("all-gather", number)
    at = c.setting(stream, MODES, c.equal_groups)
    t, dims = kind or c.random_type(stream), c.dims_of(stream)
    d = stream.below(len(dims))
    table = c.operands("all-gather", number, at, t, dims)
    results = {x: [gathered(table, at.members(x), dims, d, t)] for x in at.devices}
    shape = results[at.devices[0]][0].shape
    attributes = f"dimensions={{{d}}}{at.attributes}"
    program = c.start(at, table)
    halves = stream.below(3) == 0
    if halves:
        operand = Array(t, dims, ()).shape
        program.line(f"s = ({operand}, {shape}) all-gather-start(p0), {attributes}")
        program.root(shape, "all-gather-done(s)")
    else:
        program.root(shape, f"all-gather(p0), {attributes}")
    return c.case(f"{t.name}/random_{number:03}", f"{list(dims)} gathered along {d}",
                  at, [table], program, results, "Halves" if halves else "Random")


ROWS = [
    ("C1", "the operand is a tuple", "(f32[2], f32[2])",
     "f32[4] all-gather(p0), dimensions={0}"),
    ("C2", "the dimension is the rank", "s8[2,3]", "s8[2,6] all-gather(p0), dimensions={2}"),
    ("C2", "the operand is a scalar", "f32[]", "f32[2] all-gather(p0), dimensions={0}"),
    ("C2", "two dimensions", "f32[2,3]", "f32[4,6] all-gather(p0), dimensions={0,1}"),
    ("C3", "another dimension grows too", "f32[2,3]",
     "f32[4,6] all-gather(p0), dimensions={0}"),
    ("C3", "a dimension is lost", "f32[2,3]", "f32[4] all-gather(p0), dimensions={0}"),
    ("C3", "integers become floats", "s32[2]", "f32[4] all-gather(p0), dimensions={0}"),
    ("C3", "a signed number becomes an unsigned one", "s8[2]",
     "u8[4] all-gather(p0), dimensions={0}"),
    ("C4", "the size is no multiple", "f32[4,2]", "f32[6,2] all-gather(p0), dimensions={0}"),
    ("C5", "two operands and one array", "f32[2] ; f32[2]",
     "f32[4] all-gather(p0, p1), dimensions={0}"),
    ("C5", "two operands and three arrays", "f32[2] ; f32[2]",
     "(f32[4], f32[4], f32[4]) all-gather(p0, p1), dimensions={0}"),
]


STATED = [
    ("no_elements", "an operand without elements",
     "f32[0,2] ; f32[0,2]",
     "f32[0,4] all-gather(p0), replica_groups={{0,1}}, dimensions={1}",
     "f32[0,4] ; f32[0,4]"),
]


def cases():
    yield from map(one, range(c.COUNT))
    for number, t in enumerate(types.ALL, 1000):
        yield one(number, t)
    yield from refused.cases("all-gather", ROWS)
    yield from (stated.case(row, header=", replica_count=2", devices=2) for row in STATED)
