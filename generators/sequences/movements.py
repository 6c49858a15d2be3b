"""Movements of elements one behind the other: transposes, slices, pads, reshapes, copies."""

from __future__ import annotations

import math

from assaygen import arrays
from assaygen.arrays import Array
from assaygen.types import BY_NAME, F32, S32
from sequences.catalog import Sequence
from sequences.elements import code_of, vector

WHY = {
    "Moved": "movements that undo each other, or seem to",
    "Cut": "slices, pads and concatenations of each other",
    "Placed": "slices and updates at places that are known at run time",
    "Shared": "one value with several users, and results that are one value",
}
U8, U16, U32 = (BY_NAME[n] for n in ("u8", "u16", "u32"))


def counted(t, *dims) -> Array:
    """1, 2, 3, ..."""
    return arrays.iota(t, dims)


def strange(*dims) -> Array:
    """f32: signaling NaNs, -0 and subnormal numbers among others."""
    codes = (0x7F800001, 0x80000000, 1, 0xFFC12345, 0x3F800000, 0x807FFFFF, 0x7FC00001)
    return Array(F32, dims, tuple(codes[i % len(codes)] for i in range(math.prod(dims))))


X23, X234 = strange(2, 3), strange(2, 3, 4)
# Name, statement, inputs, what it writes: turns.
TURNED = [
    ("transposed_twice", "a transpose and its inverse are nothing", (X234,), lambda b, x:
        b.transpose(b.transpose(x, (2, 0, 1)), (1, 2, 0))),
    ("transposed_three_times", "a rotation of three dimensions, three times", (X234,),
        lambda b, x: b.transpose(b.transpose(b.transpose(x, (1, 2, 0)), (1, 2, 0)), (1, 2, 0))),
    ("two_transposes", "two transposes that are one", (X234,), lambda b, x:
        b.transpose(b.transpose(x, (2, 0, 1)), (0, 2, 1))),
    ("reshaped_transpose", "a reshape of a transpose is no reshape", (X23,), lambda b, x:
        b.reshape(b.transpose(x, (1, 0)), (2, 3))),
    ("transposed_reshape", "a transpose of a reshape", (X234,), lambda b, x:
        b.transpose(b.reshape(x, (6, 4)), (1, 0))),
    ("transpose_of_ones", "a transpose that moves sizes of 1 only is a reshape",
        (strange(1, 3, 1, 2),), lambda b, x: b.transpose(x, (1, 0, 3, 2))),
    ("reshaped_back", "reshapes there and back", (X234,), lambda b, x:
        b.reshape(b.reshape(b.reshape(x, (4, 6)), (24,)), (2, 3, 4))),
    ("split_swapped_joined", "a dimension is split, its parts swapped, and joined",
        (strange(2, 12),), lambda b, x: b.reshape(b.transpose(
            b.reshape(x, (2, 3, 4)), (0, 2, 1)), (2, 12))),
    ("split_across", "a reshape across two dimensions behind a transpose", (X234,),
        lambda b, x: b.transpose(b.reshape(b.transpose(x, (0, 2, 1)), (4, 6)), (1, 0))),
    ("reversed_twice", "a reverse twice is nothing", (X23,), lambda b, x:
        b.reverse(b.reverse(x, (0, 1)), (1, 0))),
    ("reversed_each", "two reverses are one of both dimensions", (X234,), lambda b, x:
        b.reverse(b.reverse(x, (0,)), (2,))),
    ("reversed_transpose", "a reverse behind a transpose", (X23,), lambda b, x:
        b.transpose(b.reverse(b.transpose(x, (1, 0)), (0,)), (1, 0))),
    ("reversed_reshape", "a reverse of a flat array is one of every dimension", (X234,),
        lambda b, x: b.tuple(b.reshape(b.reverse(b.reshape(x, (24,)), (0,)), (2, 3, 4)),
                             b.reverse(x, (0, 1, 2)))),
    ("reverse_of_one", "a reverse of a dimension of size 1", (strange(1, 3),), lambda b, x:
        b.reverse(x, (0,))),
    ("broadcast_twice", "a broadcast of a broadcast", (strange(3),), lambda b, x:
        b.broadcast(b.broadcast(x, (2, 3), (1,)), (2, 4, 3), (0, 2))),
    ("transposed_broadcast", "a transpose of a broadcast is a broadcast", (X23,), lambda b, x:
        b.transpose(b.broadcast(x, (4, 2, 3), (1, 2)), (2, 0, 1))),
    ("broadcast_crosswise", "a broadcast whose dimensions are not in order", (X23,),
        lambda b, x: b.broadcast(x, (3, 4, 2), (2, 0))),
    ("reshaped_broadcast", "a reshape that joins repeated and other dimensions", (strange(3),),
        lambda b, x: b.tuple(b.reshape(b.broadcast(x, (2, 3), (1,)), (6,)),
                             b.reshape(b.broadcast(x, (3, 2), (0,)), (6,)))),
    ("broadcast_reshape", "sizes of 1 are dropped before a broadcast", (strange(3, 1),),
        lambda b, x: b.broadcast(b.reshape(x, (3,)), (3, 4), (0,))),
    ("sliced_broadcast", "a slice of a broadcast", (X23,), lambda b, x: b.slice(
        b.broadcast(x, (2, 5, 3), (0, 2)), (0, 2), (1, 4), (2, 3))),
    ("bytes_turned", "the bytes of words in the other order", (strange(4),), lambda b, x:
        bytes_turned(b, x)),
    ("bits_there_and_back", "bits that pass through integers", (X23,), lambda b, x:
        cast(b, cast(b, x, U32), F32)),
    ("halves_swapped", "the halves of words are swapped", (strange(3),), lambda b, x:
        halves_swapped(b, x)),
    ("copied", "copies and barriers keep every bit", (X23,), lambda b, x:
        b.same("copy", b.same("opt-barrier", b.same("copy", x)))),
    ("bitcast_rows", "a bitcast of rows is a reshape", (strange(4, 6),), lambda b, x:
        b.transpose(plain_bitcast(b, b.transpose(x, (1, 0)), (3, 8)), (1, 0))),
]


def cast(b, x, t):
    """bitcast-convert between types of one width."""
    return b.put(t, b.dims(x), "bitcast-convert", (x,), lambda y: Array(t, y.dims, y.codes))


def plain_bitcast(b, x, dims):
    """A bitcast between row-major arrays, which copies make of any."""
    arranged, b.arranged = b.arranged, None
    name = b.same("copy", b.reshape(b.same("copy", x), dims, "bitcast"))
    b.arranged = arranged
    return name


def bytes_turned(b, x):
    n = b.dims(x)[0]
    parts = b.put(U8, (n, 4), "bitcast-convert", (x,), lambda y: arrays.build(
        U8, (n, 4), lambda i: y.codes[i[0]] >> 8 * i[1] & 255))
    turned = b.reverse(parts, (1,))
    return b.put(F32, (n,), "bitcast-convert", (turned,), lambda y: arrays.build(
        F32, (n,), lambda i: sum(y.at((i[0], k)) << 8 * k for k in range(4))))


def halves_swapped(b, x):
    n = b.dims(x)[0]
    parts = b.put(U16, (n, 2), "bitcast-convert", (x,), lambda y: arrays.build(
        U16, (n, 2), lambda i: y.codes[i[0]] >> 16 * i[1] & 65535))
    low, high = (b.slice(parts, (0, n), (k, k + 1)) for k in (0, 1))
    swapped = b.concatenate([high, low], 1)
    return b.put(F32, (n,), "bitcast-convert", (swapped,), lambda y: arrays.build(
        F32, (n,), lambda i: y.at((i[0], 0)) | y.at((i[0], 1)) << 16))


# Cuts and joints.
A, B = strange(2, 3), counted(F32, 3, 3)
CUT = [
    ("slice_of_slice", "a slice of a slice", (counted(F32, 9),), lambda b, x:
        b.slice(b.slice(x, (1, 8, 2)), (1, 4, 2))),
    ("slice_of_reverse", "a slice of a reverse", (counted(F32, 7),), lambda b, x:
        b.tuple(b.slice(b.reverse(x, (0,)), (1, 6, 3)), b.reverse(b.slice(x, (1, 6, 3)), (0,)))),
    ("slice_within_part", "a slice of one part of a concatenation", (A, B), lambda b, x, y:
        b.slice(b.concatenate([x, y], 0), (2, 5), (1, 3))),
    ("slice_across_parts", "a slice across the joint of a concatenation", (A, B),
        lambda b, x, y: b.slice(b.concatenate([x, y], 0), (1, 4), (0, 2))),
    ("strided_across_parts", "a slice with a stride across a joint", (A, B), lambda b, x, y:
        b.slice(b.concatenate([x, y], 0), (1, 5, 2), (0, 3, 2))),
    ("parts_joined_again", "slices of an array, joined again", (B,), lambda b, x: b.concatenate(
        [b.slice(x, (0, 1), (0, 3)), b.slice(x, (1, 3), (0, 3))], 0)),
    ("parts_exchanged", "slices of an array, joined in the other order", (B,), lambda b, x:
        b.concatenate([b.slice(x, (0, 3), (2, 3)), b.slice(x, (0, 3), (0, 2))], 1)),
    ("parts_with_a_gap", "slices that leave a row out", (B,), lambda b, x: b.concatenate(
        [b.slice(x, (0, 1), (0, 3)), b.slice(x, (2, 3), (0, 3))], 0)),
    ("parts_overlap", "slices that share a row", (B,), lambda b, x: b.concatenate(
        [b.slice(x, (0, 2), (0, 3)), b.slice(x, (1, 3), (0, 3))], 0)),
    ("every_other", "even and odd places, joined in turn", (counted(F32, 6),), lambda b, x:
        b.reshape(b.concatenate([b.reshape(b.slice(x, (1, 6, 2)), (3, 1)),
                                 b.reshape(b.slice(x, (0, 6, 2)), (3, 1))], 1), (6,))),
    ("nested_joints", "concatenations of concatenations", (A, B), lambda b, x, y: b.concatenate(
        [x, b.concatenate([y, b.concatenate([x, y], 0)], 0)], 0)),
    ("joined_to_itself", "an array three times", (A,), lambda b, x:
        b.concatenate([x, x, x], 1)),
    ("joined_with_nothing", "an array without elements between two", (A,), lambda b, x:
        b.concatenate([x, b.slice(x, (1, 1), (0, 3)), x], 0)),
    ("joined_alone", "a concatenation of one array", (A,), lambda b, x: b.concatenate([x], 0)),
    ("transposed_joint", "a transpose of a concatenation", (A, B), lambda b, x, y: b.tuple(
        b.transpose(b.concatenate([x, y], 0), (1, 0)),
        b.concatenate([b.transpose(x, (1, 0)), b.transpose(y, (1, 0))], 1))),
    ("negated_joint", "a negation of a concatenation with a splat", (A,), lambda b, x: b.one(
        "negate", b.concatenate([x, b.full(F32, 0, (1, 3))], 0))),
    ("padded_and_cut", "a slice of a pad: what was there", (A,), lambda b, x: b.slice(
        b.pad(x, b.number(F32, 7), (2, 1), (1, 3)), (2, 4), (1, 4))),
    ("padding_cut_out", "a slice of the padding alone", (A,), lambda b, x: b.slice(
        b.pad(x, b.number(F32, "-0"), (2, 1), (1, 3)), (0, 2), (4, 7))),
    ("padding_half_cut", "a slice of padding and of what was there", (A,), lambda b, x: b.slice(
        b.pad(x, b.number(F32, "-0"), (1, 1), (0, 0, 1)), (0, 3, 2), (1, 5, 2))),
    ("cut_and_padded", "a pad that cuts, and one that pads again", (B,), lambda b, x: b.pad(
        b.pad(x, b.number(F32, 8), (-1, 0), (0, -2)), b.number(F32, 9), (1, 0), (0, 2))),
    ("padded_and_cut_by_pad", "a pad, and one that takes it off again", (A,), lambda b, x: b.pad(
        b.pad(x, b.number(F32, 8), (3, 2), (1, 1)), b.number(F32, 9), (-3, -2), (-1, -1))),
    ("two_pads", "two pads with different values", (A,), lambda b, x: b.pad(
        b.pad(x, b.number(F32, 8), (1, 0), (0, 1)), b.number(F32, 9), (0, 1), (1, 0))),
    ("two_pads_between", "a pad between elements, twice", (counted(F32, 3),), lambda b, x: b.pad(
        b.pad(x, b.number(F32, 8), (0, 0, 1)), b.number(F32, 9), (0, 0, 1))),
    ("padded_between_and_cut", "a pad between elements is undone by a stride", (B,),
        lambda b, x: b.slice(b.pad(x, b.number(F32, "nan"), (0, 0, 2), (1, 0, 1)),
                             (0, 7, 3), (1, 6, 2))),
    ("cut_low_between", "a low edge is cut behind the padding between", (counted(F32, 4),),
        lambda b, x: b.pad(x, b.number(F32, 5), (-1, -2, 1))),
    ("padded_with_nothing", "a pad of nothing is nothing", (A,), lambda b, x: b.pad(
        x, b.number(F32, 5), (0, 0), (0, 0))),
    ("padded_reverse", "a pad of a reverse", (B,), lambda b, x: b.pad(
        b.reverse(x, (1,)), b.number(F32, 5), (0, 1), (-1, 2))),
    ("pad_is_joint", "a pad on one side is a concatenation with a splat", (B,), lambda b, x:
        b.tuple(b.pad(x, b.number(F32, 5), (0, 2), (0, 0)),
                b.concatenate([x, b.full(F32, 5, (2, 3))], 0))),
    ("pads_added", "two pads side by side, added: -0 + 0 is +0", (vector(F32, "-0", 1),),
        lambda b, x: b.two("add", b.pad(x, b.number(F32, 0), (0, 2)),
                           b.pad(x, b.number(F32, 0), (2, 0)))),
    ("empty_padded", "a pad of an array without elements", (Array(F32, (0, 2), ()),),
        lambda b, x: b.pad(x, b.number(F32, 5), (1, 1), (0, 1))),
]


def scalars(b, *numbers, t=S32):
    return [b.number(t, x) for x in numbers]


X = counted(S32, 6)
Y = counted(S32, 3, 4)
# Places at run time, and rows that indices name.
PLACED = [
    ("known_place", "a slice at a constant place is a slice", (Y,), lambda b, x: b.tuple(
        b.dynamic_slice(x, scalars(b, 1, 2), (2, 2)), b.slice(x, (1, 3), (2, 4)))),
    ("place_moved_inside", "a slice at a place out of bounds is moved as a whole", (Y,),
        lambda b, x: b.dynamic_slice(x, scalars(b, 2, -5), (2, 3))),
    ("slice_of_update", "a slice of what was just written", (Y,), lambda b, x: b.dynamic_slice(
        b.update(x, b.full(S32, -1, (2, 2)), scalars(b, 1, 1)), scalars(b, 1, 1), (2, 2))),
    ("slice_beside_update", "a slice half of what was written", (Y,), lambda b, x:
        b.dynamic_slice(b.update(x, b.full(S32, -1, (2, 2)), scalars(b, 1, 1)),
                        scalars(b, 0, 2), (2, 2))),
    ("slice_moved_unlike_update", "the same start is moved by each size for itself", (X,),
        lambda b, x: b.dynamic_slice(b.update(x, b.full(S32, -1, (1,)), scalars(b, 5)),
                                     scalars(b, 5), (3,))),
    ("update_with_own_slice", "writing what stands there is nothing", (X,), lambda b, x:
        b.update(x, b.dynamic_slice(x, scalars(b, 9), (2,)), scalars(b, 9))),
    ("update_shifted_up", "a slice of an array is written into it, one place on", (X,),
        lambda b, x: b.update(x, b.slice(x, (0, 5)), scalars(b, 1))),
    ("update_shifted_down", "a slice of an array is written into it, one place back", (X,),
        lambda b, x: b.update(x, b.slice(x, (1, 6)), scalars(b, 0))),
    ("update_reversed", "an array is written into itself backwards", (X,), lambda b, x:
        b.update(x, b.reverse(b.slice(x, (0, 4)), (0,)), scalars(b, 2))),
    ("updates_overlap", "the later of two updates wins", (X,), lambda b, x: b.update(
        b.update(x, b.full(S32, -1, (3,)), scalars(b, 1)), b.full(S32, -2, (3,)), scalars(b, 2))),
    ("updates_of_one", "two updates of one array do not see each other", (X,), lambda b, x:
        b.tuple(b.update(x, b.full(S32, -1, (2,)), scalars(b, 0)),
                b.update(x, b.full(S32, -2, (2,)), scalars(b, 1)), x)),
    ("old_value_after_update", "the old value is read behind an update", (X,), lambda b, x:
        b.two("add", b.update(x, b.full(S32, 10, (2,)), scalars(b, 1)), b.reverse(x, (0,)))),
    ("whole_update", "an update of everything", (X,), lambda b, x: b.update(
        x, b.reverse(x, (0,)), scalars(b, 3))),
    ("empty_update", "an update without elements", (X,), lambda b, x: b.update(
        x, b.slice(x, (2, 2)), scalars(b, 3))),
    ("update_of_splat", "an update of a splat, twice used", (X,), lambda b, x: updated_splat(b, x)),
    ("update_of_transpose", "an update of a transposed array", (Y,), lambda b, x: b.transpose(
        b.update(b.transpose(x, (1, 0)), b.full(S32, -1, (1, 2)), scalars(b, 3, 1)), (1, 0))),
    ("gathered_by_iota", "rows in their own order", (Y,), lambda b, x: b.rows(
        x, b.iota(S32, (3,), 0))),
    ("gathered_backwards", "rows in the other order are a reverse", (Y,), lambda b, x: b.tuple(
        b.rows(x, b.reverse(b.iota(S32, (3,), 0), (0,))), b.reverse(x, (0,)))),
    ("gathered_twice", "rows of rows", (Y, vector(S32, 2, 0, 7, -1), vector(S32, 3, 3, 1)),
        lambda b, x, i, j: b.rows(b.rows(x, i), j)),
    ("gathered_and_sliced", "a column of chosen rows", (Y, vector(S32, 2, 2, 0)),
        lambda b, x, i: b.slice(b.rows(x, i), (0, 3), (1, 2))),
    ("scattered_and_gathered", "rows are written and read again", (Y, vector(S32, 2, 0)),
        lambda b, x, i: b.rows(b.scatter("second", x, i, b.full(S32, -1, (2, 4))), i)),
    ("gathered_and_scattered", "rows are read and written back to other places",
        (Y, vector(S32, 2, 0), vector(S32, 0, 1)), lambda b, x, i, j:
        b.scatter("second", x, j, b.rows(x, i))),
    ("scattered_outside", "rows out of bounds are left out, though a gather moves them in",
        (Y, vector(S32, 3, -1, 1)), lambda b, x, i: b.tuple(
            b.scatter("add", x, i, b.full(S32, 100, (3, 4))), b.rows(x, i))),
    ("scattered_twice", "several updates of one row are all added", (Y, vector(S32, 1, 1, 0, 1)),
        lambda b, x, i: b.two("subtract", b.scatter("add", x, i, b.full(S32, 100, (4, 4))), x)),
    ("counted_by_scatter", "a histogram", (vector(S32, 3, 0, 3, 2, 3, 9, -1),), lambda b, x:
        b.scatter("add", b.full(S32, 0, (4,)), x, b.full(S32, 1, (7,)))),
    ("one_hot", "rows that compare with their places", (vector(S32, 2, 0, 3, 5),), lambda b, x:
        b.convert(b.compare(b.broadcast(x, (4, 4), (0,)), b.iota(S32, (4, 4), 1), "EQ"), F32)),
]


def updated_splat(b, x):
    zeros = b.full(S32, 0, b.dims(x))
    return b.tuple(b.update(zeros, b.slice(x, (0, 2)), scalars(b, 4)), zeros,
                   b.update(zeros, b.slice(x, (2, 4)), scalars(b, 1)))


def sequences():
    for rows, why, t in ((TURNED, "Moved", F32), (CUT, "Cut", F32), (PLACED, "Placed", S32)):
        for name, statement, inputs, write in rows:
            computes = name in ("negated_joint", "pads_added")
            yield Sequence(t, name, statement, why, inputs, write,
                           nan="any" if computes else "same")
    yield from shared()


def shared():
    """One value several times: results, operands, elements of tuples."""
    x, k = strange(2, 3), counted(S32, 4)

    def seq(name, statement, inputs, write, **more):
        return Sequence(S32, name, statement, "Shared", inputs, write, **more)
    yield seq("result_twice", "one value is several results", (k,), lambda b, p: (
        lambda y: b.tuple(y, p, y, p))(b.two("add", p, p)))
    yield seq("parameter_as_result", "the result is a parameter", (x, k), lambda b, p, q: p,
              nan="same")
    yield seq("unused_parameter", "a parameter that nobody reads", (x, k),
              lambda b, p, q: b.two("multiply", q, q))
    yield seq("dead_code", "values that nobody reads", (k,), lambda b, p: (
        b.two("divide", p, b.full(S32, 0, (4,))), b.two("add", p, p))[1])
    yield seq("equal_values", "two ways to one value", (k,), lambda b, p: b.tuple(
        b.two("add", p, p), b.two("add", p, p), b.two("multiply", b.full(S32, 2, (4,)), p)))
    yield seq("element_of_tuple", "a tuple is made and taken apart", (x, k), lambda b, p, q:
              b.tuple(b.element(b.tuple(p, q, p), 1), b.element(b.tuple(q, p), 1)), nan="same")
    yield seq("nested_tuple", "an element of an element of a tuple", (x, k), lambda b, p, q:
              b.element(b.element(b.tuple(q, b.tuple(p, b.tuple(q, p))), 1), 1), nan="same")
    yield seq("shared_constant", "a constant with three users", (k,), lambda b, p: shared_one(b, p))
    yield seq("used_by_all", "a value that every later one reads", (k,), lambda b, p: ladder(b, p))
    yield seq("barrier_of_tuple", "a barrier hands on a tuple", (x, k), lambda b, p, q: (
        lambda t: b.tuple(b.element(t, 1), b.element(t, 0)))(b.step(
            b.shapes[b.tuple(p, q)], "opt-barrier", (b.root,), lambda y: y)), nan="same")
    alias = ", input_output_alias={ {0}: (0, {}, may-alias), {1}: (1, {}, may-alias) }"
    yield seq("aliases_swapped", "results that lie in each other's parameters are exchanged",
              (k, vector(S32, 9, 8, 7, 6)), lambda b, p, q: b.tuple(q, p), header=alias,
              nan="same")
    yield seq("aliases_both_read", "each result reads both parameters",
              (k, vector(S32, 9, 8, 7, 6)), lambda b, p, q: b.tuple(
                  b.two("subtract", p, q), b.two("add", b.reverse(p, (0,)), q)), header=alias)
    one = ", input_output_alias={ {0}: (0, {}, may-alias) }"
    yield seq("update_of_alias", "an update in place of a parameter that is read again", (k,),
              lambda b, p: b.tuple(b.update(p, b.full(S32, -1, (2,)), scalars(b, 1)),
                                   b.reverse(p, (0,))), header=one)


def shared_one(b, p):
    c = b.bits(Array(S32, (4,), tuple(code_of(S32, x) for x in (5, 6, 7, 8))))
    written = b.update(c, b.slice(p, (0, 1)), scalars(b, 2))
    return b.tuple(b.two("add", p, c), written, b.reverse(c, (0,)))


def ladder(b, p):
    """v = v + p, ten times, and the sum of all with the first."""
    values = [p]
    for k in range(10):
        values.append(b.two("subtract" if k % 3 == 2 else "add", values[-1], values[k // 2]))
    total = p
    for v in values[1:]:
        total = b.two("add", total, v)
    return b.tuple(total, values[5])
