"""The documents on layouts: memory is seen through bitcasts, which read it in rows."""

from __future__ import annotations

import itertools
import math

from assaygen import arrays
from assaygen.arrays import Array
from seeds.common import F32, S32, example, matrix, vector

SHAPES, TILES = "000_shapes", "001_tiles"
LETTERS = matrix(F32, [1, 2, 3], [4, 5, 6])  # a b c, d e f


def orders():
    for order, numbers in (("{0,1}", (1, 4, 2, 5, 3, 6)), ("{1,0}", (1, 2, 3, 4, 5, 6)),
                           ("", (1, 2, 3, 4, 5, 6))):
        name = order.strip("{}").replace(",", "_") or "default"
        yield example(SHAPES, f"minor_to_major.{name}", f"memory of a 2 by 3 array laid out as "
                      f"{order or 'it is by default'}", [LETTERS],
                      f"x = f32[2,3]{order} copy(p0)\ny = f32[6]{{0}} bitcast(x)",
                      [vector(F32, *numbers)])


def padded():
    """a d 0 b e 0 c f 0 and six zeros: padded_dimensions are a pad today."""
    memory = [1, 4, 0, 2, 5, 0, 3, 6, 0, *[0] * 6]
    yield example(SHAPES, "padding.three_by_five", "padded dimensions are a pad before the layout",
                  [LETTERS], """zero = f32[] constant(0)
                  x = f32[3,5]{0,1} pad(p0, zero), padding=0_1x0_2
                  y = f32[15]{0} bitcast(x)""", [vector(F32, *memory)], why="Corrected")
    yield example(SHAPES, "padding.logical", "the same array, as it is indexed", [LETTERS],
                  """zero = f32[] constant(0)
                  x = f32[3,5]{0,1} pad(p0, zero), padding=0_1x0_2""",
                  [matrix(F32, [1, 2, 3, 0, 0], [4, 5, 6, 0, 0], [0, 0, 0, 0, 0])],
                  why="Corrected")


def true_rank():
    yield example(SHAPES, "rank.ones", "dimensions of size 1 do not move elements in memory",
                  [matrix(F32, [[1], [2], [3]])], "y = f32[3]{0} bitcast(p0)",
                  [vector(F32, 1, 2, 3)], why="Stated")


def linear(index, bounds) -> int:
    """The row-major position."""
    place = 0
    for i, n in zip(index, bounds):
        place = place * n + i
    return place


def tiled(index, dims, tiles) -> tuple[int, int]:
    """Where an element lies, and how many slots there are: each tile cuts the last
    dimensions of what there is into numbers of tiles and places within; * joins a
    dimension with the next one."""
    index, dims = list(index), list(dims)
    for tile in tiles:
        first = len(dims) - len(tile)
        k = first
        sizes = []
        for t in tile:
            if t == "*":
                index[k:k + 2] = [index[k] * dims[k + 1] + index[k + 1]]
                dims[k:k + 2] = [dims[k] * dims[k + 1]]
            else:
                sizes.append(t)
                k += 1
        parts = list(zip(index[first:], dims[first:], sizes))
        index[first:] = [i // t for i, _, t in parts] + [i % t for i, _, t in parts]
        dims[first:] = [-(-n // t) for _, n, t in parts] + list(sizes)
    return linear(index, dims), math.prod(dims)


# Dimensions, tiles, their text.
MAPS = [
    ("figure_1", (3, 5), [(2, 2)], "T(2,2)"),
    ("figure_2", (4, 8), [(2, 4), (2, 1)], "T(2,4)(2,1)"),
    ("short_tile", (2, 3, 5), [(2, 2)], "T(2,2)"),
    ("across_tiles", (4, 6), [(2, 3), (2, 1, 1)], "T(2,3)(2,1,1)"),
    ("joined", (2, 3, 4), [("*", 2, 3)], "T(*,2,3)"),
]


def maps():
    """Memory that counts its slots, read as a tiled array."""
    for name, dims, tiles, spelled in MAPS:
        slots = tiled([0] * len(dims), dims, tiles)[1]
        minor = ",".join(str(d) for d in reversed(range(len(dims))))
        laid = f"s32[{','.join(map(str, dims))}]{{{minor}:{spelled}}}"
        found = arrays.build(S32, dims, lambda i, d=dims, t=tiles: tiled(i, d, t)[0])
        yield example(TILES, f"map.{name}", f"the slots of an array of {list(dims)} in "
                      f"{spelled}", [], f"n = s32[{slots}] iota(), iota_dimension=0\n"
                      f"y = {laid} bitcast(n)", [found])


# Places that the document names, or that a large map is looked at in.
PLACES = [
    ("bf16_tiles", (16, 256), [(8, 128), (2, 1)], "T(8,128)(2,1)",
     [(0, 0), (0, 1), (1, 0), (9, 130), (15, 255)], {(0, 1): 2, (1, 0): 1, (9, 130): 3077}),
    ("combined", (2, 7, 8, 11, 10), [("*", "*", 2, "*", 3)], "T(*,*,2,*,3)",
     [(0, 0, 1, 0, 3), (1, 2, 3, 4, 5), (1, 6, 7, 10, 9)],
     {(0, 0, 1, 0, 3): 9, (1, 2, 3, 4, 5): 8307, (1, 6, 7, 10, 9): 12430}),
]


def places():
    for name, dims, tiles, spelled, indices, known in PLACES:
        slots = tiled([0] * len(dims), dims, tiles)[1]
        minor = ",".join(str(d) for d in reversed(range(len(dims))))
        shape = f"s32[{','.join(map(str, dims))}]"
        lines = [f"n = s32[{slots}] iota(), iota_dimension=0",
                 f"y = {shape}{{{minor}:{spelled}}} bitcast(n)"]
        ones = ",".join("1" for _ in dims)
        for k, index in enumerate(indices):
            cut = ", ".join(f"[{i}:{i + 1}]" for i in index)
            lines += [f"cut{k} = s32[{ones}] slice(y), slice={{{cut}}}",
                      f"e{k} = s32[1] reshape(cut{k})"]
        names = ", ".join(f"e{k}" for k in range(len(indices)))
        lines.append(f"r = s32[{len(indices)}] concatenate({names}), dimensions={{0}}")
        found = [tiled(i, dims, tiles)[0] for i in indices]
        assert all(tiled(i, dims, tiles)[0] == at for i, at in known.items()), name
        yield example(TILES, f"places.{name}", f"slots of some elements of {list(dims)} in "
                      f"{spelled}", [], "\n".join(lines), [vector(S32, *found)])


def padding_is_free():
    """What lies between the elements of a tiled array is nobody's."""
    x = Array(F32, (3, 5), arrays.iota(F32, (3, 5)).codes, "{1,0:T(2,2)}")
    total = sum(range(1, 16))
    yield example(TILES, "padding.not_summed", "a sum does not see the padding of tiles", [x],
                  """zero = f32[] constant(0)
                  r = f32[] reduce(p0, zero), dimensions={0,1}, to_apply=add""",
                  [Array(F32, (), vector(F32, total).codes)], why="Stated",
                  regions=["add {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n"
                           "  ROOT c = f32[] add(a, b)\n}"])
    turned = arrays.build(F32, (5, 3), lambda i: x.at((i[1], i[0])))
    yield example(TILES, "layout.transposed", "tiled arrays in other orders hold the same "
                  "elements", [x], "t = f32[5,3]{0,1:T(2,2)} transpose(p0), dimensions={1,0}\n"
                  "r = f32[5,3]{1,0:T(4)} copy(t)", [turned], why="Stated")


def check_figures() -> None:
    """The slots that the figures show."""
    rows = [[tiled((r, c), (3, 5), [(2, 2)])[0] for c in range(5)] for r in range(3)]
    assert rows == [[0, 1, 4, 5, 8], [2, 3, 6, 7, 10], [12, 13, 16, 17, 20]]
    rows = [[tiled((r, c), (4, 8), [(2, 4), (2, 1)])[0] for c in range(8)] for r in range(4)]
    evens = list(itertools.chain(range(0, 8, 2), range(8, 16, 2)))
    assert rows == [[e + o + h for e in evens] for h in (0, 16) for o in (0, 1)]


def cases():
    check_figures()
    for part in (orders, padded, true_rank, maps, places, padding_is_free):
        yield from part()
