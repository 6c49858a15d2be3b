"""set-dimension-size: sums see what counts only, and movements keep what counts
together (spec/ops/set_dimension_size.md)."""

from assaygen import arrays, refused, sized, stated, types
from assaygen.arrays import Array
from assaygen.cases import Case, bits
from assaygen.program import Program
from assaygen.streams import Stream

WHY = stated.WHY | sized.WHY | refused.WHY | {
    "Moved": "movements of arrays that have sizes, element by element",
    "Result": "a result with run-time sizes, in buffers with and without room for them",
}


def summed(i):
    array = sized.draw(Stream("set_dimension_size", i))
    program = array.program()
    every = ",".join(map(str, range(len(array.dims))))
    program.root("s32[]", f"reduce({array.name}, zero), dimensions={{{every}}}, to_apply=add")
    expect = bits(sized.scalar(sum(array.values())))
    return Case(f"s32/sum_{i:02}", f"the sum over {array.sizes} of {list(array.dims)}",
                program, [expect], ["Random", "Edge"])


def of_type(t):
    """Rows joined, of which the last column does not count."""
    halved = sized.Halved("set_dimension_size", t)
    program = halved.program().root(
        f"{t.name}[2]", "reduce(d, p1), dimensions={1}, to_apply=join")
    rows = arrays.of(t, (halved.joined((i, 0), (i, 1)) for i in range(2)))
    return Case(f"{t.name}/rows", "the rows of two columns of three", program, [bits(rows)],
                ["Type"])


def table(array):
    """{index: value} of what counts."""
    return dict(zip(sized.indices(array.sizes), array.values()))


def transposed(array, stream):
    order = list(range(len(array.dims)))[::-1]
    sizes = [array.sizes[d] for d in order]
    found = {tuple(i[d] for d in order): x for i, x in table(array).items()}
    text = f"transpose({array.name}), dimensions={{{','.join(map(str, order))}}}"
    return text, [array.dims[d] for d in order], sizes, found


def turned(array, stream):
    d = stream.below(len(array.dims))
    found = {(*i[:d], array.sizes[d] - 1 - i[d], *i[d + 1:]): x
             for i, x in table(array).items()}
    return f"reverse({array.name}), dimensions={{{d}}}", array.dims, array.sizes, found


def joined(array, stream):
    d = stream.below(len(array.dims))
    def wide(sizes):
        return [2 * n if k == d else n for k, n in enumerate(sizes)]
    once = table(array)
    again = {(*i[:d], i[d] + array.sizes[d], *i[d + 1:]): x for i, x in once.items()}
    return (f"concatenate({array.name}, {array.name}), dimensions={{{d}}}",
            wide(array.dims), wide(array.sizes), once | again)


def padded(array, stream):
    """One element before, two behind, one between two neighbours, in dimension 0."""
    def longer(n):
        return 1 + n + max(n - 1, 0) + 2
    dims = [longer(array.dims[0]), *array.dims[1:]]
    sizes = [longer(array.sizes[0]), *array.sizes[1:]]
    found = {i: 0 for i in sized.indices(sizes)}
    found |= {(1 + 2 * i[0], *i[1:]): x for i, x in table(array).items()}
    places = "x".join(["1_2_1"] + ["0_0"] * (len(dims) - 1))
    return f"pad({array.name}, zero), padding={places}", dims, sizes, found


def sliced(array, stream):
    """Every second element from the second one on, in dimension 0."""
    def shorter(n):
        return n // 2
    ranges = ["[1:%d:2]" % array.dims[0]] + [f"[0:{n}]" for n in array.dims[1:]]
    dims = [shorter(array.dims[0]), *array.dims[1:]]
    sizes = [shorter(array.sizes[0]), *array.sizes[1:]]
    found = {(i[0] // 2, *i[1:]): x for i, x in table(array).items() if i[0] % 2}
    return f"slice({array.name}), slice={{{', '.join(ranges)}}}", dims, sizes, found


def repeated(array, stream):
    dims, sizes = [2, *array.dims], [2, *array.sizes]
    found = {(k, *i): x for k in range(2) for i, x in table(array).items()}
    where = ",".join(str(d + 1) for d in range(len(array.dims)))
    return f"broadcast({array.name}), dimensions={{{where}}}", dims, sizes, found


MOVES = [transposed, turned, joined, padded, sliced, repeated]


def marks(move, array):
    """Which dimensions of the result are dynamic."""
    if move is transposed:
        return array.dynamic[::-1]
    return [False, *array.dynamic] if move is repeated else array.dynamic


def weight(index):
    return 1 + sum((5 * d + 3) * i for d, i in enumerate(index))


def weights(dims, prefix=()):
    if not dims:
        return str(weight(prefix))
    return "{" + ", ".join(weights(dims[1:], (*prefix, i)) for i in range(dims[0])) + "}"


def moved(i):
    """The weighted sum of the result, whose places tell where elements went."""
    move, stream = MOVES[i % len(MOVES)], Stream("set_dimension_size", "moved", i)
    array = sized.draw(stream)
    while move is sliced and array.dims[0] < 4:
        array = sized.draw(stream)
    program = array.program()
    text, dims, sizes, found = move(array, stream)
    shape = sized.marked(dims, marks(move, array))
    plain = sized.marked(dims, [False] * len(dims))
    every = ",".join(map(str, range(len(dims))))
    program.line(f"e = {shape} {text}").line(f"w = {plain} constant({weights(dims)})")
    program.line(f"m = {shape} multiply(e, w)")
    names = [f"size{d}" for d in range(len(dims))]
    for d, name in enumerate(names):
        program.line(f"{name} = s32[] get-dimension-size(e), dimensions={{{d}}}")
    program.line(f"t = s32[] reduce(m, zero), dimensions={{{every}}}, to_apply=add")
    scalars = ", ".join(["s32[]"] * (len(dims) + 1))
    program.root(f"({scalars})", f"tuple(t, {', '.join(names)})")
    total = sum(x * weight(index) for index, x in found.items())
    expect = [bits(sized.scalar(x)) for x in (total, *sizes)]
    return Case(f"s32/{move.__name__}_{i:02}", f"{move.__name__}: {array.sizes} of "
                f"{list(array.dims)}", program, expect, ["Moved", "Random", "Edge"])


LONG = (70000,)
# Types, bounds, sizes, layouts: a size above 255 takes two bytes, one above 65535 three.
RESULTS = [
    (t, dims, sizes, layout)
    for dims, sizes, layouts in [
        ((300,), (257,), ("", "{0:M(4)}", "{0:M(12)}", "{0:M(2)}")),
        (LONG, (65537,), ("{0:M(4)}",)),
        ((3, 4), (2, 3), ("", "{0,1:M(8)}", "{1,0:T(2,2)M(8)}", "{1,0:M(4)}")),
        ((3, 4), (2, None), ("{1,0:M(8)}",)),
        ((2, 3, 2), (0, 1, None), ("{2,1,0:M(12)}",)),
        ((5,), (5,), ("{0:M(4)}",)),
    ]
    for layout in layouts
    for t in ((types.S32,) if dims == LONG else
              (types.S32, types.BY_NAME["u8"], types.BY_NAME["f64"]))
]


def result(number, row):
    """The operand's elements, of which some do not exist any more."""
    t, dims, sizes, layout = row
    x = arrays.splat(t, dims, 7) if dims == LONG else arrays.iota(t, dims)
    program = Program("m", [x])
    name, dynamic = "p0", [False] * len(dims)
    steps = [d for d, size in enumerate(sizes) if size is not None]
    for d in steps:
        dynamic[d] = True
        shape = sized.marked(dims, dynamic).replace("s32", t.name)
        program.line(f"n{d} = s32[] constant({sizes[d]})")
        step = f"set-dimension-size({name}, n{d}), dimensions={{{d}}}"
        name = f"d{d}"
        if d == steps[-1]:
            program.root(shape + layout, step)
        else:
            program.line(f"{name} = {shape} {step}")
    counts = [n if size is None else size for n, size in zip(dims, sizes)]
    there = set(sized.indices(counts))
    bits_of = Array(t, dims, tuple(x.at(i) if i in there else 0 for i in x.indices())).text()
    marked = shape + ("" if counts == list(dims) else f"({','.join(map(str, counts))})")
    _, _, codes = bits_of.partition(" ")
    where = layout or "the default layout"
    return Case(f"{t.name}/result_{number:02}", f"{counts} of {list(dims)} in {where}", program,
                [{"bits": f"{marked} {codes}", "nan": "same"}], ["Result"])


ROWS = [
    ("C1", "a tuple", "(s32[4], s32[4]) ; s32[]",
     "s32[<=4] set-dimension-size(p0, p1), dimensions={0}"),
    ("C2", "the dimension is the rank", "s32[4,4] ; s32[]",
     "s32[4,<=4] set-dimension-size(p0, p1), dimensions={2}"),
    ("C2", "a scalar", "s32[] ; s32[]", "s32[] set-dimension-size(p0, p1), dimensions={0}"),
    ("C3", "a size of 64 bits", "s32[4] ; s64[]",
     "s32[<=4] set-dimension-size(p0, p1), dimensions={0}"),
    ("C3", "a vector of one size", "s32[4] ; s32[1]",
     "s32[<=4] set-dimension-size(p0, p1), dimensions={0}"),
    ("C3", "a float", "s32[4] ; f32[]", "s32[<=4] set-dimension-size(p0, p1), dimensions={0}"),
]


STATED = [
    ("set_twice", "the second size counts",
     "f32[4] 3f800000*4",
     "n = s32[] constant(3) ; m = s32[] constant(2) ; a = f32[<=4] set-dimension-size(p0, n), "
     "dimensions={0} ; b = f32[<=4] set-dimension-size(a, m), dimensions={0} ; s32[] "
     "get-dimension-size(b), dimensions={0}",
     "s32[] 00000002"),
]


def cases():
    yield from map(of_type, types.ALL)
    for i in range(60):
        yield summed(i)
    for i in range(72):
        yield moved(i)
    for number, row in enumerate(RESULTS):
        yield result(number, row)
    yield from refused.cases("set-dimension-size", ROWS)
    yield from (stated.case(row) for row in STATED)
