"""gather: dimension numbers and clamped starts (spec/ops/gather.md)."""

import itertools

from assaygen import arrays, movement, types
from assaygen.cases import Case, rejected
from assaygen.program import Program
from assaygen.streams import Stream

WHY = movement.WHY | {
    "Clamp": "a slice that would leave the operand moves to its nearest end",
    "Numbers": "where offset, collapsed, batching and index dimensions lie",
}
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


def cases():
    for t in movement.ALL:
        for number in (1, 5):
            yield one(t, types.S32, number, CONFIGURATIONS[number])
    for number, configuration in enumerate(CONFIGURATIONS):
        yield one(types.BY_NAME["f16"], types.S32, number, configuration, "numbers_")
        yield one(types.F32, types.BY_NAME["u8"], number, configuration, "numbers_")
    for index in (x for x in types.INTS if x.bits >= 8):
        yield one(types.F32, index, 0, CONFIGURATIONS[0], f"{index.name}_", extremes=True)
    yield missing()


def result_dims(configuration):
    dims, starts, offset, collapsed, _, vector, sizes, batching, _ = configuration
    batch = [d for k, d in enumerate(starts) if k != vector]
    kept = [s for k, s in enumerate(sizes) if k not in collapsed and k not in batching]
    total = len(batch) + len(kept)
    batch, kept = iter(batch), iter(kept)
    return [next(kept) if k in offset else next(batch) for k in range(total)]


def origin(configuration, indices, out):
    """The operand index of a result index: the definition, word for word."""
    dims, starts, offset, collapsed, start_map, vector, sizes, ob, ib = configuration
    batch = [x for k, x in enumerate(out) if k not in offset]
    within = iter(x for k, x in enumerate(out) if k in offset)
    position = [0] * len(dims)
    for k, d in enumerate(start_map):
        at = batch[:vector] + [k] + batch[vector:] if vector < len(starts) else batch
        start = indices.type.integer(indices.at(at))
        position[d] = min(max(start, 0), dims[d] - sizes[d])
    for d, b in zip(ob, ib):
        position[d] = batch[b - (1 if b > vector else 0)]
    for d in range(len(dims)):
        if d not in collapsed and d not in ob:
            position[d] += next(within)
    return tuple(position)


def one(t, index, number, configuration, name="", extremes=False):
    dims, starts, offset, collapsed, start_map, vector, sizes, ob, ib = configuration
    operand = movement.any_bits("gather", t, dims, f"{name}{number}")
    stream = Stream("gather", index.name, number, name)
    pool = itertools.cycle([index.low, index.high, 2]) if extremes else None
    indices = arrays.build(index, starts, lambda _: index.wrap(
        next(pool) if pool else stream.below(9) - (3 if index.signed else 0)))
    out = result_dims(configuration)
    result = movement.moved(operand, out, lambda i: origin(configuration, indices, list(i)))
    def text(numbers):
        return "{" + ",".join(map(str, numbers)) + "}"
    attributes = (f"offset_dims={text(offset)}, collapsed_slice_dims={text(collapsed)}, "
                  f"start_index_map={text(start_map)}, ")
    if ob:
        attributes += (f"operand_batching_dims={text(ob)}, "
                       f"start_indices_batching_dims={text(ib)}, ")
    attributes += f"index_vector_dim={vector}, slice_sizes={text(sizes)}"
    return movement.case(f"{name}{number}", f"{list(dims)} gathered by {list(starts)}",
                         [operand, indices], f"gather(p0, p1), {attributes}", result,
                         ["Clamp", "Numbers"])


def missing():
    inputs = [arrays.iota(types.F32, (3,)), arrays.iota(types.F32, (2,))]
    program = Program("m", inputs).root(
        "f32[2]", "gather(p0, p1), offset_dims={}, collapsed_slice_dims={0}, "
        "start_index_map={0}, index_vector_dim=1, slice_sizes={1}")
    return Case("f32/float_indices", "indices are integers", program,
                rejected("gather.C1"), ["Rejected"])
