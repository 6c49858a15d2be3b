"""copy-done: waits (spec/ops/copy_done.md)."""

from assaygen import collectives as c, pools, refused, types
from assaygen.cases import without
from assaygen.movement import any_bits
from assaygen.programs.regions import Region, case, shape, shape_of
from assaygen.streams import Stream

WHY = refused.WHY | without({
    "Several": "several copies at once, ended in another order than begun, to other "
               "layouts and memory spaces",
    **pools.LAYOUT_WHY,
}, "Shape")
COUNT = 60
WORD = shape(types.BY_NAME["u32"])
ROWS = [
    ("C1", "the operand is an array", "f32[4]", "f32[4] copy-done(p0)"),
    ("C1", "the operand has two parts", "(f32[4], f32[4])", "f32[4] copy-done(p0)"),
    ("C1", "the operand has four parts", "(f32[4], f32[4], u32[], u32[])",
     "f32[4] copy-done(p0)"),
    ("C1", "the source has another size", "(f32[4], f32[5], u32[])", "f32[4] copy-done(p0)"),
    ("C1", "the source has another type", "(f32[4], s32[4], u32[])", "f32[4] copy-done(p0)"),
]


def one(number: int, kind=None):
    stream = Stream("copy-done", number)
    values, targets = [], []
    for k in range(1 + stream.below(4)):
        t = kind or stream.choice([x for x in types.ALL if x.bits >= 8])
        square = stream.bits(1)
        dims = (3, 4) if square else c.dims_of(stream)
        layout = (stream.choice(["{0,1}", "{1,0:T(2,4)}", "{0,1:T(2,2)}"]) if square and t.bits >= 8
                  else "")
        values.append(any_bits("copy-done", t, dims, str(k)))
        targets.append(shape(t, *dims, layout=layout))
    main = Region("main", *map(shape_of, values))
    begun = [main.step((target, shape_of(x), WORD), "copy-start", (f"p{k}",),
                       lambda v, target=target: (v.with_layout(target.layout), v, None))
             for k, (x, target) in enumerate(zip(values, targets))]
    ended = {k: main.step(targets[k], "copy-done", (begun[k],), lambda parts: parts[0])
             for k in c.shuffled(stream, range(len(values)))}
    main.tuple(*(ended[k] for k in sorted(ended)))
    return case(f"{values[0].type.name}/several_{number:03}", f"{len(values)} copies at once",
                main, ["Several", "Layout"], *values)


def cases():
    yield from map(one, range(COUNT))
    for number, t in enumerate(types.ALL, 1000):
        yield one(number, t)
    yield from refused.cases("copy-done", ROWS)
