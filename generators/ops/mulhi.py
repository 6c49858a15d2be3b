"""mulhi: the upper half of exact products (spec/ops/mulhi.md)."""

from assaygen import types
from assaygen.elements import elementwise

WHY = elementwise.WHY | elementwise.REJECTED | {
    "Pairs": "all pairs of a narrow type",
}
RULE = elementwise.by_class(integer=lambda t, a, b: a * b // 2 ** t.bits)
WIDE = [t for t in types.INTS if t.bits > 4]


def cases():
    yield from elementwise.exact("mulhi", WIDE, 2, RULE)
    for t in types.INTS:
        if t not in WIDE:
            pairs = [(a, b) for a in range(1 << t.bits) for b in range(1 << t.bits)]
            yield elementwise.chosen("mulhi", "pairs", "mulhi of all pairs", t, pairs, RULE,
                                     ["Pairs"])
    yield from elementwise.shapes("mulhi", types.S32, 2, RULE)
    yield from elementwise.mismatched("mulhi", types.S32, types.BY_NAME["u32"], "mulhi.C1")
    yield elementwise.wrong_type("mulhi", types.F32, 2, "mulhi.C2")
    yield elementwise.wrong_type("mulhi", types.PRED, 2, "mulhi.C2")
