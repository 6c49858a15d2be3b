"""Where the elements of an array lie in memory, by the words of spec/layout.md."""

from __future__ import annotations

import functools
import itertools
import math
import re
from dataclasses import dataclass

from assaygen.types import Type

Dims = tuple[int, ...]


@dataclass(frozen=True)
class Layout:
    """`order` is minor_to_major; sizes of tiles are numbers, or None for `*`. `width` is
    that of E(n), or 0."""

    order: Dims
    tiles: tuple[tuple[int | None, ...], ...]
    width: int
    tail: int


def parse(text: str, rank: int) -> Layout:
    """Of the text behind a shape; "" is row-major."""
    if not text:
        return Layout(tuple(range(rank - 1, -1, -1)), (), 0, 1)
    order, _, rest = text.strip("{}").partition(":")
    found = re.search(r"T((?:\([\d,*]+\))+)", rest)
    tiles = [tile.split(",") for tile in re.findall(r"\(([^)]*)\)", found[1])] if found else []
    width, tail = (re.search(letter + r"\((\d+)\)", rest) for letter in "EL")
    return Layout(tuple(map(int, order.split(","))) if order else (),
                  tuple(tuple(None if n == "*" else int(n) for n in tile) for tile in tiles),
                  int(width[1]) if width else 0, int(tail[1]) if tail else 1)


def bits_of(t: Type, layout: Layout) -> int:
    """Of a slot: whole bytes where the layout has no E(n)."""
    return layout.width or max(t.bits, 8)


def physical(dims: Dims, layout: Layout) -> Dims:
    """Most major first."""
    return tuple(dims[d] for d in reversed(layout.order))


def linear(index, dims) -> int:
    place = 0
    for i, n in zip(index, dims):
        place = place * n + i
    return place


def combined(tile: tuple, index: Dims, dims: Dims) -> tuple[list[int], list[int], list[int]]:
    """The dimensions that the tile applies to, each `*` merged with the next one, with the
    tile's sizes."""
    indices, sizes, parts = [], [], []
    i, n = 0, 1
    for part, x, size in zip(tile, index, dims):
        i, n = i * size + x, n * size
        if part is not None:
            indices.append(i)
            sizes.append(n)
            parts.append(part)
            i, n = 0, 1
    return indices, sizes, parts


def tiled(tile: tuple, index: Dims, dims: Dims) -> tuple[Dims, Dims]:
    """Index and dimensions in (tiles, places within)."""
    missing = len(tile) - len(dims)
    index, dims = (0,) * missing + index, (1,) * missing + dims
    front = len(dims) - len(tile)
    at, sizes, parts = combined(tile, index[front:], dims[front:])
    return ((*index[:front], *(i // p for i, p in zip(at, parts)),
             *(i % p for i, p in zip(at, parts))),
            (*dims[:front], *(-(-n // p) for n, p in zip(sizes, parts)), *parts))


@functools.lru_cache(maxsize=4096)
def slots(dims: Dims, layout: Layout) -> tuple[tuple[int, ...], int]:
    """The slot of each element, in row-major order, and how many slots there are."""
    found = [place(index, dims, layout) for index in itertools.product(*map(range, dims))]
    count = place((0,) * len(dims), dims, layout)[1]
    return tuple(slot for slot, _ in found), -(-count // layout.tail) * layout.tail


def place(index: Dims, dims: Dims, layout: Layout) -> tuple[int, int]:
    """The slot of an index, and the product of all sizes at the end."""
    index, sizes = physical(index, layout), physical(dims, layout)
    for tile in layout.tiles:
        index, sizes = tiled(tile, index, sizes)
    return linear(index, sizes), math.prod(sizes)
