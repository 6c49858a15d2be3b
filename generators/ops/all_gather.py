"""all-gather: random groups of devices, element by element
(spec/ops/all_gather.md)."""

from assaygen import arrays, collectives as c
from assaygen.arrays import Array
from assaygen.streams import Stream

WHY = c.WHY
MODES = (c.REPLICAS, c.BOTH, c.GLOBAL)


def gathered(table, group, dims, d, t):
    """Element i is that of member i[d] // size at i[d] % size."""
    size = dims[d]

    def element(i):
        member = group[i[d] // size]
        return table[member].at((*i[:d], i[d] % size, *i[d + 1:]))
    whole = (*dims[:d], size * len(group), *dims[d + 1:])
    return arrays.build(t, whole, element)


def one(number: int):
    stream = Stream("all-gather", number)
    at = c.setting(stream, MODES, c.equal_groups)
    t, dims = c.random_type(stream), c.dims_of(stream)
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


def cases():
    yield from map(one, range(c.COUNT))
