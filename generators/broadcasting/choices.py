"""clamp and select with scalars, and the programs that have them broadcast."""

from __future__ import annotations

from assaygen.arrays import Array
from assaygen.types import BY_NAME, F32, PRED, S32
from broadcasting.pairs import operand, program
from sequences.elements import rule_of, vector

WHY = {
    "Bounds": "bounds of clamp that are scalars, and the same bounds broadcast",
    "Mask": "a mask that is a scalar, and the same mask broadcast",
}
U8, BF16 = BY_NAME["u8"], BY_NAME["bf16"]
BOUNDS = [("both", True, True), ("low", True, False), ("high", False, True),
          ("none", False, False)]


def clamps(t, dims, edges, tag: str):
    """clamp to equal bounds, some of which are written as scalars."""
    x = operand(t, dims, "clamp", tag)
    low, high = (Array(t, (), vector(t, e).codes) for e in edges)
    z = Array(t, dims, tuple(rule_of("clamp")(t, low.codes[0], c, high.codes[0])
                             for c in x.codes))
    for name, *scalar in BOUNDS:
        def write(b, p, q, r, scalar=scalar):
            bounds = [v if alone or not dims else b.broadcast(v, dims, ())
                      for v, alone in zip((p, r), scalar)]
            return b.clamp(bounds[0], q, bounds[1])
        yield program(f"{t.name}/clamp_{tag}_{name}", f"clamp to {edges}, scalars: {name}",
                      ["Bounds"], [low, x, high], [z], write)


def masks(t, dims, which: int):
    x, y = operand(t, dims, "select", 0), operand(t, dims, "select", 1)
    z = x if which else y
    mask = Array(PRED, (), (which,))
    name = ("false", "true")[which]
    yield program(f"{t.name}/select_by_{name}", f"a mask of one {name} chooses the whole array",
                  ["Mask"], [mask, x, y], [z, z], lambda b, p, q, r: b.tuple(
                      b.select(p, q, r), b.select(b.broadcast(p, dims, ()), q, r)))


def rows_of_mask():
    """A mask with an element for each row, broadcast as a builder does it."""
    x, y = operand(S32, (3, 2), "rows", 0), operand(S32, (3, 2), "rows", 1)
    mask = Array(PRED, (3,), (1, 0, 1))
    z = Array(S32, (3, 2), tuple((x if mask.codes[k // 2] else y).codes[k] for k in range(6)))
    yield program("s32/select_by_rows", "a mask of rows is broadcast first", ["Mask"],
                  [mask, x, y], [z], lambda b, p, q, r: b.select(
                      b.broadcast(p, (3, 2), (0,)), q, r))


def cases():
    for t, edges in ((S32, (-5, 100)), (F32, ("-0.5", 1)), (U8, (10, 200)), (BF16, (-1, "inf"))):
        yield from clamps(t, (2, 3), edges, "matrix")
        yield from masks(t, (2, 3), 0)
        yield from masks(t, (2, 3), 1)
    yield from clamps(F32, (4,), (2, -2), "crossed")
    yield from clamps(F32, (2, 2), ("nan", 1), "nan")
    yield from clamps(S32, (), (-5, 5), "scalar")
    yield from clamps(S32, (0, 2), (-5, 5), "empty")
    yield from clamps(S32, (1, 1), (-5, 5), "one")
    yield from rows_of_mask()
