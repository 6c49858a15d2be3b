"""Operations that move elements: the examples of the document, and gathers of boxes."""

from __future__ import annotations

from assaygen import arrays
from assaygen.arrays import Array
from seeds.common import (F16, F32, PRED, S32, S64, U16, example, matrix, number, refused,
                          vector)

OPS = "002_operations"
B = matrix(F32, [0, 1, 2], [3, 4, 5], [6, 7, 8], [9, 10, 11])
A = vector(F32, 0, 1, 2, 3, 4)


def slices():
    yield example(OPS, "slice.vector", "elements 2 and 3", [A],
                  "r = f32[2] slice(p0), slice={[2:4]}", [vector(F32, 2, 3)])
    yield example(OPS, "slice.matrix", "rows 2 and 3, columns 1 and 2", [B],
                  "r = f32[2,2] slice(p0), slice={[2:4], [1:3]}", [matrix(F32, [7, 8], [10, 11])])
    one, two = number(S32, 2), number(S32, 1)
    yield example(OPS, "dynamic_slice.vector", "two elements from place 2 on", [A, one],
                  "r = f32[2] dynamic-slice(p0, p1), dynamic_slice_sizes={2}", [vector(F32, 2, 3)])
    yield example(OPS, "dynamic_slice.matrix", "a box from (2, 1) on", [B, one, two],
                  "r = f32[2,2] dynamic-slice(p0, p1, p2), dynamic_slice_sizes={2,2}",
                  [matrix(F32, [7, 8], [10, 11])])
    yield example(OPS, "dynamic_slice.clamped", "every dimension is clamped, the first too",
                  [B, number(S32, 9), number(S32, -9)],
                  "r = f32[2,2] dynamic-slice(p0, p1, p2), dynamic_slice_sizes={2,2}",
                  [matrix(F32, [6, 7], [9, 10])], why="Corrected")
    yield example(OPS, "dynamic_update_slice.vector", "two elements are written at place 2",
                  [A, vector(F32, 5, 6), one], "r = f32[5] dynamic-update-slice(p0, p1, p2)",
                  [vector(F32, 0, 1, 5, 6, 4)])
    yield example(OPS, "dynamic_update_slice.matrix", "a box is written at (1, 1)",
                  [B, matrix(F32, [12, 13], [14, 15], [16, 17]), two, two],
                  "r = f32[4,3] dynamic-update-slice(p0, p1, p2, p3)",
                  [matrix(F32, [0, 1, 2], [3, 12, 13], [6, 14, 15], [9, 16, 17])])


def joints():
    parts = [vector(F32, *x) for x in ((2, 3), (4, 5), (6, 7))]
    yield example(OPS, "concatenate.vectors", "three vectors", parts,
                  "r = f32[6] concatenate(p0, p1, p2), dimensions={0}",
                  [vector(F32, 2, 3, 4, 5, 6, 7)])
    yield example(OPS, "concatenate.matrices", "a row below three",
                  [matrix(F32, [1, 2], [3, 4], [5, 6]), matrix(F32, [7, 8])],
                  "r = f32[4,2] concatenate(p0, p1), dimensions={0}",
                  [matrix(F32, [1, 2], [3, 4], [5, 6], [7, 8])])
    yield example(OPS, "broadcast.scalar", "2 at every place of 2 by 3", [number(F32, 2)],
                  "r = f32[2,3] broadcast(p0), dimensions={}", [matrix(F32, [2] * 3, [2] * 3)])
    yield example(OPS, "broadcast.to_the_left", "new dimensions stand on the left",
                  [vector(F32, 1, 2)], "r = f32[3,1,2] broadcast(p0), dimensions={2}",
                  [matrix(F32, *[[[1, 2]]] * 3)], why="Stated")
    yield example(OPS, "broadcast_in_dim.grows", "a size of 1 is dropped and repeated",
                  [matrix(F32, [1], [2])], "x = f32[2] reshape(p0)\n"
                  "r = f32[2,3] broadcast(x), dimensions={0}",
                  [matrix(F32, [1] * 3, [2] * 3)], why="Stated")
    x = arrays.random_bits(F32, (2, 2), arrays.Stream("seeds", "pad"))
    yield example(OPS, "pad.nothing", "a pad of zeros everywhere is nothing", [x, number(F32, 9)],
                  "r = f32[2,2] pad(p0, p1), padding=0_0_0x0_0_0", [x], why="Stated", nan="same")
    yield example(OPS, "pad.inner_first", "elements are cut off behind the padding between",
                  [vector(F32, 1, 2, 3), number(F32, 9)], "r = f32[4] pad(p0, p1), padding=-1_0_1",
                  [vector(F32, 9, 2, 9, 3)], why="Stated")
    yield example(OPS, "rev.index", "index i becomes n - 1 - i",
                  [matrix(F32, [1, 2, 3], [4, 5, 6])],
                  "r = f32[2,3] reverse(p0), dimensions={1}", [matrix(F32, [3, 2, 1], [6, 5, 4])],
                  why="Stated")


V = matrix(F32, *[[[10 * k, 10 * k + 1, 10 * k + 2], [10 * k + 5, 10 * k + 6, 10 * k + 7]]
                  for k in (1, 2, 3, 4)])
IN_ORDER = [code for k in (10, 20, 30, 40) for code in (k, k + 1, k + 2, k + 5, k + 6, k + 7)]
OUT_OF_ORDER = [k + i for i in (0, 1, 2, 5, 6, 7) for k in (10, 20, 30, 40)]


def numbers(dims, values) -> Array:
    return Array(F32, dims, vector(F32, *values).codes)


def reshapes():
    """In the document's example of collapse the results of {0,1} and {1,2} are exchanged."""
    for name, dims, why in (
            ("collapse.0_1_2", (24,), "Example"), ("collapse.0_1", (8, 3), "Corrected"),
            ("collapse.1_2", (4, 6), "Corrected"), ("reshape.in_order_24", (24,), "Example"),
            ("reshape.in_order_8_3", (8, 3), "Example")):
        sizes = ",".join(map(str, dims))
        yield example(OPS, name, f"4 by 2 by 3 as {list(dims)}", [V],
                      f"r = f32[{sizes}] reshape(p0)",
                      [numbers(dims, IN_ORDER)], why=why)
    for dims in ((24,), (8, 3), (2, 6, 2)):
        sizes = ",".join(map(str, dims))
        yield example(OPS, "reshape.out_of_order_" + sizes.replace(",", "_"),
                      f"dimensions 1, 2, 0 in this order, as {list(dims)}", [V],
                      "t = f32[2,3,4] transpose(p0), dimensions={1,2,0}\n"
                      f"r = f32[{sizes}] reshape(t)", [numbers(dims, OUT_OF_ORDER)])
    yield example(OPS, "reshape.to_scalar", "one element becomes a scalar", [numbers((1, 1), [5])],
                  "r = f32[] reshape(p0)", [number(F32, 5)])
    yield example(OPS, "reshape.from_scalar", "a scalar becomes one element", [number(F32, 5)],
                  "r = f32[1,1] reshape(p0)", [numbers((1, 1), [5])])
    turned = arrays.build(F32, (2, 3, 4), lambda i: V.at((i[2], i[0], i[1])))
    yield example(OPS, "transpose.is_reshape", "a transpose is a reshape with permuted dimensions",
                  [V], """t = f32[2,3,4] transpose(p0), dimensions={1,2,0}
                  u = f32[24] reshape(t)
                  v = f32[2,3,4] reshape(u)
                  r = (f32[2,3,4], f32[2,3,4]) tuple(t, v)""", [turned, turned], why="Stated")


def bits():
    words = arrays.random_bits(F32, (10,), arrays.Stream("seeds", "bitcast"))
    halves = arrays.build(F16, (10, 2), lambda i: words.codes[i[0]] >> 16 * i[1] & 65535)
    yield example(OPS, "bitcast_convert.wider_to_narrower", "10 words are 10 by 2 halves", [words],
                  "r = f16[10,2]{1,0} bitcast-convert(p0)", [halves], nan="same")
    one = Array(F32, (), words.codes[:1])
    yield example(OPS, "bitcast_convert.scalar", "a word is 2 halves, the low one first", [one],
                  "r = f16[2]{0} bitcast-convert(p0)", [Array(F16, (2,), halves.codes[:2])],
                  nan="same")
    yield example(OPS, "bitcast_convert.narrower_to_wider", "10 by 2 halves are 10 words",
                  [halves], "r = f32[10]{0} bitcast-convert(p0)", [words], nan="same")


def iotas():
    for d in (0, 1):
        found = arrays.build(S32, (4, 8), lambda i, d=d: i[d])
        yield example(OPS, f"iota.dimension_{d}", f"counts along dimension {d}", [],
                      f"r = s32[4,8] iota(), iota_dimension={d}", [found])
    found = arrays.build(U16, (3, 5), lambda i: i[1])
    real = Array(F32, (3, 5), tuple(vector(F32, c).codes[0] for c in found.codes))
    yield example(OPS, "iota.of_floats", "an iota of floats is a convert of one of integers", [],
                  """i = u16[3,5] iota(), iota_dimension=1
                  c = f32[3,5] convert(i)
                  f = f32[3,5] iota(), iota_dimension=1
                  r = (f32[3,5], f32[3,5]) tuple(c, f)""", [real, real], why="Stated")


def selects():
    p, v, w = (Array(PRED, (4,), (1, 0, 0, 1)), vector(S32, 1, 2, 3, 4),
               vector(S32, 100, 200, 300, 400))
    yield example(OPS, "select.array", "element by element", [p, v, w],
                  "r = s32[4] select(p0, p1, p2)", [vector(S32, 1, 200, 300, 4)])
    for k in (0, 1):
        yield example(OPS, f"select.scalar_{('false', 'true')[k]}", "as a whole",
                      [Array(PRED, (), (k,)), v, w], "r = s32[4] select(p0, p1, p2)",
                      [v if k else w], why="Example" if k else "Corrected")
    yield refused(OPS, "select.tuples", "tuples are not selected", """HloModule m

ENTRY main {
  p = pred[] parameter(0)
  x = s32[4] parameter(1)
  y = s32[4] parameter(2)
  a = (s32[4], s32[4]) tuple(x, y)
  b = (s32[4], s32[4]) tuple(y, x)
  ROOT r = (s32[4], s32[4]) select(p, a, b)
}
""", "select.C2", [Array(PRED, (), (1,)), v, w])
    for k in (0, 1):
        yield example(OPS, f"select.tuples_by_conditional_{k}", "a conditional chooses between "
                      "tuples, which a select does not any more", [Array(PRED, (), (k,)), v, w],
                      """a = (s32[4], s32[4]) tuple(p1, p2)
                      b = (s32[4], s32[4]) tuple(p2, p1)
                      r = (s32[4], s32[4]) conditional(p0, a, b), BRANCHES""".replace(
                          "BRANCHES", "true_computation=it, false_computation=it"),
                      [v, w] if k else [w, v], why="Stated",
                      regions=["it {\n  ROOT t = (s32[4], s32[4]) parameter(0)\n}"])


SIXTEEN = arrays.build(F32, (16, 11), lambda i: vector(F32, 100 * i[0] + i[1]).codes[0])


def gathers():
    """The worked example: boxes of 8 by 6 out of 16 by 11."""
    at = [(0, 0), (8, 5), (3, 2), (7, 1), (1, 4)]
    starts = matrix(S64, *map(list, at))
    boxes = arrays.build(F32, (5, 8, 6), lambda i: SIXTEEN.at(
        (at[i[0]][0] + i[1], at[i[0]][1] + i[2])))
    how = ("collapsed_slice_dims={}, start_index_map={0,1}, index_vector_dim=IV, "
           "slice_sizes={8,6}")
    yield example(OPS, "gather.boxes", "[16,11] to [5,8,6]: element [G,O0,O1] is that at "
                  "[X+O0,Y+O1]", [SIXTEEN, starts], "r = f32[5,8,6] gather(p0, p1), "
                  "offset_dims={1,2}, " + how.replace("IV", "1"), [boxes])
    grid = [[(g + h, (g * h) % 6) for h in range(5)] for g in range(4)]
    found = arrays.build(F32, (4, 5, 8, 6), lambda i: SIXTEEN.at(
        (grid[i[0]][i[1]][0] + i[2], grid[i[0]][i[1]][1] + i[3])))
    yield example(OPS, "gather.grid_of_boxes", "indices [4,5,2] give [4,5,8,6]",
                  [SIXTEEN, matrix(S64, *[[list(x) for x in row] for row in grid])],
                  "r = f32[4,5,8,6] gather(p0, p1), offset_dims={2,3}, " + how.replace("IV", "2"),
                  [found])
    rows = [[3, 15], [0, 7]]
    taken = arrays.build(F32, (2, 2, 11), lambda i: SIXTEEN.at((rows[i[0]][i[1]], i[2])))
    yield example(OPS, "gather.rows", "whole rows, as gather_nd has them", [
        SIXTEEN, matrix(S64, *[[[x] for x in row] for row in rows])],
        "r = f32[2,2,11] gather(p0, p1), offset_dims={2}, collapsed_slice_dims={0}, "
        "start_index_map={0}, index_vector_dim=2, slice_sizes={1,11}", [taken])
    yield example(OPS, "gather.implicit_vector", "without a dimension of index vectors each "
                  "index is one", [SIXTEEN, matrix(S64, *rows)],
                  "r = f32[2,2,11] gather(p0, p1), offset_dims={2}, collapsed_slice_dims={0}, "
                  "start_index_map={0}, index_vector_dim=2, slice_sizes={1,11}", [taken])
    yield remapped()


def remapped():
    """Offsets 0, 1, 2, 3 belong to dimensions 1, 3, 4, 5 where 0 and 2 are collapsed."""
    x = arrays.build(S32, (2, 2, 3, 2, 2, 3), lambda i: int("".join(map(str, i))))
    r = arrays.build(S32, (1, 2, 2, 2, 3), lambda i: x.at((1, i[1], 2, *i[2:])))
    return example(OPS, "gather.remapped_offsets", "offset dimensions skip the collapsed ones",
                   [x, matrix(S32, [1, 2])], "r = s32[1,2,2,2,3] gather(p0, p1), "
                   "offset_dims={1,2,3,4}, collapsed_slice_dims={0,2}, start_index_map={0,2}, "
                   "index_vector_dim=1, slice_sizes={1,2,1,2,2,3}", [r], why="Corrected")


def cases():
    for part in (slices, joints, reshapes, bits, iotas, selects, gathers):
        yield from part()
