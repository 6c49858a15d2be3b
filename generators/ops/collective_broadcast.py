"""collective-broadcast: groups that leave devices out
(spec/ops/collective_broadcast.md)."""

from assaygen import arrays, collectives as c, refused, types
from assaygen.cases import without
from assaygen.arrays import Array
from assaygen.streams import Stream

WHY = refused.WHY | without({**c.WHY, "Root": "an operand says which member is sent"}, "Halves")
MODES = (c.REPLICAS, c.PARTITIONS)
S32 = types.BY_NAME["s32"]


def one(number: int):
    stream = Stream("collective-broadcast", number)
    at = c.setting(stream, MODES, c.some_groups)
    t, dims = c.random_type(stream), c.dims_of(stream)
    table = c.operands("collective-broadcast", number, at, t, dims)
    root = stream.below(min(map(len, at.groups))) if stream.below(3) == 0 else None
    zeros = arrays.build(t, dims, lambda _: (0, 0) if t.kind == "complex" else 0)
    results = {}
    for x in at.devices:
        group = at.members(x)
        results[x] = [zeros if group is None else table[group[root or 0]]]
    tables, shape = [table], Array(t, dims, ()).shape
    instruction = f"collective-broadcast(p0){at.attributes}"
    if root is not None:
        tables.append({x: arrays.splat(S32, (), root) for x in at.devices})
        instruction = (f"collective-broadcast(p0, p1){at.attributes}, "
                       "has_dynamic_root=true")
    program = c.start(at, *tables).root(shape, instruction)
    return c.case(f"{t.name}/random_{number:03}", f"{list(dims)} from one to its group",
                  at, tables, program, results, "Random" if root is None else "Root")


ROWS = [
    ("C1", "the operand is a tuple", "(f32[4], s32[])",
     "f32[4] collective-broadcast(p0), replica_groups={{0,1}}"),
    ("C2", "the roots are a matrix", "f32[4] ; s32[1,1]",
     "f32[4] collective-broadcast(p0, p1), replica_groups={{0}}, has_dynamic_root=true"),
    ("collective-broadcast.roots", "the root is the size of the group", "",
     "x = f32[2] constant({1, 2}) ; k = s32[] constant(1) ; f32[2] collective-broadcast(x, "
     "k), replica_groups={{0}}, has_dynamic_root=true"),
    ("collective-broadcast.roots", "the root is negative", "",
     "x = f32[2] constant({1, 2}) ; k = s32[] constant(-1) ; f32[2] collective-broadcast(x, "
     "k), replica_groups={{0}}, has_dynamic_root=true"),
    ("collective-broadcast.roots", "two roots for one array", "",
     "x = f32[2] constant({1, 2}) ; k = s32[2] constant({0, 0}) ; f32[2] "
     "collective-broadcast(x, k), replica_groups={{0}}, has_dynamic_root=true"),
]


def cases():
    yield from map(one, range(c.COUNT))
    yield from refused.cases("collective-broadcast", ROWS)
