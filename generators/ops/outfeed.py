"""outfeed: programs that go on behind it (spec/ops/outfeed.md). What the host
gets is no result of a program: interpreter/devices/devices_test.cc looks at it."""

from assaygen import refused, types
from assaygen.cases import without
from assaygen.programs import hosts, passing, regions
from assaygen.movement import any_bits
from assaygen.programs.regions import Region, S32, case, scalar, shape, shape_of
from assaygen.streams import Stream

WHY = without(passing.WHY, "Layout", "Shape") | {
    "Order": "several in a chain of tokens; the program's value is not changed",
    "Control": "in loops, in branches, in a program on a queue",
}
COUNT = 40


def out(region: Region, name: str, token: str, listed: bool = True) -> str:
    shape_ = regions.text_of(region.shapes[name])
    extra = f", outfeed_shape={shape_}" if listed else ""
    return region.step(None, "outfeed", (name, token), lambda *_: None, extra)


def of_type(t):
    """The value is given away, and is still there behind it."""
    x = any_bits("outfeed", t, (3, 4))
    main = Region("main", shape_of(x))
    token = out(main, "p0", hosts.token(main))
    main.step(shape_of(x), "add-dependency", ("p0", token), lambda v, _: v)
    return case(f"{t.name}/3x4", f"a value of {t.name} to the host", main, ["Type"], x)


def random_case(number: int):
    stream = Stream("outfeed", number)
    values = [passing.tree("outfeed", stream, 2, str(k)) for k in range(1 + stream.below(4))]
    main = Region("main", *map(shape_of, values))
    token = hosts.token(main)
    for k in range(len(values)):
        token = out(main, f"p{k}", token, bool(stream.bits(1)))
    main.tuple(*(f"p{k}" for k in range(len(values))))
    return case(f"tuple/random_{number:03}", f"{len(values)} values to the host", main,
                ["Order", "Tree"], *values)


def loop(count: int):
    """Doubles, and gives each value away."""
    form = (shape(S32), shape(S32), shape(S32), None)
    more, turn = Region("more", form), Region("turn", form)
    more.compare(more.element("p0", 0), more.element("p0", 1), "LT")
    i, n, x, token = (turn.element("p0", k) for k in range(4))
    token = out(turn, x, token)
    turn.tuple(turn.two("add", i, turn.constant(S32, 1)), n, turn.two("add", x, x), token)
    main = Region("main", shape(S32))
    state = main.tuple(main.constant(S32, 0), "p0", main.constant(S32, 1), hosts.token(main))
    main.loop(state, more, turn)
    main.element(main.root, 2)
    return case(f"s32/loop_{count}", f"{count} turns, each with a value", main, ["Control"],
                scalar(S32, count))


def queued():
    """What comes in goes out again, and is returned."""
    x = any_bits("outfeed", S32, (3,))
    queue, program, main = hosts.Queue(), Region("f"), Region("main")
    y, token = hosts.infeed(program, queue, shape_of(x), hosts.token(program))
    out(program, y, token)
    program.tuple(y)
    hosts.run(main, queue, program, [x])
    return case("s32/queued", "from the host and back", main, ["Control"])


def devices():
    values = [any_bits("outfeed", S32, (2,), str(k)) for k in range(4)]
    main = Region("main", shape_of(values[0]))
    out(main, "p0", hosts.token(main))
    main.two("add", "p0", "p0")
    return case("s32/devices", "each of four devices has a value", main, ["Devices"], *values,
                header=", replica_count=2, num_partitions=2", devices=4)


ROWS = [
    ("C1", "the second operand is an array", "f32[4]",
     "o = token[] outfeed(p0, p0) ; f32[4] copy(p0)"),
    ("C1", "the operands are exchanged", "f32[4]",
     "t = token[] after-all() ; o = token[] outfeed(t, p0) ; f32[4] copy(p0)"),
    ("C2", "the shape is shorter", "f32[4]",
     "t = token[] after-all() ; o = token[] outfeed(p0, t), outfeed_shape=f32[3] ; "
     "f32[4] copy(p0)"),
    ("C2", "the shape has another type", "f32[4]",
     "t = token[] after-all() ; o = token[] outfeed(p0, t), outfeed_shape=s32[4] ; "
     "f32[4] copy(p0)"),
    ("C2", "the shape is a tuple", "f32[4]",
     "t = token[] after-all() ; o = token[] outfeed(p0, t), outfeed_shape=(f32[4]) ; "
     "f32[4] copy(p0)"),
]


def cases():
    for t in types.ALL:
        yield of_type(t)
    yield from map(random_case, range(COUNT))
    for count in (0, 1, 5):
        yield loop(count)
    yield queued()
    yield devices()
    yield from refused.cases("outfeed", ROWS)
