"""reduce: sums in any order, exact reducers, several operands
(spec/ops/reduce.md)."""

from assaygen import (
    arrays, collectives, combiners, movement, pools, products, refused, stated, sums, types, values)
from assaygen.arrays import Array
from assaygen.cases import Case, bits, interval, rejected
from assaygen.program import Program, scalar_region
from assaygen.streams import Stream

WHY = stated.WHY | {
    "AnyOrder": "a sum whose every order is admissible within the proven bound",
    "ExactInEveryOrder": "all partial sums are representable: one value only",
    "Cancellation": "large terms cancel",
    "NaN": "NaN and infinities among the terms",
    "Empty": "nothing to reduce: the init value",
    "Dimensions": "each set of reduced dimensions",
    "Argmax": "two operands folded together",
    "Layout": "operands in other orders and tilings",
    "Rejected": "a rule of the page is violated",
    "Random": "shapes, dimensions, types and reducers drawn at random",
    "Middle": "a product beside the middle of two numbers",
    "Variadic": "several operands folded together, each by its own reducer",
}
COUNT = 200
SETS = [((6,), (0,)), ((3, 4), (0,)), ((3, 4), (1,)), ((3, 4), (0, 1)), ((2, 3, 4), (0, 2)),
        ((2, 3, 4), (1,)), ((0, 3), (0,)), ((3, 0), (0,)), ((2, 1, 3, 2), (1, 3)), ((3,), ())]
REDUCERS = {
    "maximum": values.maximum,
    "minimum": values.minimum,
}


def groups(operand, dims):
    """The result's dimensions, and for each element the codes it folds."""
    kept = [d for d in range(len(operand.dims)) if d not in dims]
    out = tuple(operand.dims[d] for d in kept)
    table = {i: [] for i in arrays.build(types.PRED, out, lambda _: 0).indices()}
    for index in operand.indices():
        table[tuple(index[d] for d in kept)].append(operand.at(index))
    return out, list(table.values())


def program(operand, init, t, dims, out, body):
    listed = ",".join(map(str, dims))
    shape = Array(t, out, ()).shape
    return (Program("m", [operand, init])
            .region(scalar_region("f", t.name, f"{t.name}[] {body}"))
            .root(shape, f"reduce(p0, p1), dimensions={{{listed}}}, to_apply=f"))


def int_cases():
    folds = {"add": sum, "multiply": product, "maximum": max, "minimum": min}
    for t in types.INTS:
        for number, (dims, reduced) in enumerate(SETS):
            operand = arrays.random_bits(t, dims, Stream("reduce", t.name, number))
            name = list(folds)[number % 4]
            init = arrays.splat(t, (), combiners.identity(t, name))
            out, rows = groups(operand, reduced)
            codes = [t.wrap(folds[name]([t.integer(init.codes[0])]
                                        + [t.integer(c) for c in row])) for row in rows]
            yield Case(f"{t.name}/{name}_{number}", f"{name} over {list(reduced)} of {list(dims)}",
                       program(operand, init, t, reduced, out, f"{name}(a, b)"),
                       [bits(Array(t, out, tuple(codes)))], ["Dimensions"])


def product(items):
    result = 1
    for item in items:
        result *= item
    return result


def extreme_cases():
    for t in types.FLOATS:
        for name, fold in REDUCERS.items():
            operand = arrays.random_bits(t, (8, 5), Stream("reduce", name, t.name))
            init = arrays.splat(t, (), combiners.identity(t, name))
            out, rows = groups(operand, (0,))
            codes = []
            for row in rows:
                value = types.decode(t, init.codes[0])
                for code in row:
                    value = fold(value, types.decode(t, code))
                codes.append(types.encode(t, value))
            yield Case(f"{t.name}/{name}", f"{name} of any bits",
                       program(operand, init, t, (0,), out, f"{name}(a, b)"),
                       [bits(Array(t, out, tuple(codes)))], ["NaN"])


def sum_case(t, what, operand, reduced, why):
    init = arrays.splat(t, (), 0)
    out, rows = groups(operand, reduced)
    triples = [sums.codes(t, [types.decode(t, c).exact for c in row], False) for row in rows]
    sets = [Array(t, out, tuple(column)) for column in zip(*triples)] or [Array(t, out, ())] * 3
    return Case(f"{t.name}/{what}", f"the sum over {list(reduced)} of {list(operand.dims)}",
                program(operand, init, t, reduced, out, "add(a, b)"), [interval(*sets)], [why])


def sum_cases():
    for t in types.FLOATS:
        if t.specials == "e8m0":
            continue
        stream = Stream("reduce", "add", t.name)
        small = arrays.build(t, (4, 3), lambda _, s=stream, t=t: arrays.from_number(t, s.below(2)))
        yield sum_case(t, "add_exact", small, (0,), "ExactInEveryOrder")
        if t.bits < 8:
            continue
        one = (t.bias - 2) << t.mantissa
        def near_one(_, s=stream, t=t, one=one):
            return one + s.below(1 << t.mantissa) | (t.sign_mask if s.bits(1) else 0)
        for number, (dims, reduced) in enumerate(SETS):
            yield sum_case(t, f"add_{number}", arrays.build(t, dims, near_one), reduced,
                           "Empty" if 0 in dims else "AnyOrder")
        if t.bits >= 16:
            yield cancelling(t, stream)
    for i, layout in enumerate(pools.LAYOUTS):
        stream = Stream("reduce", "layout", i)
        operand = arrays.build(types.F32, (5, 6), lambda _, s=stream: 0x3F800000 + s.below(1 << 23))
        yield sum_case(types.F32, f"layout_{i}", operand.with_layout(layout), (i % 2,), "Layout")


def cancelling(t, stream):
    big = [(t.bias + 6 << t.mantissa) + stream.below(1 << t.mantissa) for _ in range(10)]
    tiny = [(t.bias - 6 << t.mantissa) + stream.below(1 << t.mantissa) for _ in range(4)]
    codes = big + tiny + [c | t.sign_mask for c in big]
    return sum_case(t, "add_cancelling", arrays.of(t, codes), (0,), "Cancellation")


def products_beside_middles():
    for t in (types.F32, types.BY_NAME["f64"]):
        rows = products.rows(t)
        operand = Array(t, (len(rows), products.LENGTH), tuple(c for row in rows for c in row))
        triples = [combiners.joined(t, "multiply", row) for row in rows]
        yield Case(f"{t.name}/products_beside_middles",
                   "products that lie 2^-105 and 2^-132 beside the middle of two numbers, and on it",
                   program(operand, arrays.splat(t, (), combiners.identity(t, "multiply")), t, (1,),
                           (len(rows),), "multiply(a, b)"),
                   [combiners.expectation(t, (len(rows),), triples)], ["Middle"])


def special_cases():
    for t in (x for x in types.FLOATS if x.specials == "ieee"):
        one, inf = t.bias << t.mantissa, t.max_finite + 1
        rows = [[inf, one, one], [inf | t.sign_mask, one, inf], [t.nan, one, one],
                [one, inf | t.sign_mask, one]]
        operand = Array(t, (4, 3), tuple(c for row in rows for c in row))
        expect = Array(t, (4,), (inf, t.nan, t.nan, inf | t.sign_mask))
        yield Case(f"{t.name}/add_specials", "infinities and NaN among the terms",
                   program(operand, arrays.splat(t, (), 0), t, (1,), (4,), "add(a, b)"),
                   [bits(expect)], ["NaN"])


def argmax():
    keys = Array(types.F32, (2, 4), tuple(map(int, (
        0x3F800000, 0x40400000, 0x40400000, 0x3F800000, 0xBF800000, 0x80000000, 0, 0xC0000000))))
    numbers = arrays.build(types.S32, (2, 4), lambda i: i[1])
    inputs = [keys, numbers, arrays.splat(types.F32, (), 0xFF800000),
              arrays.splat(types.S32, (), 0)]
    region = ("f {\n  a = f32[] parameter(0)\n  i = s32[] parameter(1)\n"
              "  b = f32[] parameter(2)\n  j = s32[] parameter(3)\n"
              "  gt = pred[] compare(b, a), direction=GT\n"
              "  eq = pred[] compare(b, a), direction=EQ\n"
              "  lt = pred[] compare(j, i), direction=LT\n"
              "  tie = pred[] and(eq, lt)\n  take = pred[] or(gt, tie)\n"
              "  v = f32[] select(take, b, a)\n  k = s32[] select(take, j, i)\n"
              "  ROOT t = (f32[], s32[]) tuple(v, k)\n}")
    text = (Program("m", inputs).region(region)
            .root("(f32[2], s32[2])",
                  "reduce(p0, p1, p2, p3), dimensions={1}, to_apply=f"))
    # The second row: -0 and +0 compare equal, the lower index stays.
    expect = [bits(Array(types.F32, (2,), (0x40400000, 0x80000000)), "same"),
              bits(Array(types.S32, (2,), (1, 1)))]
    return Case("f32/argmax", "the first of the largest, with its index", text, expect,
                ["Argmax"])


def kinds_of(stream, count):
    """Reducers and their types; where there are several none is a sum that rounds."""
    found = []
    while len(found) < count:
        t, name = combiners.draw(stream)
        if count == 1 or name != "add" or t.mantissa < 7:
            found.append((t, name))
    return found


def random(number):
    stream = Stream("reduce", "random", number)
    kinds = kinds_of(stream, 1 + (number % 4 == 3) * (1 + stream.below(2)))
    dims = movement.dims(stream)
    reduced = [d for d in collectives.shuffled(stream, range(len(dims))) if stream.bits(1)]
    operands = [combiners.drawn(t, f, dims, stream) for t, f in kinds]
    inits = [arrays.splat(t, (), combiners.identity(t, f)) for t, f in kinds]
    expect = []
    for (t, f), operand, init in zip(kinds, operands, inits):
        out, rows = groups(operand, reduced)
        triples = [combiners.joined(t, f, [init.codes[0], *row]) for row in rows]
        expect.append(combiners.expectation(t, out, triples))
    inputs = [*operands, *inits]
    listed = ",".join(map(str, reduced))
    text = Program("m", inputs).region(combiners.region(kinds)).root(
        combiners.shape([Array(t, out, ()) for t, _ in kinds]),
        f"reduce({combiners.parameters(len(inputs))}), dimensions={{{listed}}}, to_apply=f")
    why = ["Random"] + ["Variadic"] * (len(kinds) > 1)
    why += ["AnyOrder"] * any(map(combiners.is_open, expect))
    words = " and ".join(f for _, f in kinds)
    return Case(f"{kinds[0][0].name}/random_{number:03}",
                f"{words} over {reduced} of {list(dims)}", text, expect, why)


ROWS = [
    ("C1", "two initial values for one input", "f32[3] ; f32[]",
     "f32[] reduce(p0, p1, p1), dimensions={0}, to_apply=add"),
    ("C2", "inputs of other sizes", "f32[3] ; f32[2] ; f32[]",
     "(f32[], f32[]) reduce(p0, p1, p2, p2), dimensions={0}, to_apply=both"),
    ("C2", "a tuple as input", "(f32[3]) ; f32[]",
     "f32[] reduce(p0, p1), dimensions={0}, to_apply=add"),
    ("C4", "the dimension is the rank", "f32[3,2] ; f32[]",
     "f32[3] reduce(p0, p1), dimensions={2}, to_apply=add"),
    ("C4", "a negative dimension", "f32[3] ; f32[]",
     "f32[] reduce(p0, p1), dimensions={-1}, to_apply=add"),
    ("C5", "one dimension twice", "f32[3,2] ; f32[]",
     "f32[3] reduce(p0, p1), dimensions={1,1}, to_apply=add"),
    ("C6", "the reducer takes one scalar", "f32[3] ; f32[]",
     "f32[] reduce(p0, p1), dimensions={0}, to_apply=one"),
    ("C6", "the reducer takes vectors", "f32[3,2] ; f32[]",
     "f32[2] reduce(p0, p1), dimensions={0}, to_apply=vectors"),
    ("C6", "the reducer takes four scalars for one input", "f32[3] ; f32[]",
     "f32[] reduce(p0, p1), dimensions={0}, to_apply=both"),
    ("C7", "the reducer returns a pair for one input", "f32[3] ; f32[]",
     "(f32[], f32[]) reduce(p0, p1), dimensions={0}, to_apply=pair"),
    ("C8", "the reducer adds integers", "f32[3] ; f32[]",
     "f32[] reduce(p0, p1), dimensions={0}, to_apply=integers"),
    ("C8", "the reducer returns another type", "f32[3] ; f32[]",
     "s32[] reduce(p0, p1), dimensions={0}, to_apply=mixed"),
    ("C8", "the initial value has another type", "f32[3] ; s32[]",
     "f32[] reduce(p0, p1), dimensions={0}, to_apply=add"),
]


STATED = [
    ("negative_zeros", "-0 and nothing else are added",
     "f32[2] 80000000*2 ; f32[] 80000000",
     "f32[] reduce(p0, p1), dimensions={0}, to_apply=add",
     "f32[] 80000000 from 80000000 to 00000000"),
    ("positive_init", "-0 are added to +0",
     "f32[2] 80000000*2 ; f32[] 00000000",
     "f32[] reduce(p0, p1), dimensions={0}, to_apply=add",
     "f32[] 00000000"),
    # Others may use it as often as they like: all other cases have an identity.
    ("init_is_used_once", "2^30, which is no identity, is added once to 1, 2 and 4",
     "s32[3] 00000001 00000002 00000004 ; s32[] 40000000",
     "s32[] reduce(p0, p1), dimensions={0}, to_apply=integers",
     "s32[] 40000007"),
]


def cases():
    yield from int_cases()
    yield from extreme_cases()
    yield from sum_cases()
    yield from products_beside_middles()
    yield from special_cases()
    yield argmax()
    yield from map(random, range(COUNT))
    operand, init = arrays.iota(types.F32, (2,)), arrays.iota(types.F32, (2,))
    yield Case("f32/init_is_an_array", "the init value is a scalar",
               program(operand, init, types.F32, (0,), (), "add(a, b)"),
               rejected("reduce.C3"), ["Rejected"])
    yield from refused.cases("reduce", ROWS, refused.REDUCERS)
    yield from (stated.case(row, regions=refused.REDUCERS + "\n\n") for row in STATED)
