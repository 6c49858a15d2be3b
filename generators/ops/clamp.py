"""clamp: min(max(x, low), high) with NaN and zero signs (spec/ops/clamp.md)."""

from assaygen import arrays, pools, refused, types, values
from assaygen.elements import elementwise
from assaygen.cases import Case, bits, without
from assaygen.program import Program
from assaygen.streams import Stream

WHY = without(elementwise.WHY, "Drawn") | refused.WHY | {
    "Inverted": "the lower bound lies above the upper one",
}


def real(low, x, high):
    return values.minimum(values.maximum(x, low), high)


RULE = elementwise.by_class(
    pred=lambda low, x, high: min(max(x, low), high),
    integer=lambda t, low, x, high: min(max(x, low), high),
    real=elementwise.lift(real))


ROWS = [
    ("C1", "the lower bound has another type", "f32[] ; f64[2] ; f64[]",
     "f64[2] clamp(p0, p1, p2)"),
    ("C1", "the upper bound has another size", "s32[2] ; s32[2] ; s32[1]",
     "s32[2] clamp(p0, p1, p2)"),
    ("C1", "the upper bound has one dimension more", "s32[] ; s32[2] ; s32[2,1]",
     "s32[2] clamp(p0, p1, p2)"),
    ("C2", "complex numbers", "c128[] ; c128[2] ; c128[]", "c128[2] clamp(p0, p1, p2)"),
]


def cases():
    for t in [types.PRED, *types.INTS, *types.FLOATS]:
        stream = Stream("clamp", t.name)
        some = pools.specials(t)[::2]
        rows = [(a, x, b) for a in some[:6] for x in some for b in some[-6:]]
        rows += [tuple(pools.random_code(t, stream) for _ in range(3))
                 for _ in range(64)]
        inputs = [arrays.of(t, column) for column in zip(*rows)]
        result = arrays.of(t, (RULE(t, *row) for row in rows))
        program = Program("m", inputs).root(result.shape, "clamp(p0, p1, p2)")
        yield Case(f"{t.name}/values", "bounds in order and inverted", program,
                   [bits(result)], ["Special", "Random", "Inverted"])
    yield from elementwise.shapes("clamp", types.F32, 3, RULE)
    yield from refused.cases("clamp", ROWS)
