"""Exact sums and the set of results that any order of addition may give."""

from __future__ import annotations

from fractions import Fraction

from assaygen import types, values
from assaygen.types import Type


# Room for an accumulator that is 7 bits wider and rounds once more at its end.
WIDER = 1 + Fraction(1, 1 << 6)


def unit(t: Type) -> Fraction:
    """Half a unit in the last place of 1: the relative error of rounding."""
    return Fraction(1, 1 << (t.mantissa + 1))


def _trailing_exponent(x: Fraction) -> int:
    """The largest q such that x is a multiple of 2^q (x is dyadic)."""
    n, d = x.numerator, x.denominator
    return (n & -n).bit_length() - 1 - (d.bit_length() - 1)


def every_order_is_exact(t: Type, terms: list[Fraction]) -> bool:
    """Whether all partial sums fit: accuracy.md, class B0."""
    used = [x for x in terms if x]
    if not used:
        return True
    quantum = min(_trailing_exponent(x) for x in used)
    magnitude = sum(abs(x) for x in used)
    return (magnitude <= Fraction(2) ** (quantum + t.mantissa + 1)
            and quantum >= t.min_exponent - t.mantissa)


def codes(t: Type, terms: list[Fraction], products: bool,
          narrowed: int = 0) -> tuple[int, int, int]:
    """(rounded, low, high): the exact sum rounded once and the ends of what any tree of
    additions may give: n-1 roundings of sums, n of products, and one of each operand
    that has more precision than t: so many are `narrowed`."""
    total, magnitude = sum(terms, Fraction(0)), sum(map(abs, terms))
    nearest = types.encode(t, values.number(total))
    if not narrowed and every_order_is_exact(t, terms):
        return nearest, nearest, nearest
    count = max(sum(1 for x in terms if x) - (0 if products else 1), 0)
    share = count * unit(t)
    share += ((1 + unit(t)) ** narrowed - 1) * (1 + share)
    bound = share * magnitude * WIDER
    tiny = types.decode(t, 1).exact * count if products else 0
    return around(t, total, bound + tiny)


def around(t: Type, x: Fraction, error: Fraction) -> tuple[int, int, int]:
    """(rounded, low, high): x rounded once and the ends of [x - error, x + error]."""
    nearest = types.encode(t, values.number(x))
    low, high = _toward(t, x - error, 1), _toward(t, x + error, -1)
    if types.decode(t, low).is_nan and types.decode(t, high).is_nan:
        high = t.max_finite  # as both ends NaN would admit nothing else
    return nearest, low, high


def everything(t: Type) -> tuple[int, int]:
    """The ends of all numbers; NaN as an end where it has the place of infinity, as both
    ends of a NaN it would admit nothing else."""
    low, high = (types.encode(t, values.Value("inf", sign)) for sign in (-1, 1))
    return low, high if t.specials == "ieee" else t.max_finite


def _toward(t: Type, x: Fraction, direction: int) -> int:
    """The code next to x on the side of `direction` (1: above), or x's own.
    Without zero and sign NaN stands for what is not positive; as an end it admits all
    numbers of its side, too."""
    if t.specials == "e8m0" and x <= 0:
        return t.nan
    code = types.encode(t, values.number(x))
    kind = types.decode(t, code).kind
    if kind == "nan":  # it has the place of infinity
        return code
    if kind == "inf":
        code = t.max_finite | (t.sign_mask if x < 0 else 0)
    difference = types.decode(t, code).exact - x
    if difference * direction >= 0:
        return code
    return _neighbour(t, code, direction)


def _neighbour(t: Type, code: int, direction: int) -> int:
    magnitude = code & ~t.sign_mask
    negative = bool(code & t.sign_mask)
    if magnitude == 0:
        return 1 | (t.sign_mask if direction < 0 else 0)
    step = -direction if negative else direction
    if magnitude + step == 0 and t.specials == "fnuz":
        return 0  # there is no -0: its code is NaN
    return (code & t.sign_mask) | (magnitude + step)
