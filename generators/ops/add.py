"""add: all types, pairs of specials, shapes and layouts (spec/ops/add.md)."""

from assaygen import types, values
from assaygen.elements import elementwise, mixed_types

WHY = elementwise.WHY | mixed_types.WHY | elementwise.REJECTED
RULE = elementwise.by_class(pred=lambda a, b: a | b, integer=lambda t, a, b: a + b,
                            real=elementwise.lift(values.add))


def cases():
    yield from elementwise.exact("add", types.ALL, 2, RULE)
    for t in (types.F32, types.BY_NAME["bf16"], types.BY_NAME["s4"], types.PRED):
        yield from elementwise.shapes("add", t, 2, RULE)
    yield from mixed_types.cases("add", values.add, lambda tie, b: tie - b)
    yield from elementwise.wrong_types("add", types.ALL, 2)
