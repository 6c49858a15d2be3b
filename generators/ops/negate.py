"""negate: wraps integers, flips the sign bit of floats (spec/ops/negate.md)."""

from assaygen import types
from assaygen.elements import elementwise

WHY = elementwise.WHY | elementwise.REJECTED


def flip(t, code):
    """The bits with the other sign; types that cannot: see the page."""
    if t.kind == "complex":
        part = types.component(t)
        return tuple(flip(part, c) for c in code)
    if t.specials == "e8m0":
        return t.nan
    if t.specials == "fnuz" and code in (0, t.sign_mask):
        return code
    return code ^ t.sign_mask


RULE = elementwise.by_class(integer=lambda t, a: -a, real=flip)


def cases():
    yield from elementwise.exact("negate", types.INTS + types.FLOATS + types.COMPLEX, 1, RULE)
    yield from elementwise.shapes("negate", types.F32, 1, RULE)
    yield from elementwise.wrong_types("negate", types.ALL[1:])
