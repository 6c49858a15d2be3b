"""Movements: slices at places, gathers, reshapes, and what hands arrays on."""

from assaygen.streams import Stream
from dynamic_sizes.common import (Operand, Sized, braces, clamp, draw, indices, marked,
                                  sizes_text)

COUNT = 24


def dims_of(stream, rank=None, most=5):
    return [1 + stream.below(most) for _ in range(rank or 1 + stream.below(3))]


def starts(sized: Sized, stream: Stream, rank: int):
    """Scalar indices, some of them out of bounds."""
    values = [stream.below(8) - 2 for _ in range(rank)]
    for d, value in enumerate(values):
        sized.line(f"i{d} = s32[] constant({value})")
    return values, ", ".join(f"i{d}" for d in range(rank))


def dynamic_slice(number: int):
    stream = Stream("dynamic_sizes", "dynamic-slice", number)
    x = draw(stream, dims_of(stream))
    lengths = [stream.below(n + 1) for n in x.dims]
    sized = Sized([x])
    values, names = starts(sized, stream, len(x.dims))
    sized.line(f"y = {sized.shape(lengths)} dynamic-slice(d0, {names}), "
               f"dynamic_slice_sizes={braces(lengths)}")
    sizes = [min(a, b) for a, b in zip(lengths, x.sizes)]
    at = [clamp(s, n, k) for s, n, k in zip(values, x.sizes, sizes)]
    found = {i: x.at([a + b for a, b in zip(i, at)]) for i in indices(sizes)}
    return sized.case(f"dynamic_slice_{number:02}", f"a slice of {sizes_text(x)}",
                      [("y", lengths, sizes, found)])


def dynamic_update_slice(number: int):
    stream = Stream("dynamic_sizes", "dynamic-update-slice", number)
    x = draw(stream, dims_of(stream))
    update = draw(stream, [1 + stream.below(n) for n in x.dims])
    sized = Sized([x, update])
    values, names = starts(sized, stream, len(x.dims))
    sized.line(f"y = {marked(x.dims, x.dynamic)} dynamic-update-slice(d0, d1, {names})")
    sizes = [min(a, b) for a, b in zip(update.sizes, x.sizes)]
    at = [clamp(s, n, k) for s, n, k in zip(values, x.sizes, sizes)]
    found = x.table()
    for i in indices(sizes):
        found[tuple(a + b for a, b in zip(i, at))] = update.at(i)
    return sized.case(f"dynamic_update_slice_{number:02}",
                      f"an update of {sizes_text(x, update)}", [("y", x.dims, x.sizes, found)])


def rows(number: int):
    """A gather along dimension 0, of slices along dimension 1."""
    stream = Stream("dynamic_sizes", "gather", number)
    x = draw(stream, dims_of(stream, 2))
    chosen = draw(stream, [1 + stream.below(4), 1], fixed=(1,), high=7)
    length = 1 + stream.below(x.dims[1])
    dims = [chosen.dims[0], length]
    sized = Sized([x, chosen])
    sized.line(f"y = {sized.shape(dims)} gather(d0, d1), offset_dims={{1}}, "
               f"collapsed_slice_dims={{0}}, start_index_map={{0}}, index_vector_dim=1, "
               f"slice_sizes={{1,{length}}}")
    sizes = [chosen.sizes[0], min(length, x.sizes[1])]
    none = x.sizes[0] == 0  # slices of no rows: zeros
    found = {i: 0 if none else x.at((clamp(chosen.at((i[0], 0)), x.sizes[0], 1), i[1]))
             for i in indices(sizes)}
    return sized.case(f"gather_rows_{number:02}", f"rows of {sizes_text(x, chosen)}",
                      [("y", dims, sizes, found)])


def windows(number: int):
    """A gather of boxes, from two indices each."""
    stream = Stream("dynamic_sizes", "gather", "windows", number)
    x = draw(stream, dims_of(stream, 2))
    at = draw(stream, [1 + stream.below(3), 2], fixed=(1,), high=7)
    lengths = [1 + stream.below(n) for n in x.dims]
    dims = [at.dims[0], *lengths]
    sized = Sized([x, at])
    sized.line(f"y = {sized.shape(dims)} gather(d0, d1), offset_dims={{1,2}}, "
               f"collapsed_slice_dims={{}}, start_index_map={{1,0}}, index_vector_dim=1, "
               f"slice_sizes={braces(lengths)}")
    box = [min(a, b) for a, b in zip(lengths, x.sizes)]
    sizes = [at.sizes[0], *box]

    def source(i):
        start = [at.at((i[0], 1)), at.at((i[0], 0))]
        return [clamp(s, n, k) + o for s, n, k, o in zip(start, x.sizes, box, i[1:])]

    found = {i: x.at(source(i)) for i in indices(sizes)}
    return sized.case(f"gather_windows_{number:02}", f"boxes of {sizes_text(x, at)}",
                      [("y", dims, sizes, found)])


def batched(number: int):
    """Each row of indices looks into its own row: batches have the least size."""
    stream = Stream("dynamic_sizes", "gather", "batched", number)
    batch = 1 + stream.below(4)
    x = draw(stream, [batch, 1 + stream.below(4)])
    x = x if x.sizes[1] else Operand(x.dims, [x.given[0], 1], stream)
    at = draw(stream, [batch, 1 + stream.below(3)], high=7)
    sized = Sized([x, at])
    sized.line(f"y = {sized.shape(at.dims)} gather(d0, d1), offset_dims={{}}, "
               "collapsed_slice_dims={1}, start_index_map={1}, operand_batching_dims={0}, "
               "start_indices_batching_dims={0}, index_vector_dim=2, slice_sizes={1,1}")
    sizes = [min(x.sizes[0], at.sizes[0]), at.sizes[1]]
    found = {i: x.at((i[0], clamp(at.at(i), x.sizes[1], 1))) for i in indices(sizes)}
    return sized.case(f"gather_batched_{number:02}", f"batches of {sizes_text(x, at)}",
                      [("y", at.dims, sizes, found)], ["Cut", "Least"])


# Bounds and sizes of the operand; bounds, marks and sizes of the result.
RESHAPES = [
    ([2, 3], [None, 2], [6], [1], [4]),
    ([3, 2], [2, None], [6], [1], [4]),
    ([6], [4], [3, 2], [1, 0], [2, 2]),
    ([6], [4], [2, 3], [0, 1], [2, 2]),
    ([2, 3, 4], [None, None, 3], [6, 4], [0, 1], [6, 3]),
    ([2, 3, 4], [1, None, 3], [6, 4], [1, 1], [3, 3]),
    ([4], [3], [1, 4, 1], [0, 1, 0], [1, 3, 1]),
    ([1, 4, 1], [None, 3, None], [4], [1], [3]),
    ([4, 6], [2, 3], [2, 2, 6], [1, 0, 1], [1, 2, 3]),
    ([3, 4], [0, None], [12], [1], [0]),
    ([2, 6], [1, None], [4, 3], [1, 0], [2, 3]),
    ([5], [5], [5, 1], [1, 0], [5, 1]),
]


def reshape(number: int):
    from_dims, given, dims, on, sizes = RESHAPES[number]
    x = Operand(from_dims, given, Stream("dynamic_sizes", "reshape", number))
    sized = Sized([x]).line(f"y = {marked(dims, map(bool, on))} reshape(d0)")
    found = dict(zip(indices(sizes), x.table().values()))
    return sized.case(f"reshape_{number:02}", f"{sizes_text(x)} as {sizes} of {dims}",
                      [("y", dims, sizes, found)])


def inferred():
    """The text says which of two dimensions is open."""
    x = Operand([6], [4], Stream("dynamic_sizes", "inferred"))
    sized = Sized([x]).line("y = s32[2,<=3] reshape(d0), inferred_dimension=1")
    found = dict(zip(indices([2, 2]), x.table().values()))
    return sized.case("reshape_inferred", "two rows of what there is",
                      [("y", [2, 3], [2, 2], found)])


def turned():
    """Layouts say where elements lie, not which they are."""
    x = Operand([6], [4], Stream("dynamic_sizes", "turned"))
    sized = Sized([x]).line("y = s32[2,<=3]{0,1} reshape(d0)")
    found = dict(zip(indices([2, 2]), x.table().values()))
    return sized.case("reshape_turned", "a result that lies column by column",
                      [("y", [2, 3], [2, 2], found)])


HANDED_ON = {
    "copy": "y = {shape} copy(d0)",
    "barrier": "y = {shape} opt-barrier(d0)",
    "converted": "c = {wide} convert(d0)\n  y = {shape} convert(c)",
    "in_a_tuple": "t = ({shape}, s32[]) tuple(d0, zero)\n"
                  "  y = {shape} get-tuple-element(t), index=0",
    "bitcast": "y = {shape} bitcast(d0)",
    "bits": "c = {bits} bitcast-convert(d0)\n  y = {shape} bitcast-convert(c)",
    "called": "y = {shape} call(d0), to_apply=twice",
    "chosen": "p = pred[] constant(true)\n  y = {shape} conditional(p, d0, d0), "
              "true_computation=twice, false_computation=same",
}


def handed_on(name: str):
    x = Operand([3, 4], [2, 3], Stream("dynamic_sizes", name))
    shape = marked(x.dims, x.dynamic)
    regions = [f"twice {{\n  a = {shape} parameter(0)\n  ROOT b = {shape} add(a, a)\n}}",
               f"same {{\n  ROOT a = {shape} parameter(0)\n}}"]
    text = HANDED_ON[name].format(shape=shape, wide=shape.replace("s32", "s64"),
                                  bits=shape.replace("s32", "u8").replace("]", ",4]"))
    times = 2 if name in ("called", "chosen") else 1
    found = {i: times * value for i, value in x.table().items()}
    return Sized([x], regions).line(text).case(
        f"handed_on_{name}", "a value keeps its sizes", [("y", x.dims, x.sizes, found)])


def elementwise(number: int):
    """Operands of several sizes: the least ones count."""
    stream = Stream("dynamic_sizes", "elementwise", number)
    dims = dims_of(stream)
    a, b, c = (draw(stream, dims) for _ in range(3))
    sized = Sized([a, b, c])
    marks = sized.shape(dims)
    if number % 2:
        sized.line(f"k = {marks.replace('s32', 'pred')} compare(d0, d1), direction=LT")
        sized.line(f"y = {marks} select(k, d1, d2)")
        find = lambda i: b.at(i) if a.at(i) < b.at(i) else c.at(i)  # noqa: E731
    else:
        sized.line(f"k = {marks} multiply(d0, d1)").line(f"y = {marks} add(k, d2)")
        find = lambda i: a.at(i) * b.at(i) + c.at(i)  # noqa: E731
    sizes = [min(n) for n in zip(a.sizes, b.sizes, c.sizes)]
    return sized.case(f"elementwise_{number:02}", f"the least of {sizes_text(a, b, c)}",
                      [("y", dims, sizes, {i: find(i) for i in indices(sizes)})], ["Least"])


def cases():
    for make in (dynamic_slice, dynamic_update_slice, rows, windows, batched):
        yield from map(make, range(COUNT))
    yield from map(reshape, range(len(RESHAPES)))
    yield inferred()
    yield turned()
    yield from map(handed_on, HANDED_ON)
    yield from map(elementwise, range(12))


