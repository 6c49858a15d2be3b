"""gather: dimension numbers and clamped starts (spec/ops/gather.md)."""

import itertools

from assaygen import arrays, indexed, movement, refused, stated, types
from assaygen.cases import Case, rejected, without
from assaygen.indexed import Numbers, listed
from assaygen.program import Program
from assaygen.streams import Stream

WHY = stated.WHY | without(movement.WHY, "Edge", "Layout", "Shape", "Type") | {
    "Clamp": "a slice that would leave the operand moves to its nearest end",
    "Numbers": "where offset, collapsed, batching and index dimensions lie",
    "Random": "dimension numbers, shapes, types and indices drawn at random",
}
COUNT = 200
# operand dims, indices dims, offset_dims, collapsed, start_index_map,
# index_vector_dim, slice_sizes, operand batching, indices batching
CONFIGURATIONS = [
    ((5,), (3,), [], [0], [0], 1, [1], [], []),
    ((5, 4), (3, 1), [1], [0], [0], 1, [1, 4], [], []),
    ((5, 4), (2, 3), [0], [1], [1], 2, [5, 1], [], []),
    ((5, 4), (3, 2), [], [0, 1], [1, 0], 1, [1, 1], [], []),
    ((5, 4), (2, 3), [1, 2], [], [0, 1], 0, [2, 2], [], []),
    ((3, 4, 5), (2, 2), [1, 2], [1], [0, 2], 1, [2, 1, 3], [], []),
    ((3, 4, 5), (3, 2, 1), [2], [1], [1], 2, [1, 1, 5], [0], [0]),
    ((4, 2), (2,), [0, 1], [], [0, 1], 0, [2, 2], [], []),
    ((4, 3), (0, 1), [1], [0], [0], 1, [1, 3], [], []),
]


STATED = [
    ("constant_index", "a constant u32 index with its top bit set takes the last slice",
     "f32[4] 3f800000 40000000 40400000 40800000",
     "n = u32[1] constant({2147483648}) ; f32[1] gather(p0, n), offset_dims={}, "
     "collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1}",
     "f32[1] 40800000"),
    ("index_of_batch", "an index of a batching dimension is not used: the batch says it",
     "f32[3,2] 00000000 3f800000 40000000 40400000 40800000 40a00000 ; "
     "s32[3,2] 00000002 00000001 00000001*2 00000000*2",
     "f32[3] gather(p0, p1), offset_dims={}, collapsed_slice_dims={1}, start_index_map={0,1}, "
     "operand_batching_dims={0}, start_indices_batching_dims={0}, index_vector_dim=1, "
     "slice_sizes={1,1}",
     "f32[3] 3f800000 40400000 40800000"),
]


def cases():
    for t in movement.ALL:
        for number in (1, 5):
            yield one(t, types.S32, number, CONFIGURATIONS[number])
    for number, configuration in enumerate(CONFIGURATIONS):
        yield one(types.BY_NAME["f16"], types.S32, number, configuration, "numbers_")
        yield one(types.F32, types.BY_NAME["u8"], number, configuration, "numbers_")
    for index in (x for x in types.INTS if x.bits >= 8):
        yield one(types.F32, index, 0, CONFIGURATIONS[0], f"{index.name}_", extremes=True)
    yield from map(random, range(COUNT))
    yield missing()
    yield from forbidden()
    yield from (stated.case(row, nan="same") for row in STATED)


def origin(numbers, indices, out):
    """The operand index of a result index: the definition, word for word."""
    batch, within = numbers.parts(out)
    start = numbers.start(indices, batch)
    for d in numbers.start_map:
        start[d] = min(max(start[d], 0), numbers.dims[d] - numbers.sizes[d])
    return numbers.element(start, within)


def one(t, index, number, configuration, name="", extremes=False):
    numbers = Numbers(*configuration)
    stream = Stream("gather", index.name, number, name)
    pool = itertools.cycle([index.low, index.high, 2]) if extremes else None
    indices = arrays.build(index, numbers.starts, lambda _: index.wrap(
        next(pool) if pool else stream.below(9) - (3 if index.signed else 0)))
    return gathered(t, numbers, indices, f"{name}{number}", "", ["Clamp", "Numbers"])


def gathered(t, numbers, indices, name, flags, why):
    operand = movement.any_bits("gather", t, numbers.dims, name)
    result = movement.moved(operand, numbers.slices(),
                            lambda i: origin(numbers, indices, list(i)))
    attributes = (f"offset_dims={listed(numbers.offset)}, "
                  f"collapsed_slice_dims={listed(numbers.collapsed)}, "
                  f"start_index_map={listed(numbers.start_map)}, ")
    if numbers.operand_batching:
        attributes += (f"operand_batching_dims={listed(numbers.operand_batching)}, "
                       f"start_indices_batching_dims={listed(numbers.start_batching)}, ")
    attributes += (f"index_vector_dim={numbers.vector}, "
                   f"slice_sizes={listed(numbers.sizes)}{flags}")
    return movement.case(
        name, f"{list(numbers.dims)} gathered by {list(numbers.starts)}",
        [operand, indices], f"gather(p0, p1), {attributes}", result, why)


def random(number):
    """One in ten has indices in order and says so."""
    stream = Stream("gather", "random", number)
    t, index = stream.choice(types.ALL), stream.choice(types.INTS)
    numbers = indexed.draw(stream, unused=number % 10 == 1)
    indices = indexed.indices(numbers, index, stream)
    flags = ""
    if number % 10 == 0:
        indices = arrays.splat(index, numbers.starts, 1)
        flags = ", indices_are_sorted=true"
    return gathered(t, numbers, indices, f"random_{number:03}", flags, ["Random"])


def missing():
    inputs = [arrays.iota(types.F32, (3,)), arrays.iota(types.F32, (2,))]
    program = Program("m", inputs).root(
        "f32[2]", "gather(p0, p1), offset_dims={}, collapsed_slice_dims={0}, "
        "start_index_map={0}, index_vector_dim=1, slice_sizes={1}")
    return Case("f32/float_indices", "indices are integers", program,
                rejected("gather.C1"), ["Rejected"])


# Rows of x[4,3] by two numbers, i[2]: what is wrong, and how it differs.
PLAIN = {"offset_dims": "1", "collapsed_slice_dims": "0", "start_index_map": "0",
         "operand_batching_dims": None, "start_indices_batching_dims": None,
         "index_vector_dim": 1, "slice_sizes": "1,3"}
BATCHED = {"offset_dims": "", "collapsed_slice_dims": "1", "start_index_map": "1",
           "operand_batching_dims": "0", "start_indices_batching_dims": "0",
           "index_vector_dim": 1, "slice_sizes": "1,1"}
FORBIDDEN = [
    ("C1", "the operand is a tuple", "(f32[4,3]) ; s32[2]", PLAIN, {}),
    ("C1", "indices of pred", "f32[4,3] ; pred[2]", PLAIN, {}),
    ("C2", "the index dimension is beyond the rank", "f32[4,3] ; s32[2]", PLAIN,
     {"index_vector_dim": 2}),
    ("C2", "the index dimension is negative", "f32[4,3] ; s32[2]", PLAIN,
     {"index_vector_dim": -1}),
    ("C3", "two places for an index of one", "f32[4,3] ; s32[2]", PLAIN,
     {"start_index_map": "0,1"}),
    ("C3", "no place for an index of one", "f32[4,3] ; s32[2,1]", PLAIN,
     {"start_index_map": ""}),
    ("C4", "an index of a dimension that is not there", "f32[4,3] ; s32[2]", PLAIN,
     {"start_index_map": "2"}),
    ("C4", "two indices of one dimension", "f32[4,3] ; s32[2,2]", PLAIN,
     {"start_index_map": "0,0"}),
    ("C5", "a size too much", "f32[4,3] ; s32[2]", PLAIN, {"slice_sizes": "1,3,1"}),
    ("C6", "a slice longer than the dimension", "f32[4,3] ; s32[2]", PLAIN,
     {"slice_sizes": "1,4"}),
    ("C7", "a collapsed dimension that is not there", "f32[4,3] ; s32[2]", PLAIN,
     {"collapsed_slice_dims": "2"}),
    ("C7", "collapsed dimensions out of order", "f32[4,3] ; s32[2]", PLAIN,
     {"collapsed_slice_dims": "1,0", "offset_dims": "", "slice_sizes": "1,1"}),
    ("C8", "a batching dimension that is not there", "f32[4,3] ; s32[4,1]", BATCHED,
     {"operand_batching_dims": "2"}),
    ("C8", "a batching dimension twice", "f32[4,3] ; s32[4,4,1]", BATCHED,
     {"operand_batching_dims": "0,0", "start_indices_batching_dims": "0,1",
      "index_vector_dim": 2}),
    ("C9", "a collapsed dimension of two", "f32[4,3] ; s32[2]", PLAIN,
     {"slice_sizes": "2,3"}),
    ("C9", "a batching dimension of two", "f32[4,3] ; s32[4,1]", BATCHED,
     {"slice_sizes": "2,1"}),
    ("C10", "a batching dimension is collapsed", "f32[4,3] ; s32[4,1]", BATCHED,
     {"collapsed_slice_dims": "0"}),
    ("C11", "a batching dimension of the operand only", "f32[4,3] ; s32[4,1]", BATCHED,
     {"start_indices_batching_dims": ""}),
    ("C11", "the index dimension is a batching dimension", "f32[4,3] ; s32[4,1]", BATCHED,
     {"start_indices_batching_dims": "1"}),
    ("C12", "batches of other sizes", "f32[4,3] ; s32[3,1]", BATCHED, {}),
    ("C13", "an offset dimension that is not there", "f32[4,3] ; s32[2]", PLAIN,
     {"offset_dims": "2"}),
    ("C13", "an offset dimension twice", "f32[4,3] ; s32[2]", PLAIN,
     {"offset_dims": "1,1", "collapsed_slice_dims": ""}),
    ("C14", "no offset dimension", "f32[4,3] ; s32[2]", PLAIN, {"offset_dims": ""}),
    ("C14", "nothing is collapsed", "f32[4,3] ; s32[2]", PLAIN,
     {"collapsed_slice_dims": ""}),
]


def forbidden():
    for rule, statement, shapes, base, changes in FORBIDDEN:
        numbers = ", ".join(
            f"{key}={value}" if isinstance(value, int) else f"{key}={{{value}}}"
            for key, value in (base | changes).items() if value is not None)
        shape = "f32[2,3]" if base is PLAIN else "f32[4]"
        row = (rule, statement, shapes, f"{shape} gather(p0, p1), {numbers}")
        yield refused.case("gather", row)
