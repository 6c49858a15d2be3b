"""complex: two parts side by side, bit for bit (spec/ops/complex.md)."""

from assaygen import arrays, stated, types
from assaygen.cases import without
from assaygen.elements import elementwise, parts
from assaygen.streams import Stream

WHY = stated.WHY | without(elementwise.WHY, "Drawn") | elementwise.REJECTED
OF = {"f32": types.C64, "f64": types.BY_NAME["c128"]}


def rule(_, real, imag):
    return real, imag


def result(t):
    return OF[t.name]


STATED = [
    ("infinite_beside_nan", "an infinity beside NaN",
     "f32[2] 7f800000 7fc00001 ; f32[2] 7fc00001 ff800000",
     "c64[2] complex(p0, p1)",
     "c64[2] 7f800000:7fc00001 7fc00001:ff800000"),
]


def cases():
    for t in (types.F32, types.F64):
        rows = parts.pairs(t, Stream("complex", t.name))
        yield elementwise.chosen("complex", "values", "the bits of both parts stay", t, rows,
                                 rule, ["Special", "Random"], nan="same", out=result(t))
        yield from elementwise.shapes("complex", t, 2, rule, result=result)
    yield from elementwise.mismatched("complex", types.F32, types.S32, "complex.C1",
                                      result=result)
    for t in (types.S32, types.PRED, types.C64):
        yield elementwise.wrong_type("complex", t, 2, "complex.C2", out=types.C64)
    for name in ("f16", "bf16", "f8e4m3fn"):
        yield elementwise.wrong_type("complex", types.BY_NAME[name], 2, "complex.C3",
                                     out=types.C64)
    two = [arrays.iota(t, (2,)) for t in (types.F32, types.F64)]
    yield elementwise.refused("complex", "two_floats", "the parts are of one type", two,
                              types.C64, "complex.C3")
    yield from (stated.case(row, nan="same") for row in STATED)
