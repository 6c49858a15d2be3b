"""imag: one part of a complex number, or the zero of a float (spec/ops/imag.md)."""

from assaygen import types, values
from assaygen.elements import elementwise, parts
from assaygen.streams import Stream

WHY = elementwise.WHY | elementwise.REJECTED


def rule(t, code):
    return code[1] if t.kind == "complex" else types.encode(t, values.ZERO)


def result(t):
    return types.component(t) if t.kind == "complex" else t


def cases():
    for t in types.COMPLEX:
        rows = [(pair,) for pair in parts.pairs(result(t), Stream("imag", t.name))]
        yield elementwise.chosen("imag", "values", "the bits of the imaginary part stay", t,
                                 rows, rule, ["Special", "Random"], nan="same", out=result(t))
        yield from elementwise.shapes("imag", t, 1, rule, result=result)
    yield from elementwise.exact("imag", types.FLOATS, 1, rule, nan="same", count=24)
    for t in (types.S32, types.PRED):
        yield elementwise.wrong_type("imag", t, 1, "imag.C1")
