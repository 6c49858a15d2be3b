"""count-leading-zeros: in the type's own width (spec/ops/count_leading_zeros.md)."""

from assaygen import types
from assaygen.elements import elementwise

WHY = elementwise.WHY | elementwise.REJECTED | {
    "Power": "each place of the most significant one: powers of two, and the numbers "
             "below and above them",
}


def rule(t, code):
    return t.wrap(next((n for n in range(t.bits) if code >> (t.bits - 1 - n)), t.bits))


def powers(t):
    near = [(1 << k) + d for k in range(t.bits) for d in (-1, 0, 1)]
    return [(t.wrap(x),) for x in dict.fromkeys(near)]


def cases():
    op = "count-leading-zeros"
    yield from elementwise.exact(op, types.INTS, 1, rule, count=48)
    for t in types.INTS:
        if t.bits > 8:
            yield elementwise.chosen(op, "powers", "every count there is", t, powers(t), rule,
                                     ["Power"])
    yield from elementwise.shapes(op, types.BY_NAME["u16"], 1, rule)
    yield elementwise.wrong_type(op, types.F32, 1, f"{op}.C1")
    yield elementwise.wrong_type(op, types.PRED, 1, f"{op}.C1")
