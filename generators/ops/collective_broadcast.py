"""collective-broadcast: groups that leave devices out
(spec/ops/collective_broadcast.md)."""

from assaygen import arrays, collectives as c, types
from assaygen.arrays import Array
from assaygen.streams import Stream

WHY = {**c.WHY, "Root": "an operand says which member is sent"}
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


def cases():
    yield from map(one, range(c.COUNT))
