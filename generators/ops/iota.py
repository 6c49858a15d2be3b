"""iota: index along one dimension in every type (spec/ops/iota.md)."""

from assaygen import arrays, movement, refused, stated, types, values
from assaygen.cases import Case, rejected, without
from assaygen.program import Program

WHY = stated.WHY | without({
    "Dimension": "each dimension of ranks 1 to 4, zero-sized ones included",
    "Overflow": "more elements than a narrow type has values",
    **movement.WHY,
}, "Edge", "Layout", "Random", "Shape", "Type")


def code(t, i):
    if t.kind == "int":
        return t.wrap(i)
    if t.kind == "complex":
        part = types.component(t)
        return types.encode(part, values.number(i)), 0
    return types.encode(t, values.number(i))


ROWS = [
    ("C1", "pred", "", "pred[4] iota(), iota_dimension=0"),
    ("C1", "a tuple", "", "(s32[4]) iota(), iota_dimension=0"),
    ("C1", "a token", "", "x = token[] iota(), iota_dimension=0 ; s32[] constant(1)"),
]


STATED = [
    ("466_numbers", "what rounds beyond the largest value is NaN",
     "f8e4m3fn[1] 00",
     "i = f8e4m3fn[466] iota(), iota_dimension=0 ; f8e4m3fn[3] slice(i), slice={[463:466]}",
     "f8e4m3fn[3] 7e*2 7f"),
]


def cases():
    for t in [*types.INTS, *types.FLOATS, *types.COMPLEX]:
        for dims in ((5,), (2, 3), (0,), (2, 3, 1, 2), (300,)):
            for d in range(len(dims)):
                result = arrays.build(t, dims, lambda i, d=d: code(t, i[d]))
                shape = "x".join(map(str, dims))
                yield movement.case(f"{shape}_along_{d}", f"counts along dimension {d}",
                                    [], f"iota(), iota_dimension={d}", result,
                                    ["Dimension"] + ["Overflow"] * (dims == (300,)))
    program = Program("m", []).root("f32[2]", "iota(), iota_dimension=1")
    yield Case("f32/dimension_out_of_range", "the array has no such dimension", program,
               rejected("iota.C2"), ["Rejected"])
    yield from refused.cases("iota", ROWS)
    yield from (stated.case(row) for row in STATED)
