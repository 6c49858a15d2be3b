"""dynamic-reshape: the elements that count, side by side
(spec/ops/dynamic_reshape.md)."""

import math

from assaygen import arrays, refused, sized, stated, types
from assaygen.cases import Case, bits
from assaygen.streams import Stream

WHY = stated.WHY | sized.WHY | refused.WHY


def factors(n, stream):
    """Two sizes whose product is n."""
    a = stream.choice([k for k in range(1, n + 1) if n % k == 0] if n else [0, 3])
    return (a, n // a) if a else (0, 2)


def reshaped(i):
    """Into rows and columns of the counted elements; summed with weights."""
    stream = Stream("dynamic_reshape", i)
    array = sized.draw(stream)
    found, total = array.values(), math.prod(array.dims)
    rows, columns = factors(len(found), stream)
    # Bounds of as many elements as the operand's.
    if not bounds(total, rows, columns):
        rows, columns = len(found), 1
    high, wide = stream.choice(bounds(total, rows, columns))
    program = array.program()
    program.line(f"nr = s32[] constant({rows})").line(f"nc = s32[] constant({columns})")
    program.line(f"e = s32[<={high},<={wide}] dynamic-reshape({array.name}, nr, nc)")
    program.line(f"k = s32[{high},{wide}] constant(" + constant(high, wide) + ")")
    program.line(f"m = s32[<={high},<={wide}] multiply(e, k)")
    program.root("s32[]", "reduce(m, zero), dimensions={0,1}, to_apply=add")
    weighted = sum(x * (7 * (j // max(columns, 1)) + 3 * (j % max(columns, 1)) + 1)
                   for j, x in enumerate(found))
    return Case(f"s32/weighted_{i:02}", f"{array.sizes} of {list(array.dims)} into "
                f"{rows} x {columns} of {high} x {wide}", program,
                [bits(sized.scalar(weighted))], ["Random", "Edge"])


def constant(high, wide):
    """7 row + 3 column + 1."""
    return "{" + ", ".join("{" + ", ".join(str(7 * r + 3 * c + 1) for c in range(wide)) + "}"
                           for r in range(high)) + "}"


def bounds(total, rows, columns):
    return [(a, total // a) for a in range(max(rows, 1), total + 1)
            if total % a == 0 and total // a >= columns]


def of_type(t):
    """Four elements that count, as rows of two, whose columns are joined."""
    halved = sized.Halved("dynamic_reshape", t)
    program = halved.program()
    program.line(f"e = {t.name}[<=3,2] dynamic-reshape(d, two, two)")
    program.root(f"{t.name}[2]", "reduce(e, p1), dimensions={0}, to_apply=join")
    columns = arrays.of(t, (halved.joined((0, j), (1, j)) for j in range(2)))
    return Case(f"{t.name}/columns", "two columns of three as rows of two", program,
                [bits(columns)], ["Type"])


ROWS = [
    ("C1", "the operand is a tuple", "(s32[6]) ; s32[]", "s32[<=6] dynamic-reshape(p0, p1)"),
    ("C1", "the result has another type", "s32[6] ; s32[]", "u32[<=6] dynamic-reshape(p0, p1)"),
    ("C2", "the bounds hold fewer elements", "s32[2,3] ; s32[]",
     "s32[<=5] dynamic-reshape(p0, p1)"),
    ("C2", "the bounds hold more elements", "s32[6] ; s32[] ; s32[]",
     "s32[<=2,<=4] dynamic-reshape(p0, p1, p2)"),
    ("C3", "one size for two dimensions", "s32[6] ; s32[]",
     "s32[<=2,<=3] dynamic-reshape(p0, p1)"),
    ("C3", "no size", "s32[6]", "s32[<=6] dynamic-reshape(p0)"),
    ("C4", "a size of 64 bits", "s32[6] ; s64[]", "s32[<=6] dynamic-reshape(p0, p1)"),
    ("C4", "a size that is a vector", "s32[6] ; s32[1]", "s32[<=6] dynamic-reshape(p0, p1)"),
]


STATED = [
    ("beyond_the_bound", "a size above its bound is the bound",
     "f32[4] 3f800000*4",
     "n = s32[] constant(9) ; a = f32[<=4] dynamic-reshape(p0, n) ; s32[] get-dimension-size(a), "
     "dimensions={0}",
     "s32[] 00000004"),
]


def cases():
    yield from map(of_type, types.ALL)
    for i in range(60):
        yield reshaped(i)
    yield from refused.cases("dynamic-reshape", ROWS)
    yield from (stated.case(row) for row in STATED)
