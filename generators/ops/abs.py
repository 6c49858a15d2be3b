"""abs: clears the sign bit, wraps at the smallest integer (spec/ops/abs.md)."""

from assaygen import types
from assaygen.elements import complex_arithmetic, elementwise

WHY = elementwise.WHY | complex_arithmetic.WHY | elementwise.REJECTED


def clear(t, code):
    """The bits without the sign; the one NaN of FNUZ types stays."""
    if t.specials == "fnuz" and code == t.sign_mask:
        return code
    return code & ~t.sign_mask


RULE = elementwise.by_class(integer=lambda t, a: abs(a), real=clear)
SIGNED = [t for t in types.INTS if t.signed]


def cases():
    yield from elementwise.exact("abs", SIGNED + types.FLOATS, 1, RULE)
    yield from elementwise.shapes("abs", types.F32, 1, RULE)
    yield from complex_arithmetic.magnitudes()
    yield from elementwise.wrong_types("abs", SIGNED + types.FLOATS + types.COMPLEX)
