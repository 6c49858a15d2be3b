"""all-to-all: parts and tuples, element by element (spec/ops/all_to_all.md)."""

from assaygen import arrays, collectives as c, refused
from assaygen.cases import without
from assaygen.arrays import Array
from assaygen.streams import Stream

WHY = refused.WHY | without({**c.WHY, "Tuple": "one operand for each member"}, "Halves")
MODES = (c.REPLICAS, c.PARTITIONS)


def exchanged(table, group, place, dims, d, t):
    """Element i of member `place`: part `place` of member i[d] // part."""
    part = dims[d] // len(group)

    def element(i):
        member, inside = divmod(i[d], part)
        source = (*i[:d], place * part + inside, *i[d + 1:])
        return table[group[member]].at(source)
    return arrays.build(t, dims, element)


def array_form(number, stream, at):
    t, dims = c.random_type(stream), list(c.dims_of(stream))
    d = stream.below(len(dims))
    dims[d] *= at.size()
    dims = tuple(dims)
    table = c.operands("all-to-all", number, at, t, dims)
    results = {x: [exchanged(table, at.members(x), at.members(x).index(x), dims, d, t)]
               for x in at.devices}
    shape = Array(t, dims, ()).shape
    program = c.start(at, table).root(
        shape, f"all-to-all(p0), dimensions={{{d}}}{at.attributes}")
    return c.case(f"{t.name}/random_{number:03}", f"{list(dims)} split along {d}", at,
                  [table], program, results)


def tuple_form(number, stream, at):
    t, dims = c.random_type(stream), c.dims_of(stream, 2)
    n = at.size()
    tables = [c.operands("all-to-all", number, at, t, dims, f"_{k}") for k in range(n)]
    results = {}
    for x in at.devices:
        group = at.members(x)
        results[x] = [tables[group.index(x)][member] for member in group]
    shape = Array(t, dims, ()).shape
    listed = ", ".join(f"p{k}" for k in range(n))
    program = c.start(at, *tables).root(
        f"({', '.join([shape] * n)})", f"all-to-all({listed}){at.attributes}")
    return c.case(f"{t.name}/tuple_{number:03}", f"{n} operands of {list(dims)}", at,
                  tables, program, results, "Tuple")


def one(number: int):
    stream = Stream("all-to-all", number)
    at = c.setting(stream, MODES, c.equal_groups)
    form = array_form if stream.below(3) else tuple_form
    return form(number, stream, at)


ROWS = [
    ("C1", "the operand is a tuple", "(f32[4], f32[4])",
     "f32[4] all-to-all(p0), dimensions={0}"),
    ("C2", "two operands and a dimension", "s32[4] ; s32[4]",
     "(s32[4], s32[4]) all-to-all(p0, p1), dimensions={0}"),
    ("C3", "the dimension is the rank", "bf16[4,2]",
     "bf16[4,2] all-to-all(p0), dimensions={2}"),
    ("C3", "two dimensions", "f32[4,2]", "f32[4,2] all-to-all(p0), dimensions={0,1}"),
    ("C4", "an operand of another rank", "f32[4] ; f32[4,1]",
     "(f32[4], f32[4,1]) all-to-all(p0, p1), replica_groups={{0,1}}"),
    ("C4", "an operand of another type", "f32[4] ; s32[4]",
     "(f32[4], s32[4]) all-to-all(p0, p1), replica_groups={{0,1}}"),
    ("collective.id-repeated", "a replica twice", "f32[4]",
     "f32[4] all-to-all(p0), dimensions={0}, replica_groups={{0,0}}"),
    ("collective.id-missing", "a replica is left out", "f32[4]",
     "f32[4] all-to-all(p0), dimensions={0}, replica_groups={{0,2}}"),
]


def cases():
    yield from map(one, range(c.COUNT))
    yield from refused.cases("all-to-all", ROWS)
