"""map: a computation of scalars on every element (spec/ops/map.md)."""

from assaygen import arrays, pools, refused, types
from assaygen.programs import regions
from assaygen.arrays import Array
from assaygen.movement import any_bits
from assaygen.programs.regions import PRED, Region, S32, case, shape
from assaygen.streams import Stream

WHY = refused.WHY | {
    "Type": "any bits of any element type pass unchanged: NaN payloads, subnormals, -0",
    "Body": "random computations of integers, with branches, loops and calls",
    "Result": "the result has the type of the computation, not that of the operands",
    "Constant": "a computation that does not look at its parameters",
    **pools.LAYOUT_WHY,
}
COUNT = 60


def mapped(main: Region, region: Region, names, dims, out, listed=True) -> str:
    """The map of region over arrays, which stand for their elements."""
    def rule(*operands):
        t = region.result.type
        rows = zip(*(x.codes for x in operands))
        codes = [region.run(*(Array(x.type, (), (code,)) for x, code in zip(operands, row)))
                 for row in rows]
        return Array(t, dims, tuple(x.codes[0] for x in codes), "")
    extra = ", dimensions={" + ",".join(map(str, range(len(dims)))) + "}" if listed else ""
    return main.step(out, "map", names, rule, f"{extra}, to_apply={region.name}", (region,))


def kept(t):
    """Two operands, of which the computation returns the second."""
    a, b = (any_bits("map", t, (3, 4), name) for name in "ab")
    region = Region("second", shape(t), shape(t))
    main = Region("main", *regions.shape_of((a, b)))
    mapped(main, region, ("p0", "p1"), (3, 4), shape(t, 3, 4))
    return case(f"{t.name}/second", f"any bits of {t.name}", main, ["Type"], a, b)


def compared(t):
    a, b = (any_bits("map", t, (9,), f"<{name}") for name in "ab")
    region = Region("less", shape(t), shape(t))
    region.compare("p0", "p1", "LT")
    main = Region("main", *regions.shape_of((a, b)))
    mapped(main, region, ("p0", "p1"), (9,), shape(PRED, 9))
    return case(f"{t.name}/less", f"{t.name} to pred", main, ["Result"], a, b)


def random_body(stream, t, count):
    region = Region("body", *[shape(t)] * count)
    names = [f"p{i}" for i in range(count)]
    x = regions.mixed(stream, region, names, 1 + stream.below(3))
    kind = stream.below(4)
    if kind == 1:
        branches = [Region(name, shape(t)) for name in ("yes", "no")]
        for branch in branches:
            regions.mixed(stream, branch, ["p0"], 1)
        which = region.compare(x, names[0], stream.choice(list(regions.COMPARE)))
        x = region.branch(which, branches, [x, names[-1]])
    elif kind == 2:
        inner = Region("inner", shape(t))
        regions.mixed(stream, inner, ["p0"], 2)
        x = region.call(inner, x)
    elif kind == 3:
        x = loop(region, x, t, stream.below(5))
    regions.mixed(stream, region, [*names, x], 1)
    return region


def loop(region, x, t, trips):
    """x, doubled and incremented as often as told."""
    form = (shape(S32), shape(t))
    more = Region("more", form)
    more.compare(more.element("p0", 0), more.constant(S32, trips), "LT")
    turn = Region("turn", form)
    i, y = (turn.element("p0", k) for k in (0, 1))
    y = turn.two("add", turn.two("add", y, y), turn.constant(t, 1))
    turn.tuple(turn.two("add", i, turn.constant(S32, 1)), y)
    state = region.tuple(region.constant(S32, 0), x)
    return region.element(region.loop(state, more, turn), 1)


def random_case(number: int):
    stream = Stream("map", number)
    t, count = stream.choice(types.INTS), 1 + stream.below(3)
    dims = tuple(stream.below(5) for _ in range(stream.below(4)))
    region = random_body(stream, t, count)
    main = Region("main", *[shape(t, *dims)] * count)
    names = tuple(f"p{i}" for i in range(count))
    mapped(main, region, names, dims, shape(t, *dims), stream.below(4) > 0)
    return case(f"{t.name}/random_{number:03}", f"{count} operands {t.name}{list(dims)}",
                main, ["Body", "Shape"], *(regions.small(t, dims, stream) for _ in names))


def constants():
    """As many times as there are elements, and not at all where there are none."""
    for dims in pools.SHAPES:
        region = Region("seven", shape(types.F32))
        region.constant(S32, 7)
        main = Region("main", shape(types.F32, *dims))
        mapped(main, region, ("p0",), dims, shape(S32, *dims))
        name = "x".join(map(str, dims)) or "scalar"
        yield case(f"f32/constant_{name}", f"a constant over {list(dims)}", main,
                   ["Constant", "Shape"], arrays.iota(types.F32, dims))


def laid_out():
    region = Region("add", shape(S32), shape(S32))
    region.two("add", "p0", "p1")
    for i, layout in enumerate(pools.LAYOUTS):
        other = pools.LAYOUTS[(i + 1) % len(pools.LAYOUTS)]
        x, y = (regions.small(S32, (5, 6), Stream("map", layout, k)).with_layout(where)
                for k, where in enumerate((layout, other)))
        main = Region("main", *regions.shape_of((x, y)))
        mapped(main, region, ("p0", "p1"), (5, 6), shape(S32, 5, 6, layout=layout))
        yield case(f"s32/layout_{i}", f"operands laid out as {layout} and {other}", main,
                   ["Layout"], x, y)


def nested():
    """A map of a scalar in the body of a map."""
    inner = Region("inner", shape(S32))
    inner.two("multiply", "p0", "p0")
    body = Region("body", shape(S32))
    mapped(body, inner, ("p0",), (), shape(S32), listed=False)
    body.two("add", body.root, "p0")
    main = Region("main", shape(S32, 4))
    mapped(main, body, ("p0",), (4,), shape(S32, 4))
    return case("s32/nested", "a map in a map", main, ["Body"],
                regions.small(S32, (4,), Stream("map", "nested")))


ADD = """add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}"""
ROWS = [
    ("C1", "operands of other sizes", "f32[2,3] ; f32[3,2]",
     "f32[2,3] map(p0, p1), dimensions={0,1}, to_apply=add"),
    ("C1", "a scalar and a vector", "f32[2] ; f32[]",
     "f32[2] map(p0, p1), dimensions={0}, to_apply=add"),
    ("C1", "an operand is a tuple", "(f32[2]) ; f32[2]",
     "f32[2] map(p0, p1), dimensions={0}, to_apply=add"),
    ("C2", "the dimensions in another order", "f32[2,2]",
     "f32[2,2] map(p0, p0), dimensions={1,0}, to_apply=add"),
    ("C2", "a dimension too much", "f32[2]",
     "f32[2] map(p0, p0), dimensions={0,1}, to_apply=add"),
    ("C3", "an operand too much", "f32[2]",
     "f32[2] map(p0, p0, p0), dimensions={0}, to_apply=add"),
    ("C3", "an operand of another type", "f32[2] ; s32[2]",
     "f32[2] map(p0, p1), dimensions={0}, to_apply=add"),
]


def forbidden():
    yield from refused.cases("map", ROWS, ADD)
    root = "f32[2] map(p0, p0), dimensions={0}, to_apply=add"
    vectors = ADD.replace("f32[]", "f32[2]")
    yield refused.case("map", ("C3", "the computation takes vectors", "f32[2]", root), vectors)
    pair = ADD.replace("ROOT s = f32[] add(a, b)", "ROOT s = (f32[], f32[]) tuple(a, b)")
    yield refused.case("map", ("C4", "the computation returns a tuple", "f32[2]", root), pair)
    wide = ADD.replace("ROOT s = f32[] add(a, b)",
                       "c = f32[] add(a, b)\n  ROOT s = f32[2] broadcast(c), dimensions={}")
    yield refused.case("map", ("C4", "the computation returns a vector", "f32[2]", root), wide)


def cases():
    for t in types.ALL:
        yield kept(t)
    for t in types.INTS:
        yield compared(t)
    yield from map(random_case, range(COUNT))
    yield from constants()
    yield from laid_out()
    yield nested()
    yield from forbidden()
