"""Classes of shapes: what covering cases choose from. Each class has one idea."""

from __future__ import annotations

Dims = tuple[int, ...]

SHAPES: dict[str, list[Dims]] = {
    "scalar": [()],
    # A size of 0 in every position.
    "empty": [(0,), (0, 3), (3, 0), (0, 8, 128), (2, 0, 3), (2, 3, 0), (1, 0, 2, 129)],
    # Sizes of 1 alone, and beside a longer dimension.
    "ones": [(1,), (1, 1), (1, 1, 1), (1, 1, 1, 1)],
    "one_long": [(1, 7), (7, 1), (1, 9, 1), (1, 3, 1, 2), (1, 1, 33)],
    "tiny": [(2,), (3,), (5,), (2, 2), (2, 3), (3, 2), (3, 5)],
    # Widths of vectors of 64 bytes and less, and one beside them.
    "vector": [(n,) for n in (7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65)],
    # Edges of tiles of one dimension.
    "tile1": [(n,) for n in (127, 128, 129, 255, 256, 257)],
    # Edges of tiles of two dimensions, on one side or on both.
    "tile2": [(7, 127), (8, 128), (9, 129), (1, 128), (8, 1), (2, 127), (3, 129), (4, 128),
              (5, 129), (9, 7), (17, 8)],
    # Several tiles in a row and in a column.
    "tiles2": [(16, 256), (17, 257), (15, 129), (2, 385), (33, 9)],
    "rank3": [(2, 3, 5), (3, 8, 9), (2, 7, 129), (5, 1, 33), (3, 9, 17), (7, 2, 2)],
    "rank4": [(2, 3, 2, 5), (2, 2, 9, 8), (1, 2, 3, 65), (3, 1, 2, 7), (2, 5, 7, 3)],
    "rank5": [(2, 1, 3, 2, 3), (2, 2, 2, 2, 2), (1, 2, 1, 9, 7), (3, 2, 1, 2, 5)],
    "rank6": [(2, 1, 2, 3, 1, 2), (1, 2, 2, 2, 2, 2), (2, 1, 1, 2, 3, 3)],
    "rank8": [(2, 1, 2, 1, 3, 1, 2, 1), (1, 2, 1, 2, 2, 1, 2, 2)],
    # Elements that a plan stages at a time (512), and a region (1024).
    "piece": [(511,), (512,), (513,), (1023,), (1025,), (3, 171), (27, 19), (32, 33)],
    # Pages of elements: a part of a contraction (4096), a line of a sort.
    "page": [(4095,), (4096,), (4097,), (64, 65), (17, 241), (5, 9, 91)],
    # Where work is divided among threads (65536 elements).
    "grain": [(65535,), (65536,), (65537,), (257, 256), (1, 65537), (255, 257), (3, 149, 147)],
}

# Of the largest shapes few arrays are enough: those of these types.
LARGE = ("grain",)
LARGE_TYPES = ("pred", "s4", "s8", "u32", "bf16", "f32", "f8e4m3fn", "c64")


def is_small(shape: str, type_name: str) -> bool:
    """Whether covering cases have arrays of the class and the type."""
    return shape not in LARGE or type_name in LARGE_TYPES
