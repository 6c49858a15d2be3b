"""Codes that programs trip over: ends of ranges, subnormals, equal numbers, cancellation."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

import mpmath

from exact_functions import to_fraction, to_mpf
from formats import Type, decode, encode, number
from streams import Stream

CRITICAL = [  # where functions turn, overflow, underflow or lose what they had
    "0.5", "1", "2", "3", "0.1", "-0.414", "0.84375", "1.25", "3.9", "4.5", "7.5", "9.1",
    "11.09", "11.0898", "-9.7", "-16.6", "-17.3", "17.32868", "88.72283", "88.72284",
    "-87.33655", "-103.27893", "-103.97208", "89", "709.7827", "-708.396", "-745.13", "1e10",
    "3.1415927", "1.5707964", "6.2831855", "1e5", "1e30", "65504", "65520", "0.9999999",
    "-0.9999999", "0.99951", "-0.99951", "1e-5", "1e-20", "5.5", "-5.5", "10", "25", "240",
]


@lru_cache(maxsize=None)
def special_codes(t: Type) -> tuple[int, ...]:
    """Zeros, infinities, NaNs, both ends of subnormal and normal numbers; of integers the ends."""
    if t.kind != "float":
        top = 1 << (t.bits - 1)
        mask = (1 << t.bits) - 1
        return tuple({0, 1 & mask, 2 & mask, mask, top, top - 1 & mask, top + 1 & mask, 3 & mask})
    least_normal = 1 << t.mantissa if t.family != "e8m0" else 1
    one = encode(t, number(1))
    near_one = [one, one + 1, one - 1]
    codes = [0, 1, 2, 3, least_normal - 1, least_normal, least_normal + 1, t.greatest_code,
             t.greatest_code - 1, *near_one]
    if t.has_infinity:
        codes += [t.infinity, t.nan]
        if t.mantissa > 1:
            codes += [t.infinity + 1, t.nan | 1]
    elif t.has_nan:
        codes.append(t.nan)
    codes += [code | t.top for code in codes]
    return tuple(dict.fromkeys(codes))


@lru_cache(maxsize=None)
def critical_codes(t: Type) -> tuple[int, ...]:
    """The numbers of the list, and those whose exponentials are at the ends of the range."""
    codes = [encode(t, number(Fraction(text))) for text in CRITICAL]
    with mpmath.workprec(200):
        for end in (t.greatest, t.least_normal, t.least_positive):
            size = abs(mpmath.log(to_mpf(end)))
            codes += [encode(t, number(to_fraction(x))) for x in (size, size + mpmath.log(2))]
    return tuple(codes)


def base_of_end(t: Type, exponent: int, s: Stream) -> int:
    """A number whose power is next to an end of the range."""
    y = decode(t, exponent)
    end = s.one_of([t.greatest, t.greatest, t.least_normal, t.least_positive])
    if not y.is_number or abs(y.value) < Fraction(1, 8):
        return exponent
    with mpmath.workprec(200):
        root = to_fraction(mpmath.exp(mpmath.log(to_mpf(end)) / to_mpf(abs(y.value))))
    code = encode(t, number(root))
    return max(0, min(code + s.between(-2, 2), t.greatest_code))


def any_code(t: Type, s: Stream) -> int:
    """A special code, a critical one, one of a middling size, or any bits."""
    if t.kind != "float":
        return s.one_of(special_codes(t)) if s.chance(3) else s.bits(t.bits)
    choice = s.below(8)
    if choice == 0:
        return s.one_of(special_codes(t))
    if choice == 1:
        code = max(0, s.one_of(critical_codes(t)) + s.between(-2, 2))
        return min(code, (1 << t.bits) - 1) ^ (t.top if s.chance(3) else 0)
    if choice <= 4:
        return middling(t, s)
    if choice == 5:
        return subnormal(t, s)
    return s.bits(t.bits)


def middling(t: Type, s: Stream, spread: int = 5) -> int:
    """A number of a magnitude around 1."""
    one = encode(t, number(1))
    width = spread << t.mantissa
    code = max(0, min(one - width + s.below(2 * width + 1), t.greatest_code))
    return code | (t.top if s.chance(2) else 0)


def subnormal(t: Type, s: Stream) -> int:
    """A subnormal number, or one next to those."""
    code = s.below(1 << t.mantissa + 1) if s.chance(2) else s.bits(max(t.mantissa, 1))
    return code | (t.top if s.chance(2) else 0)


def near(t: Type, code: int, s: Stream) -> int:
    """The number of the other sign, or one next to it: sums cancel, quotients are near 1."""
    moved = code + s.between(-2, 2)
    moved = moved if 0 <= moved < 1 << t.bits else code
    return moved ^ t.top if s.chance(2) else moved


def finite_code(t: Type, s: Stream) -> int:
    """As any_code, but a number."""
    while True:
        code = any_code(t, s)
        if decode(t, code).is_number:
            return code
