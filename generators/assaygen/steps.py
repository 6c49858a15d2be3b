"""What a function may return around its correctly rounded value: a number of codes to
either side, or the codes next to the exact value (spec/conformance.md, Levels)."""

from __future__ import annotations

from fractions import Fraction

from assaygen import types, values
from assaygen.types import Type


def outward(t: Type, x: Fraction, direction: int) -> int:
    """The code of a number that lies above zero or below it, or the next one beyond."""
    code = types.encode(t, values.number(x))
    off = types.side(t, code, x) == direction
    return code + 1 if off else code


def around(t: Type, code: int, side: int, limit: int | str, ends) -> tuple[int, int]:
    """The least and the greatest code; `side` is that of types.side, and no result
    lies below the code ends[0] or above ends[1]. What is None is a special value."""
    if side is None:
        return code, code
    value = types.decode(t, code)
    if value.kind in ("inf", "nan"):
        return _overflowed(t, code, side, limit)
    if value.is_zero and side == 0:
        return code, code
    faithful = limit == "faithful"
    low = _moved(t, code, -(side < 0) if faithful else -limit, side)
    high = _moved(t, code, (side > 0) if faithful else limit, side)
    least, greatest = ends
    if least is not None:
        low = max(low, least, key=lambda c: _place(t, c))
    elif faithful and side < 0:
        low = _beyond(t, code, low, True)
    if greatest is not None:
        high = min(high, greatest, key=lambda c: _place(t, c))
    elif faithful and side > 0:
        high = _beyond(t, code, high, False)
    return low, high


def _beyond(t: Type, code: int, end: int, negative: bool) -> int:
    """NaN for the last number's neighbour, where it has the place of infinity."""
    last = t.max_finite | (t.sign_mask if negative else 0)
    if code != last or t.specials in ("ieee", "finite"):
        return end
    return types.encode(t, values.number(types.decode(t, code).exact * 4))


def _overflowed(t: Type, code: int, side: int, limit: int | str) -> tuple[int, int]:
    """Infinity, or NaN in its place, and the last finite code where the exact value is
    less than a unit beyond it, or half a unit more than the steps."""
    halves = 2 if limit == "faithful" else 2 * limit + 1
    if side == 0 or abs(side) - 1 >= halves:
        return code, code
    return (t.max_finite, code) if side < 0 else (code, t.max_finite | t.sign_mask)


def _place(t: Type, code: int) -> int:
    """Numbers in their order; -0 lies below 0."""
    return -1 - (code & ~t.sign_mask) if code & t.sign_mask else code


def _moved(t: Type, code: int, steps: int, side: int) -> int:
    """The code so many places further up, of the sign of the exact value."""
    negative = bool(code & t.sign_mask)
    magnitude = code & ~t.sign_mask
    if magnitude == 0 and t.specials != "e8m0":
        negative = side < 0
    last = t.max_finite + (t.specials == "ieee")
    magnitude = min(max(magnitude + (-steps if negative else steps), 0), last)
    has_sign = negative and not (magnitude == 0 and t.specials == "fnuz")
    return magnitude | (t.sign_mask if has_sign else 0)
