"""select-and-scatter: one cell of each window, and what is joined to it
(spec/ops/select_and_scatter.md)."""

from assaygen import arrays, combiners, pools, types, values, windows
from assaygen.arrays import Array
from assaygen.cases import Case, rejected
from assaygen.program import Program, scalar_region
from assaygen.streams import Stream

WHY = {
    "Random": "windows, shapes, types, regions and values drawn at random",
    "Select": "each comparison, with equal elements: the first or the last is chosen",
    "Combiner": "each region that is one operation, of each type",
    "Window": "strides, paddings of both signs, dilations, places without any cell",
    "NaN": "a comparison with NaN is false: NaN is chosen, and left again",
    "Several": "several sources at one element: joined in any order, each once",
    "AnyOrder": "a sum whose every order is admissible within the proven bound",
    "Mixed": "one float type stands for another",
    "Layout": "operands and sources in other orders and tilings",
    "Rejected": "a rule of the page is violated",
}
COUNT = 220
S32, F32, F64 = types.S32, types.F32, types.F64
# Dimensions, and per dimension: size, stride, low, high, base and window dilation.
WINDOWS = {
    "pairs": ((8,), [(2, 2, 0, 0, 1, 1)]),
    "overlaps": ((7,), [(3, 1, 0, 0, 1, 1)]),
    "padded": ((5,), [(2, 2, 1, 2, 1, 1)]),
    "cropped": ((7,), [(2, 2, -2, -1, 1, 1)]),
    "spread": ((7,), [(2, 1, 0, 0, 1, 3)]),
    "holes": ((4,), [(3, 2, 1, 1, 2, 1)]),
    "nowhere": ((2,), [(1, 1, 3, 3, 1, 1)]),
    "too_large": ((2,), [(3, 1, 0, 0, 1, 1)]),
    "empty": ((0,), [(2, 1, 2, 1, 1, 1)]),
    "matrix": ((4, 5), [(2, 2, 0, 0, 1, 1), (3, 1, 1, 1, 1, 1)]),
    "images": ((1, 4, 4, 2), [(1, 1, 0, 0, 1, 1), (3, 2, 0, 1, 1, 1), (3, 2, 1, 0, 1, 1),
                              (1, 1, 0, 0, 1, 1)]),
    "scalar": ((), []),
}


def holds(t, direction, a, b):
    """The comparison of two codes."""
    if t.kind == "complex":
        part = types.component(t)
        same = all(values.equal(types.decode(part, x), types.decode(part, y))
                   for x, y in zip(a, b))
        return same == (direction == "EQ")
    if t.kind == "float":
        a, b = types.decode(t, a), types.decode(t, b)
        less, more, same = values.less(a, b), values.less(b, a), values.equal(a, b)
    else:
        a, b = t.integer(a), t.integer(b)
        less, more, same = a < b, a > b, a == b
    return {"LT": less, "LE": less or same, "GT": more, "GE": more or same,
            "EQ": same, "NE": not same}[direction]


def chosen(operand, window, place, direction):
    """The index of the cell that a place chooses, or None."""
    choice = None
    for index in windows.places(operand.dims, window, place):
        if choice is None or not holds(operand.type, direction, operand.at(choice),
                                       operand.at(index)):
            choice = index
    return choice


def meetings(operand, window, direction):
    """For each element of the result that sources meet, their places in order."""
    found: dict = {}
    for place in Array(S32, windows.result_dims(operand.dims, window), ()).indices():
        choice = chosen(operand, window, place, direction)
        if choice is not None:
            found.setdefault(choice, []).append(place)
    return found


def source_of(t, name, dims, found, stream):
    """Where sources alone count, several at one element have neighbouring codes."""
    array = combiners.drawn(t, name, dims, stream)
    codes = list(array.codes)
    for places in found.values() if name == "update" else []:
        if len(places) > 1:
            at = [array.position(i) for i in places]
            for k, code in zip(at, combiners.updates(t, codes[at[0]], len(at))):
                codes[k] = code
    return Array(t, dims, tuple(codes))


def text(t, window, direction, name, inputs, shape):
    select = scalar_region("s", t.name, f"pred[] compare(a, b), direction={direction}")
    attribute = windows.attribute(window) if window else "window={}"
    return Program("m", inputs).region(select).region(combiners.region([(t, name)])).root(
        shape, f"select-and-scatter(p0, p1, p2), {attribute}, select=s, scatter=f")


def one(operand, window, direction, name, what, why, layout=""):
    t = operand.type
    stream = Stream("select-and-scatter", t.name, what)
    found = meetings(operand, window, direction)
    source = source_of(t, name, windows.result_dims(operand.dims, window), found, stream)
    init = combiners.drawn(t, name, (), stream)
    triples = [combiners.joined(t, name, [init.codes[0], *map(source.at, found.get(i, []))])
               for i in operand.indices()]
    several = any(len(places) > 1 for places in found.values())
    join = combiners.expectation if several else combiners.once
    expect = join(t, operand.dims, triples, "same" if name == "update" else "any")
    inputs = [operand.with_layout(layout), source, init]
    why = [*why, *["Several"] * several,
           *["AnyOrder"] * combiners.is_open(expect)]
    return Case(f"{t.name}/{what}", f"{name} where {direction} selects of {list(operand.dims)}",
                text(t, window, direction, name, inputs, inputs[0].shape), [expect], why)


def few(t, dims, stream):
    """Small numbers, many of them equal."""
    return arrays.build(t, dims, lambda _: arrays.from_number(t, stream.below(4)))


def any_bits(t, dims, stream, nan=False):
    """Zeros of both signs, infinities, subnormals; NaN only if asked for."""
    def element(_):
        while True:
            code = stream.choice(pools.specials(t)) if stream.bits(1) else (
                arrays.random_bits(t, (), stream).codes[0])
            if nan or t.kind != "float" or not types.decode(t, code).is_nan:
                return code
    return arrays.build(t, dims, element)


def combiner_cases():
    dims, window = WINDOWS["overlaps"]
    for t in types.ALL:
        extra = ["subtract"] if t.kind == "int" else []
        for k, name in enumerate(dict.fromkeys([*combiners.names(t), *extra, "update"])):
            operand = few(t, dims, Stream("select-and-scatter", "few", t.name, name))
            direction = ("EQ", "NE")[k % 2] if t.kind == "complex" else ("GE", "GT")[k % 2]
            yield one(operand, window, direction, name, name, ["Combiner"])


def select_cases():
    dims, window = WINDOWS["overlaps"]
    for t in (F32, S32, types.PRED, types.BY_NAME["u8"], types.BY_NAME["f8e8m0fnu"]):
        for direction in ("LT", "LE", "GT", "GE", "EQ", "NE"):
            operand = few(t, dims, Stream("select-and-scatter", t.name, direction))
            name = "or" if t.kind == "pred" else "maximum"
            yield one(operand, window, direction, name, f"select_{direction.lower()}", ["Select"])


def window_cases():
    for what, (dims, window) in WINDOWS.items():
        for t, name in ((F32, "add"), (S32, "subtract"), (types.BY_NAME["bf16"], "maximum")):
            operand = any_bits(t, dims, Stream("select-and-scatter", t.name, what))
            yield one(operand, window, "GE", name, f"window_{what}", ["Window"])


def nan_cases():
    """NaN first, in the middle and last in its window."""
    dims, window = (9,), [(3, 3, 0, 0, 1, 1)]
    for t in (x for x in types.FLOATS if x.nan is not None and x.specials != "e8m0"):
        first, second = arrays.from_number(t, 1), arrays.from_number(t, 2)
        codes = (t.nan, first, second, second, t.nan, first, first, second, t.nan)
        for direction in ("GE", "LT", "NE"):
            yield one(Array(t, dims, codes), window, direction, "maximum",
                      f"nan_{direction.lower()}", ["NaN"])


def layout_cases():
    window = [(2, 2, 0, 1, 1, 1), (2, 2, 0, 0, 1, 1)]
    for k, layout in enumerate(pools.LAYOUTS):
        for t, name in ((F32, "add"), (S32, "xor")):
            operand = any_bits(t, (5, 6), Stream("select-and-scatter", t.name, "layout", k))
            yield one(operand, window, "GE", name, f"layout_{k}", ["Layout"], layout)


def mixed_cases():
    """Whole numbers, which every float type here holds."""
    dims, window = WINDOWS["overlaps"]
    for names in (("f32", "bf16", "f32"), ("bf16", "f32", "f32"), ("f16", "f64", "f64"),
                  ("f64", "f16", "f32")):
        t, s, r = (types.BY_NAME[n] for n in names)
        operand = few(t, dims, Stream("select-and-scatter", "mixed", *names))
        source = arrays.iota(s, windows.result_dims(dims, window), 10)
        found = meetings(operand, window, "GE")
        sums = [3 + sum(10 + i[0] for i in found.get((k,), [])) for k in range(dims[0])]
        inputs = [operand, source, arrays.splat(s, (), arrays.from_number(s, 3))]
        select = scalar_region("s", t.name, "pred[] compare(a, b), direction=GE")
        program = Program("m", inputs).region(select).region(
            combiners.region([(r, "add")])).root(operand.shape, (
                f"select-and-scatter(p0, p1, p2), {windows.attribute(window)}, "
                "select=s, scatter=f"))
        result = Array(t, dims, tuple(arrays.from_number(t, n) for n in sums))
        yield Case(f"{t.name}/mixed_{s.name}_{r.name}", f"{s.name} added to {t.name} in {r.name}",
                   program, [combiners.bits(result)], ["Mixed", "Several"])


def random(number):
    stream = Stream("select-and-scatter", "random", number)
    draw = stream.below(6)
    if draw == 0:
        t, name = stream.choice(types.ALL), "update"
    elif draw == 1:
        t, name = stream.choice(types.INTS), "subtract"
    else:
        t, name = combiners.draw(stream)
    dims, window = windows.draw(stream, (1, 2, 2, 3))
    if stream.bits(1):
        operand = few(t, dims, stream)
    else:
        operand = any_bits(t, dims, stream, nan=stream.below(4) == 0)
    directions = ("EQ", "NE") if t.kind == "complex" else ("LT", "LE", "GT", "GE")
    return one(operand, window, stream.choice(directions), name, f"random_{number:03}", ["Random"])


GE = scalar_region("s", "f32", "pred[] compare(a, b), direction=GE")
SUM = combiners.region([(F32, "add")])
NOT_PRED = scalar_region("s", "f32", "f32[] subtract(a, b)")
OF_INTEGERS = scalar_region("s", "s32", "pred[] compare(a, b), direction=GE")
THREE = ("s {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  d = f32[] parameter(2)\n"
         "  ROOT c = pred[] compare(a, b), direction=GE\n}")
ONE = "f {\n  ROOT a = f32[] parameter(0)\n}"
TRUTH = scalar_region("f", "f32", "pred[] compare(a, b), direction=GE")
PLAIN = "size=2x2 stride=2x2"
# Label, what is wrong, window, source and initial value, regions.
BROKEN = [
    ("C2", "the window has a dimension too few", "size=2 stride=2", None, None, GE, SUM),
    ("C3", "a window size is zero", "size=2x0", None, None, GE, SUM),
    ("C4", "a stride is zero", "size=2x2 stride=2x0", None, None, GE, SUM),
    ("C5", "a window dilation is zero", "size=2x2 rhs_dilate=0x1", None, None, GE, SUM),
    ("C5", "a base dilation is negative", "size=2x2 lhs_dilate=1x-1", None, None, GE, SUM),
    ("C6", "a padding is too large", "size=2x2 pad=0_0x0_4611686018427387904", None, None, GE, SUM),
    ("C7", "the source is as large as the operand", PLAIN, (F32, (4, 6)), None, GE, SUM),
    ("C7", "the source has another type", PLAIN, (S32, (2, 3)), None, GE, SUM),
    ("C8", "the initial value is an array", PLAIN, None, (F32, (1,)), GE, SUM),
    ("C8", "the initial value has another type", PLAIN, None, (S32, ()), GE, SUM),
    ("C9", "select returns a number", PLAIN, None, None, NOT_PRED, SUM),
    ("C9", "select takes another type", PLAIN, None, None, OF_INTEGERS, SUM),
    ("C9", "select takes three scalars", PLAIN, None, None, THREE, SUM),
    ("C10", "scatter takes one scalar", PLAIN, None, None, GE, ONE),
    ("C10", "scatter returns a truth value", PLAIN, None, None, GE, TRUTH),
    ("C10", "scatter takes another type", PLAIN, None, None, GE, combiners.region([(S32, "add")])),
]


def rejections():
    x = arrays.iota(F32, (4, 6))
    for number, (rule, statement, window, source, init, select, scatter) in enumerate(BROKEN):
        inputs = [x, arrays.iota(*(source or (F32, (2, 3)))), arrays.iota(*(init or (F32, ())))]
        program = Program("m", inputs).region(select).region(scatter).root(
            "f32[4,6]", f"select-and-scatter(p0, p1, p2), window={{{window}}}, "
            "select=s, scatter=f")
        yield Case(f"f32/rejected_{rule.lower()}_{number:02}", statement, program,
                   rejected(f"select-and-scatter.{rule}"), ["Rejected"])
    program = Program("m", [x, arrays.iota(F32, ())]).region(GE).region(SUM).line(
        "t = (f32[4,6]) tuple(p0)").root(
            "f32[4,6]", f"select-and-scatter(t, p0, p1), window={{{PLAIN}}}, select=s, scatter=f")
    yield Case("f32/rejected_c1_16", "the operand is a tuple", program,
               rejected("select-and-scatter.C1"), ["Rejected"])


def cases():
    for rows in (combiner_cases, select_cases, window_cases, nan_cases, layout_cases,
                 mixed_cases, rejections):
        yield from rows()
    yield from map(random, range(COUNT))
