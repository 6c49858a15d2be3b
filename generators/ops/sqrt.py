"""sqrt: correctly rounded in every format, by integer roots (spec/ops/sqrt.md)."""

from assaygen import elementwise, functions, types

WHY = elementwise.WHY | elementwise.REJECTED


def cases():
    yield from elementwise.exact("sqrt", types.FLOATS, 1, functions.square_root)
    yield from elementwise.shapes("sqrt", types.F32, 1, functions.square_root)
    yield from elementwise.wrong_types("sqrt", types.FLOATS + types.COMPLEX)
