"""Sums and products of sums, and what stands before and behind them."""

from __future__ import annotations

from assaygen import arrays, values, types
from assaygen.arrays import Array
from assaygen.streams import Stream
from assaygen.types import BY_NAME, F32, PRED, S32
from sequences.catalog import Sequence
from sequences.elements import matrix, vector

WHY = {
    "Reduced": "reductions of what was moved, padded, joined or broadcast before",
    "Products": "dots of what was transposed, reshaped, joined or broadcast before",
}
U8, BF16 = BY_NAME["u8"], BY_NAME["bf16"]


def small(t, tag: str, *dims) -> Array:
    """Small integers of both signs, whose sums and products are exact."""
    stream = Stream("sequences", t.name, tag, *dims)
    if t.kind == "int":
        return arrays.build(t, dims, lambda _: t.wrap(stream.below(19) - 9 * t.signed))
    return arrays.build(t, dims, lambda _: types.encode(
        t, values.number(stream.below(9) - 4 or 5)))


def add(b, x, at):
    return b.reduce("add", x, b.number(b.type(x), 0), at)


def extreme(b, op, x, at):
    t = b.type(x)
    start = {"maximum": "-inf", "minimum": "inf"}[op] if t.kind == "float" else {
        "maximum": t.low, "minimum": t.high}[op]
    return b.reduce(op, x, b.number(t, start), at)


# Name, statement, dimensions of the operands, what it writes.
SUMS = [
    ("sum_of_transpose", "a sum over a dimension of a transpose", [(2, 3, 4)], lambda b, x:
        add(b, b.transpose(x, (2, 0, 1)), (0,))),
    ("sum_of_reshape", "a sum over a part of what was one dimension", [(4, 6)], lambda b, x:
        add(b, b.reshape(x, (2, 2, 3, 2)), (1, 2))),
    ("reshaped_sum", "a reshape of a sum", [(2, 3, 4)], lambda b, x:
        b.reshape(add(b, x, (1,)), (4, 2))),
    ("sum_of_sum", "a sum of a sum is one of both dimensions", [(2, 3, 4)], lambda b, x: b.tuple(
        add(b, add(b, x, (2,)), (0,)), add(b, x, (0, 2)))),
    ("dimensions_backwards", "dimensions in another order", [(2, 3, 4)], lambda b, x:
        add(b, x, (2, 0))),
    ("sum_of_broadcast", "a sum over repeated elements is a product", [(3,)], lambda b, x: add(
        b, b.broadcast(x, (5, 3), (1,)), (0,))),
    ("sum_of_splat", "a sum of equal elements", [(3,)], lambda b, x: b.two(
        "add", x, add(b, b.full(b.type(x), 3, (7, 3)), (0,)))),
    ("broadcast_of_sum", "each row less its own sum", [(3, 4)], lambda b, x: b.two(
        "subtract", x, b.broadcast(add(b, x, (1,)), (3, 4), (0,)))),
    ("broadcast_of_greatest", "each column less its greatest element", [(3, 4)], lambda b, x:
        b.two("subtract", x, b.broadcast(extreme(b, "maximum", x, (0,)), (3, 4), (1,)))),
    ("spread_of_all", "the greatest less the least, at every place", [(3, 4)], lambda b, x:
        b.broadcast(b.two("subtract", extreme(b, "maximum", x, (0, 1)),
                          extreme(b, "minimum", x, (0, 1))), (2, 2), ())),
    ("sum_of_joint", "a sum across a joint is the sum of two", [(2, 3), (4, 3)], lambda b, x, y:
        b.tuple(add(b, b.concatenate([x, y], 0), (0,)),
                b.two("add", add(b, x, (0,)), add(b, y, (0,))))),
    ("sum_of_pad", "padding that is not the initial value counts", [(2, 3)], lambda b, x: add(
        b, b.pad(x, b.number(b.type(x), 2), (1, 0), (0, 2, 1)), (0,))),
    ("sum_of_slice", "a sum of every other element", [(2, 7)], lambda b, x: add(
        b, b.slice(x, (0, 2), (1, 7, 2)), (1,))),
    ("slice_of_sum", "a slice of a sum", [(4, 3)], lambda b, x: b.slice(add(b, x, (1,)), (1, 3))),
    ("sum_of_reverse", "a sum does not mind a reverse of its dimension", [(2, 5)], lambda b, x:
        b.tuple(add(b, b.reverse(x, (1,)), (1,)), add(b, b.reverse(x, (0,)), (1,)))),
    ("sum_of_one", "a sum of one element is it", [(3, 1)], lambda b, x: add(b, x, (1,))),
    ("sum_of_none", "a sum of no elements is the initial value", [(3, 2)], lambda b, x: add(
        b, b.slice(x, (0, 3), (1, 1)), (1,))),
    ("sum_of_no_dimension", "a sum over no dimension is its operand", [(3,)],
        lambda b, x: add(b, x, ())),
    ("sum_of_negated", "a sum of negations is a negation", [(3, 4)], lambda b, x: b.tuple(
        add(b, b.one("negate", x), (1,)), b.one("negate", add(b, x, (1,))))),
    ("sum_of_masked", "a sum of what a mask lets through", [(4, 4)], lambda b, x: add(
        b, b.select(b.compare(b.iota(S32, (4, 4), 0), b.iota(S32, (4, 4), 1), "GE"), x,
                    b.full(b.type(x), 0, (4, 4))), (1,))),
    ("trace", "a sum of a diagonal", [(4, 4)], lambda b, x: add(b, b.two("multiply", x, b.convert(
        b.compare(b.iota(S32, (4, 4), 0), b.iota(S32, (4, 4), 1), "EQ"), b.type(x))), (0, 1))),
    ("two_sums_of_one", "two sums of one value, in two directions", [(3, 4)], lambda b, x: (
        lambda y: b.tuple(add(b, y, (0,)), add(b, y, (1,)), add(b, y, (0, 1)), y))(
            b.two("add", x, x))),
    ("greatest_of_sums", "the greatest of sums", [(3, 4)], lambda b, x: extreme(
        b, "maximum", add(b, x, (1,)), (0,))),
    ("sum_in_a_fusion", "a sum within a fusion that has two results", [(3, 4)], lambda b, x: (
        lambda t: b.tuple(b.element(t, 1), b.element(t, 0)))(b.inside(
            "fusion", lambda r, p: r.tuple(add(r, r.two("add", p, p), (1,)), r.one("negate", p)),
            x))),
    ("steps_of_sums", "sums before and behind broadcasts, as of a variance", [(2, 4)],
        lambda b, x: spread(b, x)),
]


def spread(b, x):
    """4 x less the sum of its row, squared and added."""
    four = b.full(b.type(x), 4, (2, 4))
    rest = b.two("subtract", b.two("multiply", four, x),
                 b.broadcast(add(b, x, (1,)), (2, 4), (0,)))
    return b.tuple(add(b, rest, (1,)), add(b, b.two("multiply", rest, rest), (1,)))


def matmul(b, x, y):
    return b.dot(x, y, (1,), (0,))


DOTS = [
    ("transposed_left", "a dot with a transposed left side contracts its other dimension",
        [(3, 2), (3, 4)], lambda b, x, y: b.tuple(matmul(b, b.transpose(x, (1, 0)), y),
                                                  b.dot(x, y, (0,), (0,)))),
    ("transposed_right", "a dot with a transposed right side", [(2, 3), (4, 3)],
        lambda b, x, y: b.tuple(matmul(b, x, b.transpose(y, (1, 0))), b.dot(x, y, (1,), (1,)))),
    ("transposed_both", "a dot of transposes is the transpose of a dot", [(2, 3), (3, 4)],
        lambda b, x, y: b.tuple(matmul(b, b.transpose(y, (1, 0)), b.transpose(x, (1, 0))),
                                b.transpose(matmul(b, x, y), (1, 0)))),
    ("transposed_batch", "the batch dimension comes from a transpose", [(3, 2, 4), (2, 4, 3)],
        lambda b, x, y: b.dot(b.transpose(x, (1, 0, 2)), y, (2,), (1,), ((0,), (0,)))),
    ("batch_in_the_middle", "batches along middle and last dimensions", [(3, 2, 4), (4, 3, 2)],
        lambda b, x, y: b.dot(x, y, (2,), (0,), ((1,), (2,)))),
    ("two_batches_crossed", "two batch dimensions in the other order", [(2, 3, 4), (3, 2, 4)],
        lambda b, x, y: b.dot(x, y, (2,), (2,), ((1, 0), (0, 1)))),
    ("two_contracted", "two dimensions are contracted in the other order", [(2, 3, 4), (4, 3)],
        lambda b, x, y: b.dot(x, y, (1, 2), (1, 0))),
    ("reshaped_left", "a dot of joined dimensions", [(2, 3, 4), (12, 2)], lambda b, x, y:
        matmul(b, b.reshape(x, (2, 12)), y)),
    ("reshaped_result", "a dot whose rows are split again", [(6, 4), (4, 2)], lambda b, x, y:
        b.transpose(b.reshape(matmul(b, x, y), (2, 3, 2)), (1, 0, 2))),
    ("with_ones", "a dot with ones is a sum", [(3, 4)], lambda b, x: b.dot(
        x, b.full(b.type(x), 1, (4,)), (1,), (0,))),
    ("of_broadcast", "a dot of repeated rows", [(4,), (4, 3)], lambda b, x, y: matmul(
        b, b.broadcast(x, (2, 4), (1,)), y)),
    ("contracted_broadcast", "a dot along a repeated dimension", [(2,), (4, 3)],
        lambda b, x, y: matmul(b, b.broadcast(x, (2, 4), (0,)), y)),
    ("with_identity", "a dot with ones on its diagonal", [(3, 4)], lambda b, x: matmul(
        b, x, b.convert(b.compare(b.iota(S32, (4, 4), 0), b.iota(S32, (4, 4), 1), "EQ"),
                        b.type(x)))),
    ("of_joint", "a dot across a joint is the sum of two", [(2, 3), (2, 2), (5, 4)],
        lambda b, x, y, z: b.tuple(
            matmul(b, b.concatenate([x, y], 1), z),
            b.two("add", matmul(b, x, b.slice(z, (0, 3), (0, 4))),
                  matmul(b, y, b.slice(z, (3, 5), (0, 4)))))),
    ("of_pad", "a dot of padded rows", [(2, 3), (5, 4)], lambda b, x, y: matmul(
        b, b.pad(x, b.number(b.type(x), 2), (0, 0), (1, 1)), y)),
    ("slice_of_dot", "some rows and columns of a dot", [(4, 3), (3, 5)], lambda b, x, y: b.slice(
        matmul(b, x, y), (1, 3), (0, 5, 2))),
    ("row_of_dot", "a row of a dot, named at run time", [(4, 3), (3, 5)], lambda b, x, y:
        b.dynamic_slice(matmul(b, x, y), [b.number(S32, 2), b.number(S32, 0)], (1, 5))),
    ("three_matrices", "(x y) z and x (y z) of integers", [(2, 3), (3, 2), (2, 4)],
        lambda b, x, y, z: b.tuple(matmul(b, matmul(b, x, y), z), matmul(b, x, matmul(b, y, z)))),
    ("outer", "nothing is contracted", [(2,), (3,)], lambda b, x, y: b.tuple(
        b.dot(x, y, (), ()), b.two("multiply", b.broadcast(x, (2, 3), (0,)),
                                   b.broadcast(y, (2, 3), (1,))))),
    ("one_contracted", "a contracted dimension of size 1 is an outer product", [(2, 1), (1, 3)],
        matmul),
    ("with_itself", "a matrix times its transpose", [(3, 2)], lambda b, x: b.dot(
        x, x, (1,), (1,))),
    ("plus_bias", "a dot, a bias, and what is below zero cut off", [(2, 3), (3, 4), (4,)],
        lambda b, x, y, z: b.two("maximum", b.two("add", matmul(b, x, y), b.broadcast(
            z, (2, 4), (1,))), b.full(b.type(x), 0, (2, 4)))),
    ("negated", "a dot of negated rows", [(2, 3), (3, 4)], lambda b, x, y: b.two(
        "add", matmul(b, b.one("negate", x), y), matmul(b, x, y))),
    ("no_terms", "a dot of no terms is 0", [(2, 3), (3, 4)], lambda b, x, y: b.two(
        "add", matmul(b, x, y), b.each(b.type(x), "add", (b.dot(
            b.slice(x, (0, 2), (1, 1)), b.slice(y, (3, 3), (0, 4)), (1,), (0,)),) * 2,
            lambda p, q: p))),
]


def specials():
    """What a dot and a sum must not leave out."""
    x = matrix(F32, [1, "inf"], [2, 3], ["nan", 4])
    unit = matrix(F32, [1, 0], [0, 1])
    yield Sequence(F32, "dot_with_identity_of_specials", "0 * inf is NaN in a dot", "Products",
                   (x, unit), matmul)
    yield Sequence(F32, "sum_less_itself_of_specials", "a sum less itself is NaN where it is "
                   "infinite", "Reduced", (x,), lambda b, p: (lambda s: b.two(
                       "subtract", s, s))(add(b, p, (1,))))
    yield Sequence(F32, "greatest_of_pad", "padding with NaN makes the greatest NaN", "Reduced",
                   (matrix(F32, [1, 2], [3, 4]),), lambda b, p: extreme(b, "maximum", b.pad(
                       p, b.number(F32, "nan"), (0, 0), (0, 1)), (0,)))
    yield Sequence(F32, "sum_of_minus_zeros", "a sum of -0 with the initial value 0 is +0",
                   "Reduced", (vector(F32, "-0", "-0", "-0"),), lambda b, p: add(b, p, (0,)))
    yield Sequence(PRED, "any_and_all", "or and and of comparisons", "Reduced",
                   (matrix(S32, [1, 5, 3], [0, 0, 0]),), lambda b, p: (lambda k: b.tuple(
                       b.reduce("or", k, b.number(PRED, 0), (1,)),
                       b.reduce("and", k, b.number(PRED, 1), (0,)),
                       b.reduce("or", b.one("not", k), b.number(PRED, 0), (0, 1))))(
                           b.compare(p, b.full(S32, 0, (2, 3)), "NE")))
    wide = Array(U8, (300,), tuple(7 * i % 256 for i in range(300)))
    yield Sequence(U8, "wide_sum", "a sum wraps in u8, and does not in s32", "Reduced", (wide,),
                   lambda b, p: b.tuple(add(b, p, (0,)), add(b, b.convert(p, S32), (0,)),
                                        b.convert(add(b, b.convert(p, S32), (0,)), U8)),
                   only="given")


def sequences():
    for t in (S32, F32, BF16):
        for rows, why, head in ((SUMS, "Reduced", ""), (DOTS, "Products", "dot_")):
            for name, statement, dims, write in rows:
                if t is BF16 and len(dims) > 2:
                    continue
                inputs = tuple(small(t, f"{name}{k}", *d) for k, d in enumerate(dims))
                yield Sequence(t, head + name, statement, why, inputs, write,
                               only="" if t is F32 else "given")
    yield from specials()
