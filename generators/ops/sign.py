"""sign: -1, 0 or 1; zeros and NaNs stay (spec/ops/sign.md)."""

from assaygen import types, values
from assaygen.elements import complex_arithmetic, elementwise

WHY = elementwise.WHY | complex_arithmetic.WHY | elementwise.REJECTED


def real(t, code):
    value = types.decode(t, code)
    if value.is_nan or value.is_zero:
        return types.encode(t, value)
    return types.encode(t, values.number(value.sign))


RULE = elementwise.by_class(integer=lambda t, a: (a > 0) - (a < 0), real=real)
SIGNED = [t for t in types.INTS if t.signed]


def cases():
    yield from elementwise.exact("sign", SIGNED + types.FLOATS, 1, RULE)
    yield from elementwise.shapes("sign", types.S32, 1, RULE)
    yield from complex_arithmetic.signs()
    yield from elementwise.wrong_types("sign", SIGNED + types.FLOATS + types.COMPLEX)
