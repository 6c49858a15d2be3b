"""reduce-window: strides, paddings and dilations (spec/ops/reduce-window.md)."""

from assaygen import arrays, combiners, products, refused, stated, sums, types, values, windows
from assaygen.arrays import Array
from assaygen.cases import Case, bits, interval
from assaygen.program import Program, scalar_region
from assaygen.streams import Stream
from assaygen.windows import attribute, cells, result_dims

WHY = stated.WHY | refused.WHY | {
    "Window": "stride, padding and dilation of every sign and size",
    "Padding": "cells outside of the operand take no part",
    "AnyOrder": "a sum whose every order is admissible within the proven bound",
    "Random": "windows, shapes, types and reducers drawn at random",
    "Middle": "a product beside the middle of two numbers",
    "Variadic": "several operands folded together, each by its own reducer",
}
COUNT = 200
WIDE = 130  # a window that slides
# per dimension: size, stride, low, high, base dilation, window dilation
WINDOWS = [
    ((6,), [(3, 1, 0, 0, 1, 1)]),
    ((6,), [(2, 2, 1, 1, 1, 1)]),
    ((6,), [(2, 1, 0, 0, 1, 3)]),
    ((4,), [(3, 1, 1, 2, 2, 1)]),
    ((7,), [(2, 3, -1, -2, 1, 1)]),
    ((2,), [(5, 1, 0, 0, 1, 1)]),
    ((4, 5), [(2, 1, 0, 1, 1, 1), (3, 2, 1, 1, 1, 1)]),
    ((1, 5, 5, 2), [(1, 1, 0, 0, 1, 1), (3, 2, 1, 1, 1, 1), (3, 2, 1, 1, 1, 1),
                    (1, 1, 0, 0, 1, 1)]),
    ((3, 4), [(2, 1, 3, 3, 1, 1), (1, 1, 0, 0, 1, 1)]),
    # One element: how far away a second one would lie does not matter.
    ((1,), [(1, 2, 2, 2, (1 << 63) - 1, (1 << 63) - 1)]),
    ((1, 3), [(2, 3, 4, 1, (1 << 63) - 1, 1), (1, 1, 0, 0, 1, (1 << 63) - 1)]),
]


def program(operand, init, t, window, out, name):
    shape = Array(t, out, ()).shape
    return (Program("m", [operand, init])
            .region(scalar_region("f", t.name, f"{t.name}[] {name}(a, b)"))
            .root(shape, f"reduce-window(p0, p1), {attribute(window)}, to_apply=f"))


def one(t, number, name):
    dims, window = WINDOWS[number]
    stream = Stream("reduce-window", t.name, number)
    out = result_dims(dims, window)
    is_sum = name == "add" and t.kind == "float"
    if is_sum:
        one_ = (t.bias - 2) << t.mantissa
        operand = arrays.build(t, dims, lambda _: one_ + stream.below(1 << t.mantissa))
    else:
        operand = arrays.random_bits(t, dims, stream)
    init = arrays.splat(t, (), combiners.identity(t, name))
    indices = Array(t, out, ()).indices()
    rows = [cells(operand, window, index) for index in indices]
    if is_sum:
        triples = [sums.codes(t, [types.decode(t, c).exact for c in row], False)
                   for row in rows]
        sets = [Array(t, out, tuple(c)) for c in zip(*triples)] or [Array(t, out, ())] * 3
        expect = interval(*sets)
    else:
        expect = bits(Array(t, out, tuple(folded(t, name, row) for row in rows)))
    return Case(f"{t.name}/{name}_{number}", f"{name} over windows of {list(dims)}",
                program(operand, init, t, window, out, name), [expect],
                ["Window", "Padding"] + ["AnyOrder"] * is_sum)


def folded(t, name, row):
    if t.kind == "int":
        numbers = [t.integer(c) for c in row]
        return t.wrap(sum(numbers) if name == "add" else max([t.low, *numbers]))
    value = types.decode(t, combiners.identity(t, name))
    for code in row:
        value = values.maximum(value, types.decode(t, code))
    return types.encode(t, value)


ROWS = [
    ("C1", "two initial values for one input", "f32[3] ; f32[]",
     "f32[3] reduce-window(p0, p1, p1), window={size=1}, to_apply=add"),
    ("C2", "inputs of other sizes", "f32[3] ; f32[2] ; f32[]",
     "(f32[3], f32[3]) reduce-window(p0, p1, p2, p2), window={size=1}, to_apply=both"),
    ("C2", "a tuple as input", "(f32[3]) ; f32[]",
     "f32[3] reduce-window(p0, p1), window={size=1}, to_apply=add"),
    ("C3", "a vector as initial value", "f32[3] ; f32[1]",
     "f32[3] reduce-window(p0, p1), window={size=1}, to_apply=add"),
    ("C4", "a window of one of two dimensions", "f32[3,3] ; f32[]",
     "f32[3,3] reduce-window(p0, p1), window={size=1}, to_apply=add"),
    ("C4", "a window of a scalar", "f32[] ; f32[]",
     "f32[] reduce-window(p0, p1), window={size=1}, to_apply=add"),
    ("C5", "a window of no size", "f32[3,3] ; f32[]",
     "f32[3,4] reduce-window(p0, p1), window={size=1x0}, to_apply=add"),
    ("C6", "a stride of 0", "f32[3,3] ; f32[]",
     "f32[3,3] reduce-window(p0, p1), window={size=1x1 stride=1x0}, to_apply=add"),
    ("C6", "a negative stride", "f32[3] ; f32[]",
     "f32[3] reduce-window(p0, p1), window={size=1 stride=-1}, to_apply=add"),
    ("C7", "a dilation of the window of 0", "f32[3] ; f32[]",
     "f32[2] reduce-window(p0, p1), window={size=2 rhs_dilate=0}, to_apply=add"),
    ("C7", "a dilation of the input of 0", "f32[3] ; f32[]",
     "f32[2] reduce-window(p0, p1), window={size=2 lhs_dilate=0}, to_apply=add"),
    ("C8", "padding beyond 2^60", "f32[3] ; f32[]",
     "f32[3] reduce-window(p0, p1), window={size=1 pad=0_1152921504606846977}, to_apply=add"),
    ("C8", "negative padding beyond 2^60", "f32[3] ; f32[]",
     "f32[3] reduce-window(p0, p1), window={size=1 pad=-1152921504606846977_0}, to_apply=add"),
    ("C9", "the reducer takes one scalar", "f32[3] ; f32[]",
     "f32[3] reduce-window(p0, p1), window={size=1}, to_apply=one"),
    ("C9", "the reducer takes vectors", "f32[3] ; f32[]",
     "f32[3] reduce-window(p0, p1), window={size=1}, to_apply=vectors"),
    ("C10", "the reducer returns a pair for one input", "f32[3] ; f32[]",
     "(f32[3], f32[3]) reduce-window(p0, p1), window={size=1}, to_apply=pair"),
    ("C11", "the reducer adds integers", "f32[3] ; f32[]",
     "f32[3] reduce-window(p0, p1), window={size=1}, to_apply=integers"),
    ("C11", "the reducer returns another type", "f32[3] ; f32[]",
     "s32[3] reduce-window(p0, p1), window={size=1}, to_apply=mixed"),
    ("C11", "the initial value has another type", "f32[3] ; s32[]",
     "f32[3] reduce-window(p0, p1), window={size=1}, to_apply=add"),
]


STATED_REGIONS = stated.SUM_AND_PRODUCT + stated.regions(("either", "pred", "add"), ("whole", "s32", "add"))
STATED = [
    ("negative_zeros", "-0 and nothing else are added, and -0 to +0",
     "f32[4] 80000000*3 00000000 ; f32[] 80000000",
     "f32[2] reduce-window(p0, p1), window={size=2 stride=2}, to_apply=sum",
     "f32[2] 80000000 00000000 from 80000000 00000000 to 00000000*2"),
    ("overflows_on_its_way",
     "2^127 + 2^127 - 2^127 is 2^127 in numbers without end",
     "f32[3] 7f000000*2 ff000000 ; f32[] 00000000",
     "f32[1] reduce-window(p0, p1), window={size=3}, to_apply=sum",
     "f32[1] 7f000000 from 7efffffa to 7f000003 or +inf"),
    ("wide_zeros", "-0 alone under the first of two wide windows, and +0 under the second too",
     "f32[129] 80000000*128 00000000 ; f32[] 80000000",
     "f32[2] reduce-window(p0, p1), window={size=128}, to_apply=sum",
     "f32[2] 80000000 00000000 from 80000000 00000000 to 00000000*2"),
    ("wide_padding", "wide windows in the padding of another dimension hold nothing",
     "f32[2,2,129] 3f800000*516 ; f32[] 00000000",
     "f32[2,3,2] reduce-window(p0, p1), window={size=1x1x128 pad=0_0x1_0x0_0}, to_apply=sum",
     "f32[2,3,2] 00000000*2 43000000*4 00000000*2 43000000*4"),
    ("wide_dilated", "every second cell of a wide window lies in a gap",
     "f32[100] 3f800000*100 ; f32[] 00000000",
     "f32[72] reduce-window(p0, p1), window={size=128 lhs_dilate=2}, to_apply=sum",
     "f32[72] 42800000*72"),
    ("zero_times_infinity", "0 times an infinity, and NaN, make NaN",
     "f32[4] 00000000 7f800000 7fc00000 3f800000 ; f32[] 3f800000",
     "f32[2] reduce-window(p0, p1), window={size=2 stride=2}, to_apply=product",
     "f32[2] 7fc00000*2"),
    ("pred", "or of pred that are added",
     "pred[3] 0 1 0 ; pred[] 0",
     "pred[2] reduce-window(p0, p1), window={size=2}, to_apply=either",
     "pred[2] 1 1"),
    # Others may use it as often as they like: all other cases have an identity.
    ("init_is_used_once", "2^30, which is no identity, is added once, and not for padding",
     "s32[3] 00000001 00000002 00000004 ; s32[] 40000000",
     "s32[2] reduce-window(p0, p1), window={size=2 stride=2 pad=0_1}, to_apply=whole",
     "s32[2] 40000003 40000004"),
]


def products_beside_middles():
    """All factors of a row are in its middle windows."""
    for t in (types.F32, types.BY_NAME["f64"]):
        ones = [combiners.identity(t, "multiply")] * (WIDE - products.LENGTH // 2)
        rows = [ones + row + ones for row in products.rows(t)]
        width = len(rows[0])
        operand = Array(t, (len(rows), width), tuple(c for row in rows for c in row))
        window = [(1, 1, 0, 0, 1, 1), (WIDE, 1, 0, 0, 1, 1)]
        out = (len(rows), width - WIDE + 1)
        triples = [combiners.joined(t, "multiply", row[i:i + WIDE])
                   for row in rows for i in range(out[1])]
        yield Case(f"{t.name}/products_beside_middles",
                   "running products that lie 2^-105 and 2^-132 beside the middle of two numbers, and on it",
                   program(operand, arrays.splat(t, (), ones[0]), t, window, out, "multiply"),
                   [combiners.expectation(t, out, triples)], ["Middle"])


def cases():
    for t in types.INTS:
        for number in range(len(WINDOWS)):
            yield one(t, number, ("add", "maximum")[number % 2])
    for t in types.FLOATS:
        for number in range(len(WINDOWS)):
            if t.specials != "e8m0":
                yield one(t, number, "maximum")
            if t.bits >= 8 and t.specials != "e8m0":
                yield one(t, number, "add")
    yield from products_beside_middles()
    yield from map(random, range(COUNT))
    yield from map(variadic, range(COUNT // 4))
    yield from refused.cases("reduce-window", ROWS, refused.REDUCERS)
    yield from (stated.case(row, regions=STATED_REGIONS) for row in STATED)


def random(number):
    stream = Stream("reduce-window", "random", number)
    return folded_windows([combiners.draw(stream)], stream, f"random_{number:03}", ["Random"])


def variadic(number):
    """Two or three operands; none is a sum that rounds."""
    stream = Stream("reduce-window", "variadic", number)
    kinds = [(t, name) for t, name in (combiners.draw(stream) for _ in range(3))
             if name != "add" or t.mantissa < 7][:2 + number % 2]
    if len(kinds) < 2:
        kinds += [(types.S32, "xor")] * 2
    return folded_windows(kinds, stream, f"variadic_{number:03}", ["Random", "Variadic"])


def folded_windows(kinds, stream, name, why):
    """Operands of all kinds, folded over one window."""
    dims, window = windows.draw(stream)
    operands = [combiners.drawn(t, f, dims, stream) for t, f in kinds]
    inits = [arrays.splat(t, (), combiners.identity(t, f)) for t, f in kinds]
    out = result_dims(dims, window)
    expect = []
    for (t, f), operand, init in zip(kinds, operands, inits):
        indices = Array(t, out, ()).indices()
        rows = [[init.codes[0], *cells(operand, window, index)] for index in indices]
        expect.append(combiners.expectation(t, out, [combiners.joined(t, f, r) for r in rows]))
    inputs = [*operands, *inits]
    text = Program("m", inputs).region(combiners.region(kinds)).root(
        combiners.shape([Array(t, out, ()) for t, _ in kinds]),
        f"reduce-window({combiners.parameters(len(inputs))}), {attribute(window)}, to_apply=f")
    if any(map(combiners.is_open, expect)):
        why = [*why, "AnyOrder"]
    words = " and ".join(f for _, f in kinds)
    return Case(f"{kinds[0][0].name}/{name}", f"{words} over windows of {list(dims)}",
                text, expect, why)
