"""real: one part of a complex number, or a float itself (spec/ops/real.md)."""

from assaygen import types
from assaygen.elements import elementwise, parts
from assaygen.streams import Stream

WHY = elementwise.WHY | elementwise.REJECTED


def rule(t, code):
    return code[0] if t.kind == "complex" else code


def result(t):
    return types.component(t) if t.kind == "complex" else t


def cases():
    for t in types.COMPLEX:
        rows = [(pair,) for pair in parts.pairs(result(t), Stream("real", t.name))]
        yield elementwise.chosen("real", "values", "the bits of the real part stay", t, rows,
                                 rule, ["Special", "Random"], nan="same", out=result(t))
        yield from elementwise.shapes("real", t, 1, rule, result=result)
    yield from elementwise.exact("real", types.FLOATS, 1, rule, nan="same", count=24)
    for t in (types.S32, types.PRED):
        yield elementwise.wrong_type("real", t, 1, "real.C1")
