"""Operations that combine elements: reductions, windows, dots, sorts, scatters."""

from __future__ import annotations

from assaygen import arrays
from assaygen.arrays import Array
from seeds.common import (ADD, F32, MAX, MIN, MUL, PRED, S32, example, matrix, number, region,
                          vector)

OPS = "002_operations"
ROWS = matrix(F32, [1, 2, 3], [4, 5, 6])
FOUR = matrix(F32, *[[[1, 2, 3], [4, 5, 6]]] * 4)
ZERO = number(F32, 0)


def sums():
    yield example(OPS, "reduce.vector", "10, 11, 12, 13 in any grouping",
                  [vector(F32, 10, 11, 12, 13), ZERO],
                  "r = f32[] reduce(p0, p1), dimensions={0}, to_apply=add", [number(F32, 46)],
                  regions=[region(ADD)])
    for what, x, dims, found in (
            ("matrix_0", ROWS, "0", vector(F32, 5, 7, 9)),
            ("matrix_1", ROWS, "1", vector(F32, 6, 15)),
            ("cube_0", FOUR, "0", matrix(F32, [4, 8, 12], [16, 20, 24])),
            ("cube_2", FOUR, "2", matrix(F32, *[[6, 15]] * 4)),
            ("cube_0_1", FOUR, "0,1", vector(F32, 20, 28, 36)),
            ("cube_1_0", FOUR, "1,0", vector(F32, 20, 28, 36)),
            ("cube_all", FOUR, "0,1,2", number(F32, 84))):
        yield example(OPS, f"reduce.{what}", f"a sum over dimensions {dims}", [x, ZERO],
                      f"r = {found.shape} reduce(p0, p1), dimensions={{{dims}}}, to_apply=add",
                      [found], regions=[region(ADD)])
    yield from arguments()


def arguments():
    """f(max, argmax, value, index): the later of equal values, as value >= max asks."""
    greater = """f {
  m = f32[] parameter(0)
  k = s32[] parameter(1)
  v = f32[] parameter(2)
  i = s32[] parameter(3)
  p = pred[] compare(v, m), direction=GE
  a = f32[] select(p, v, m)
  b = s32[] select(p, i, k)
  ROOT t = (f32[], s32[]) tuple(a, b)
}"""
    yield example(OPS, "reduce.variadic", "the greatest value and its place",
                  [vector(F32, 1, 7, 3, 5), vector(S32, 0, 1, 2, 3), number(F32, "-inf"),
                   number(S32, -1)],
                  "r = (f32[], s32[]) reduce(p0, p1, p2, p3), dimensions={0}, to_apply=f",
                  [number(F32, 7), number(S32, 1)], regions=[greater])


def sizes():
    ten = vector(F32, *range(1, 11))
    for size, op, name, found in ((5, ADD, "add", 15), (5, MUL, "multiply", 120),
                                  (6, ADD, "add", 21)):
        start = number(F32, int(name == "multiply"))
        yield example(OPS, f"set_dimension_size.{name}_of_{size}", f"{name} of {size} elements",
                      [ten, number(S32, size), start],
                      "x = f32[<=10] set-dimension-size(p0, p1), dimensions={0}\n"
                      "r = f32[] reduce(x, p2), dimensions={0}, to_apply=add",
                      [number(F32, found)], regions=[region(op)])
    yield example(OPS, "get_dimension_size.static", "the size of a dimension", [ROWS],
                  "r = s32[] get-dimension-size(p0), dimensions={1}", [number(S32, 3)],
                  why="Stated")


def windows():
    x = arrays.iota(F32, (4, 6))
    yield example(OPS, "reduce_window.maxima", "the maxima of windows of 2 by 3 side by side",
                  [x, number(F32, "-inf")],
                  "r = f32[2,2] reduce-window(p0, p1), window={size=2x3 stride=2x3}, to_apply=add",
                  [matrix(F32, [9, 12], [21, 24])], regions=[region(MAX)])
    tens = vector(F32, 10000, 1000, 100, 10, 1)
    for name, pad, found in (("valid", "", (100, 1)), ("same", " pad=1_1", (1000, 10, 1))):
        yield example(OPS, f"reduce_window.minima_{name}", f"minima of 3 that move by 2, {name}",
                      [tens, number(F32, "3.4028234663852886e38")],
                      f"r = f32[{len(found)}] reduce-window(p0, p1), "
                      f"window={{size=3 stride=2{pad}}}, to_apply=add",
                      [vector(F32, *found)], regions=[region(MIN)])
    yield selected()


def selected():
    """Two windows share the 9: it gets 2 + 6."""
    x = matrix(F32, [1, 4, 3, 0, 2], [5, 0, 9, 6, 1])
    ge = """ge {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT p = pred[] compare(a, b), direction=GE
}"""
    return example(OPS, "select_and_scatter.overlap", "an element that two windows select gets "
                   "both sources", [x, matrix(F32, [2, 6]), ZERO],
                   "r = f32[2,5] select-and-scatter(p0, p1, p2), window={size=2x3 stride=2x2}, "
                   "select=ge, scatter=add", [matrix(F32, [0] * 5, [0, 0, 8, 0, 0])],
                   why="Stated", regions=[ge, region(ADD)])


def dots():
    x, y = vector(F32, 1, 2, 3), vector(F32, 4, 5, 6)
    lists = "lhs_contracting_dims={0}, rhs_contracting_dims={0}"
    yield example(OPS, "dot.vectors", "[n] and [n] give a scalar", [x, y],
                  f"r = f32[] dot(p0, p1), {lists}", [number(F32, 32)], why="Stated")
    yield example(OPS, "dot.matrix_and_vector", "[m,k] and [k] give [m]", [ROWS, x],
                  "r = f32[2] dot(p0, p1), lhs_contracting_dims={1}, rhs_contracting_dims={0}",
                  [vector(F32, 14, 32)], why="Stated")
    yield example(OPS, "dot.matrices", "[m,k] and [k,n] give [m,n]",
                  [ROWS, matrix(F32, [1, 2], [3, 4], [5, 6])],
                  "r = f32[2,2] dot(p0, p1), lhs_contracting_dims={1}, rhs_contracting_dims={0}",
                  [matrix(F32, [22, 28], [49, 64])], why="Stated")
    yield example(OPS, "dot_general.contracting", "dimension 1 of both is contracted",
                  [ROWS, matrix(F32, [1, 1, 1], [2, 2, 2])],
                  "r = f32[2,2] dot(p0, p1), lhs_contracting_dims={1}, rhs_contracting_dims={1}",
                  [matrix(F32, [6, 12], [15, 30])])
    batch = matrix(F32, [[1, 2], [3, 4]], [[5, 6], [7, 8]])
    ones = matrix(F32, [[1, 0], [0, 1]], [[1, 0], [0, 1]])
    yield example(OPS, "dot_general.batch", "two products of 2 by 2 matrices", [batch, ones],
                  "r = f32[2,2,2] dot(p0, p1), lhs_batch_dims={0}, rhs_batch_dims={0}, "
                  "lhs_contracting_dims={2}, rhs_contracting_dims={1}", [batch])
    two = Array(F32, (1, 2, 2, 2), batch.codes)
    yield example(OPS, "dot_general.two_batches", "[b0,b1,m,k] and [b0,b1,k,n]",
                  [two, Array(F32, (1, 2, 2, 2), ones.codes)],
                  "r = f32[1,2,2,2] dot(p0, p1), lhs_batch_dims={0,1}, rhs_batch_dims={0,1}, "
                  "lhs_contracting_dims={3}, rhs_contracting_dims={2}", [two], why="Stated")


def convolutions():
    """The document's loops: padding of one on each side, a stride of two."""
    x, k = arrays.iota(F32, (1, 2, 4, 5)), arrays.iota(F32, (3, 2, 3, 3), -4)

    def term(b, oz, oy, ox, iz, ky, kx):
        iy, ix = oy * 2 + ky - 1, ox * 2 + kx - 1
        if not (0 <= iy < 4 and 0 <= ix < 5):
            return 0
        return int(arrays.decoded(F32, x.at((b, iz, iy, ix))).exact
                   * arrays.decoded(F32, k.at((oz, iz, ky, kx))).exact)
    found = arrays.build(F32, (1, 3, 2, 3), lambda o: vector(F32, sum(
        term(*o, iz, ky, kx) for iz in range(2) for ky in range(3) for kx in range(3))).codes[0])
    yield example(OPS, "conv.loops", "the sum of products in a window, padding left out", [x, k],
                  "r = f32[1,3,2,3] convolution(p0, p1), window={size=3x3 stride=2x2 "
                  "pad=1_1x1_1}, dim_labels=bf01_oi01->bf01", [found], why="Stated")


LESS = """less {
  a0 = f32[] parameter(0)
  b0 = f32[] parameter(1)
  a1 = f32[] parameter(2)
  b1 = f32[] parameter(3)
  a2 = f32[] parameter(4)
  b2 = f32[] parameter(5)
  ROOT r = pred[] compare(a0, b0), direction=LT
}"""


def sorts():
    rows = [vector(F32, 3, 1), vector(F32, 42, 50), vector(F32, -3, "1.1")]
    yield example(OPS, "sort.three_operands", "three arrays by the first of them", rows,
                  "r = (f32[2], f32[2], f32[2]) sort(p0, p1, p2), dimensions={0}, to_apply=less",
                  [vector(F32, 1, 3), vector(F32, 50, 42), vector(F32, "1.1", -3)],
                  regions=[LESS])
    less = region(ADD).replace("add", "less", 1).replace(
        "ROOT c = f32[] add(a, b)", "ROOT c = pred[] compare(a, b), direction=LT")
    x = matrix(F32, [3, 1, 2], [1, 3, 0])
    for d, found in enumerate((matrix(F32, [1, 1, 0], [3, 3, 2]),
                               matrix(F32, [1, 2, 3], [0, 1, 3]))):
        yield example(OPS, f"sort.dimension_{d}", f"each line along dimension {d} by itself", [x],
                      f"r = f32[2,3] sort(p0), dimensions={{{d}}}, to_apply=less", [found],
                      why="Stated", regions=[less])
    ties = [vector(F32, 2, 1, 2, 1), vector(F32, 1, 2, 3, 4), vector(F32, 0, 0, 0, 0)]
    yield example(OPS, "sort.stable", "equal keys keep their order", ties,
                  "r = (f32[4], f32[4], f32[4]) sort(p0, p1, p2), dimensions={0}, "
                  "is_stable=true, to_apply=less",
                  [vector(F32, 1, 1, 2, 2), vector(F32, 2, 4, 1, 3), ties[2]], why="Stated",
                  regions=[LESS])


def scatters():
    """Element by element: the region gets what stands there, then the update."""
    minus = region(ADD, "s32").replace("s32[] add", "s32[] subtract")
    how = ("inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, "
           "to_apply=add")
    x = matrix(S32, [1, 2, 3], [4, 5, 6])
    yield example(OPS, "scatter.current_first", "the first parameter is the current value",
                  [x, vector(S32, 1), matrix(S32, [10, 20, 30])],
                  f"r = s32[2,3] scatter(p0, p1, p2), update_window_dims={{1}}, {how}",
                  [matrix(S32, [1, 2, 3], [-6, -15, -24])], why="Stated", regions=[minus])
    yield example(OPS, "scatter.index_outside", "an update at no valid index is left out",
                  [x, vector(S32, 2, -1, 0), matrix(S32, [10] * 3, [20] * 3, [30] * 3)],
                  f"r = s32[2,3] scatter(p0, p1, p2), update_window_dims={{1}}, {how}",
                  [matrix(S32, [31, 32, 33], [4, 5, 6])], why="Stated",
                  regions=[region(ADD, "s32")])
    yield example(OPS, "scatter.window_half_outside", "a window that lies outside in part is "
                  "left out as a whole, though the document goes element by element",
                  [vector(S32, 1, 2, 3, 4), matrix(S32, [3], [1], [-1]),
                   matrix(S32, [10, 20], [30, 40], [50, 60])],
                  "r = s32[4] scatter(p0, p1, p2), update_window_dims={1}, "
                  "inserted_window_dims={}, scatter_dims_to_operand_dims={0}, "
                  "index_vector_dim=1, to_apply=add", [vector(S32, 1, 32, 43, 4)], why="Refused",
                  regions=[region(ADD, "s32")])
    yield example(OPS, "scatter.elements", "windows of one element, each at its own index",
                  [vector(S32, 1, 2, 3, 4), matrix(S32, [3], [4], [1], [-1]),
                   vector(S32, 10, 20, 30, 40)],
                  "r = s32[4] scatter(p0, p1, p2), update_window_dims={}, "
                  "inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, "
                  "index_vector_dim=1, to_apply=add", [vector(S32, 1, 32, 3, 14)], why="Stated",
                  regions=[region(ADD, "s32")])
    yield example(OPS, "scatter.order_of_updates", "several sums at one index do not mind order",
                  [vector(S32, 0, 0), matrix(S32, [1], [1], [1]), vector(S32, 1, 2, 4)],
                  "r = s32[2] scatter(p0, p1, p2), update_window_dims={}, "
                  "inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, "
                  "index_vector_dim=1, to_apply=add", [vector(S32, 0, 7)], why="Stated",
                  regions=[region(ADD, "s32")])


def transforms():
    """A transform of one unit impulse, and the sizes of real ones."""
    for length in (16, 17):
        impulse = Array(F32, (length,), (vector(F32, 1).codes[0],) + (0,) * (length - 1))
        yield example(OPS, f"fft.real_of_{length}", f"a real transform of {length} has 9 numbers",
                      [impulse], f"z = c64[9] fft(p0), fft_type=RFFT, fft_length={{{length}}}\n"
                      "s = f32[9] real(z)\nh = f32[9] constant({" + ", ".join(["0.5"] * 9) + "})\n"
                      "r = pred[9] compare(s, h), direction=GT", [Array(PRED, (9,), (1,) * 9)],
                      why="Stated")


def cases():
    for part in (sums, sizes, windows, dots, convolutions, sorts, scatters, transforms):
        yield from part()
