"""What the parts of covering_folds share: layouts by class, lines in arrays, names."""

from __future__ import annotations

import math

from assaygen import arrays, types
from assaygen.arrays import Array
from assaygen.covering.layouts import LAYOUTS
from assaygen.streams import Stream
from assaygen.types import Type

WHY = {
    "Layout": "operands and results lie in every class of orders and tilings; the values "
              "do not depend on it",
    "Depth": "lines around the sizes at which vectors, tiles, blocks and threads begin",
    "Values": "ones, cancellation, absorption, overflow, infinities, NaN and -0 at the edges",
    "Type": "each element type",
    "Shape": "ranks 0 to 8, sizes of 0 and 1, edges of tiles",
}
EVERY = list(LAYOUTS)
DEPTHS = [0, 1, 3, 8, 31, 33, 127, 128, 129, 255, 256, 257, 1025, 4097]


def fits(name: str, t: Type, dims: tuple[int, ...]) -> bool:
    return LAYOUTS[name](t, tuple(dims)) is not None


def laid(array: Array, name: str) -> Array:
    layout = LAYOUTS[name](array.type, array.dims)
    assert layout is not None, (array.type.name, array.dims, name)
    return array.with_layout(layout)


def shape(t: Type, dims: tuple[int, ...], name: str) -> str:
    return laid(Array(t, tuple(dims), ()), name).shape


def halves(n: int) -> tuple[int, int]:
    """Two factors that are as close as they can be."""
    low = next((d for d in range(math.isqrt(n), 0, -1) if n % d == 0), 1)
    return low, n // low if n else 0


def across(depth: int) -> int:
    """How many lines of a depth an array has: few of long ones."""
    return 3 if depth <= 33 else 2 if depth <= 300 else 1


# Name -> (dimensions, which of them make the line).
ARRANGEMENTS = {
    "alone": lambda n: ((n,), (0,)),
    "minor": lambda n: ((across(n), n), (1,)),
    "major": lambda n: ((n, across(n)), (0,)),
    "middle": lambda n: ((2 if n <= 33 else 1, n, across(n)), (1,)),
    "split": lambda n: ((halves(n)[0], across(n), halves(n)[1]), (0, 2)),
    "whole": lambda n: ((halves(n)[1], 1, halves(n)[0]), (0, 1, 2)),
    "rank6": lambda n: ((1, halves(n)[0], 1, halves(n)[1], across(n), 1), (1, 3, 5)),
    "rank5": lambda n: ((halves(n)[0], 1, across(n), 1, halves(n)[1]), (0, 4)),
}
ARRANGED = [name for name in ARRANGEMENTS if name != "rank5"]  # in pairs with all others


def turns(**choices: list) -> list[dict]:
    """As many rows as the longest list has choices; each choice stands in one. For what is
    too large, or too much alike, to meet all others."""
    count = max(map(len, choices.values()))
    return [{name: some[k % len(some)] for name, some in choices.items()} for k in range(count)]


def kept(dims: tuple[int, ...], reduced: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(n for d, n in enumerate(dims) if d not in reduced)


def from_lines(t: Type, dims: tuple[int, ...], reduced: tuple[int, ...], line) -> Array:
    """The array whose lines along the reduced dimensions are line(k), k = 0, 1, ..."""
    n = math.prod(dims[d] for d in reduced)
    table: dict[tuple, list] = {}

    def element(index):
        rest = tuple(i for d, i in enumerate(index) if d not in reduced)
        if rest not in table:
            table[rest] = [0, line(len(table), n)]
        table[rest][0] += 1
        return table[rest][1][table[rest][0] - 1]
    return arrays.build(t, dims, element)


def size_name(dims: tuple[int, ...]) -> str:
    return "x".join(map(str, dims)) or "scalar"


def named(*words: object) -> str:
    return "_".join(str(word) for word in words)


def quiet(t: Type, n: int, codes: list, filler, stream: Stream) -> list:
    """Codes at random places of a line, and one code everywhere else: long lines that
    are written in few words."""
    if len(codes) >= n:
        return codes[:n]
    line = [filler] * n
    for code in codes:
        line[stream.below(n)] = code
    for place, code in zip((0, n - 1), codes):
        line[place] = code
    return line


def named_types(names: str) -> list[Type]:
    return [types.BY_NAME[name] for name in names.split()]


# One or two of each kind and width, for operations that treat types alike.
SOME = named_types("pred u2 s4 u8 s16 u32 s64 f4e2m1fn f6e3m2fn f8e4m3fn f8e5m2fnuz f8e8m0fnu "
                   "f16 bf16 f32 f64 c64")
