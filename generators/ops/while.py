"""while: loops and what they carry (spec/ops/while.md)."""

from assaygen import arrays, pools, refused, types
from assaygen.cases import without
from assaygen.programs import regions
from assaygen.programs.regions import Region, S32, case, scalar, shape
from assaygen.streams import Stream

WHY = refused.WHY | without({
    "Trips": "how often the body runs: never, once, often",
    "Data": "how often the body runs depends on data that it computes",
    "Wrap": "a counter that wraps around its type",
    "Carried": "what the loop carries: tuples of tuples, empty ones, any bits of any "
               "type, values that no turn changes",
    "Nested": "loops in loops, branches and calls in loops",
    "Devices": "each device makes as many turns as its own data say",
    **pools.LAYOUT_WHY,
}, "Shape")
COUNT = 60


def counted(name: str, form, turn):
    """The condition and body of a loop over (i, limit, rest): while i < limit,
    rest = turn(body, i, rest)."""
    condition = Region(f"{name}_more", form)
    condition.compare(condition.element("p0", 0), condition.element("p0", 1), "LT")
    body = Region(f"{name}_turn", form)
    i, limit = body.element("p0", 0), body.element("p0", 1)
    rest = turn(body, i, body.element("p0", 2))
    one = body.constant(form[0].type, 1)
    body.tuple(body.two("add", i, one), limit, rest)
    return condition, body


def trips(t):
    """x = 3 x + i for i = 0, 1, ... below a limit."""
    def turn(body, i, x):
        three = body.constant(t, 3)
        return body.two("add", body.two("multiply", x, three), i)
    form = (shape(t),) * 3
    for limit in sorted({min(t.high, x) for x in (0, 1, 2, 17)}):
        main = Region("main", *form)
        main.loop(main.tuple("p0", "p1", "p2"), *counted("w", form, turn))
        main.element(main.root, 2)
        arguments = [scalar(t, x) for x in (0, limit, 1)]
        yield case(f"{t.name}/trips_{limit}", f"{limit} turns over {t.name}", main,
                   ["Trips"], *arguments)


def wraps(t):
    """Counts from near the top of the type to near its bottom."""
    condition = Region("more", (shape(t), shape(S32)))
    end = condition.constant(t, t.low + 1)
    condition.compare(condition.element("p0", 0), end, "NE")
    body = Region("turn", (shape(t), shape(S32)))
    x, n = body.element("p0", 0), body.element("p0", 1)
    x = body.two("add", x, body.constant(t, 1))
    body.tuple(x, body.two("add", n, body.constant(S32, 1)))
    main = Region("main", shape(t))
    main.loop(main.tuple("p0", main.constant(S32, 0)), condition, body)
    yield case(f"{t.name}/wraps", f"{t.name} counts over its top", main, ["Wrap"],
               scalar(t, t.high - 1))


def gcd(t, a: int, b: int):
    """Euclid's algorithm by differences: no counter at all."""
    form = (shape(t), shape(t))
    condition = Region("more", form)
    condition.compare(*(condition.element("p0", i) for i in (0, 1)), "NE")
    body = Region("turn", form)
    x, y = (body.element("p0", i) for i in (0, 1))
    high, low = body.two("maximum", x, y), body.two("minimum", x, y)
    body.tuple(body.two("subtract", high, low), low)
    main = Region("main", *form)
    main.loop(main.tuple("p0", "p1"), condition, body)
    main.element(main.root, 0)
    return case(f"{t.name}/gcd_{a}_{b}", f"the greatest common divisor of {a} and {b}",
                main, ["Data"], scalar(t, a), scalar(t, b))


def carried(t):
    """A loop that hands a value on from place to place, and changes no bit."""
    stream = Stream("while", t.name)
    array = arrays.random_bits(t, (2, 3), stream)
    other = arrays.random_bits(t, (2, 3), stream)
    def turn(body, i, rest):
        a, b = (body.element(rest, k) for k in (0, 1))
        return body.tuple(b, a, body.tuple())
    form = (shape(S32), shape(S32), (array, other, ()))
    form = regions.shape_of(form)
    main = Region("main", *form[2][:2])
    rest = main.tuple("p0", "p1", main.tuple())
    state = main.tuple(main.constant(S32, 0), main.constant(S32, 5), rest)
    main.loop(state, *counted("w", form, turn))
    return case(f"{t.name}/carried", f"two arrays of {t.name} change places five times",
                main, ["Carried"], array, other)


def random_region(stream, name, form, depth):
    """An array to an array of its shape: steps, a loop, a branch or a call."""
    region = Region(name, form)
    x = regions.mixed(stream, region, ["p0"], 1 + stream.below(2))
    kind = stream.below(4) if depth else 0
    if kind == 1:
        x = random_loop(stream, region, x, name, depth)
    elif kind == 2:
        branches = [random_region(stream, f"{name}_{k}", form, depth - 1)
                    for k in range(2 + stream.below(2))]
        which = region.constant(S32, stream.below(5) - 1)
        x = region.branch(which, branches, [x] * len(branches))
    elif kind == 3:
        x = region.call(random_region(stream, f"{name}_c", form, depth - 1), x)
    regions.mixed(stream, region, ["p0", x], 1)
    return region


def random_loop(stream, region, x, name, depth):
    form = region.shapes[x]
    inner = random_region(stream, f"{name}_i", form, depth - 1)
    def turn(body, i, rest):
        return body.call(inner, rest)
    state = region.tuple(region.constant(S32, stream.below(3)),
                         region.constant(S32, stream.below(6)), x)
    pair = counted(f"{name}_w", region.shapes[state], turn)
    return region.element(region.loop(state, *pair), 2)


def random_case(number: int):
    stream = Stream("while", number)
    t = stream.choice([x for x in types.INTS])
    dims = tuple(stream.choice((0, 1, 2, 2, 3, 3)) for _ in range(stream.below(3)))
    layout = stream.choice(["{0,1}", "{1,0:T(2,2)}"]) if len(dims) == 2 and t.bits > 4 else ""
    main = Region("main", shape(t, *dims, layout=layout))
    x = main.step(shape(t, *dims), "copy", ("p0",), lambda v: v.with_layout(""))
    random_loop(stream, main, x, "w", 3)
    return case(f"{t.name}/nested_{number:03}", f"a random loop over {t.name}{list(dims)}",
                main, ["Nested", "Layout"], regions.small(t, dims, stream).with_layout(layout))


def triangle():
    """The inner loop's limit is the outer one's counter: 0 + 1 + ... + (n-1)."""
    form = (shape(S32),) * 3
    def inner_turn(body, i, x):
        return body.two("add", x, body.constant(S32, 1))
    inner = counted("inner", form, inner_turn)
    def turn(body, i, x):
        return body.element(body.loop(body.tuple(body.constant(S32, 0), i, x), *inner), 2)
    for n in (0, 1, 2, 9):
        main = Region("main", shape(S32))
        zero = main.constant(S32, 0)
        main.loop(main.tuple(zero, "p0", zero), *counted("outer", form, turn))
        main.element(main.root, 2)
        yield case(f"s32/triangle_{n}", f"{n} loops, each one turn longer", main,
                   ["Nested", "Trips"], scalar(S32, n))


def devices():
    form = (shape(S32),) * 3
    def turn(body, i, x):
        return body.two("add", x, x)
    main = Region("main", shape(S32))
    state = main.tuple(main.constant(S32, 0), "p0", main.constant(S32, 1))
    main.loop(state, *counted("w", form, turn))
    main.element(main.root, 2)
    yield case("s32/devices", "2^n, with another n on each device", main, ["Devices"],
               *(scalar(S32, n) for n in (3, 0, 10)), header=", replica_count=3", devices=3)


LOOP = """less {{
  s = {0} parameter(0)
  ROOT r = pred[] constant(false)
}}

turn {{
  ROOT s = {0} parameter(0)
}}"""
ROWS = [
    ("C1", "the condition's parameter has another size", "s32[3]",
     "s32[3] while(p0), condition=less, body=turn"),
    ("C1", "the condition's parameter is no tuple", "(s32[2])",
     "(s32[2]) while(p0), condition=less, body=turn"),
]


def forbidden():
    """Each row breaks the condition or the body of a loop over s32[2]."""
    good = LOOP.format("s32[2]")
    root = "s32[2] while(p0), condition=less, body=turn"
    yield from refused.cases("while", ROWS, good)
    broken = [
        ("C1", "the condition has two parameters",
         ("  ROOT r = pred[]", "  t = s32[2] parameter(1)\n  ROOT r = pred[]")),
        ("C2", "the condition returns a number", ("pred[] constant(false)", "s32[] constant(0)")),
        ("C2", "the condition returns two predicates",
         ("pred[] constant(false)", "pred[2] constant({0, 0})")),
        ("C2", "the condition returns a tuple",
         ("ROOT r = pred[] constant(false)", "c = pred[] constant(false)\n"
          "  ROOT r = (pred[]) tuple(c)")),
        ("C3", "the body has no parameter",
         ("ROOT s = s32[2] parameter(0)", "ROOT s = s32[2] constant({1, 2})")),
        ("C4", "the body returns another type",
         ("ROOT s = s32[2] parameter(0)", "s = s32[2] parameter(0)\n"
          "  ROOT f = f32[2] convert(s)")),
        ("C5", "the body runs in another thread",
         ("  ROOT s = s32[2] parameter(0)\n}",
          "  ROOT s = s32[2] parameter(0)\n}, execution_thread=\"host\"")),
    ]
    for rule, statement, (old, new) in broken:
        assert old in good, old
        yield refused.case("while", (rule, statement, "s32[2]", root), good.replace(old, new))


def cases():
    for t in types.INTS:
        yield from trips(t)
        if t.bits <= 16:
            yield from wraps(t)
    for t in types.ALL:
        yield carried(t)
    for t, a, b in ((S32, 252, 105), (types.BY_NAME["u8"], 255, 34),
                    (types.BY_NAME["u64"], 1 << 40, 3 << 36)):
        yield gcd(t, a, b)
    yield from map(random_case, range(COUNT))
    yield from triangle()
    yield from devices()
    yield from forbidden()
