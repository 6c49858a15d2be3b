"""convert, compare, select, is-finite, reduce-precision and operations on the sign."""

from __future__ import annotations

import itertools
from fractions import Fraction

from elementwise import add_flushed, is_subnormal, kept, nan_code, with_axes, zero_of
from formats import (
    NAN, Real, Type, decode, encode, exponent_of, infinity, integer, number, place, power_of_two,
    wrapped)
from profiles import Profile
from real_rules import unrounded
from valuesets import ValueSet, rounded, single


def flushes(t: Type, code: int, profile: Profile) -> list[Real]:
    """The values that an operand may count as."""
    x = decode(t, code)
    if profile.daz and is_subnormal(t, x):
        return [x, zero_of(t, x)]
    return [x]


def convert(source: Type, code: int, t: Type, profile: Profile) -> ValueSet:
    if source is t:
        return _copied(t, code, profile)
    if source.kind != "float":
        return _of_integer(Fraction(integer(source, code)), t, profile)
    result = ValueSet()
    for x in flushes(source, code, profile):
        if t.kind == "pred":
            result.join(single(t, int(x.kind != "number" or x.value != 0)))
        elif t.kind == "int":
            result.join(single(t, _limited(t, x)))
        else:
            result.join(with_axes(t, _rounded(t, x, profile), profile, [], nan_code(t, x)))
    return result


def _rounded(t: Type, x: Real, profile: Profile) -> ValueSet:
    found = rounded(t, x)
    if x.is_number and profile.ftz:
        add_flushed(t, found, x)
    if profile.axis("excess-precision") == "allowed" and x.is_number and x.value:
        found.join(unrounded(t, x.value))
    return found


def _of_integer(x: Fraction, t: Type, profile: Profile) -> ValueSet:
    if t.kind == "pred":
        return single(t, int(x != 0))
    if t.kind == "int":
        return single(t, wrapped(t, int(x)))
    exact = number(x)
    return with_axes(t, _rounded(t, exact, profile), profile, [], nan_code(t, exact))


def _limited(t: Type, x: Real) -> int:
    """Towards zero, then into the range; NaN gives 0."""
    low = -(1 << (t.bits - 1)) if t.signed else 0
    high = (1 << (t.bits - t.signed)) - 1
    if x.kind == "nan":
        return 0
    if x.kind == "infinite":
        return wrapped(t, low if x.negative else high)
    whole = abs(x.value.numerator) // x.value.denominator
    return wrapped(t, min(max(-whole if x.negative else whole, low), high))


def _copied(t: Type, code: int, profile: Profile) -> ValueSet:
    """To the same type: the same bits, or any quiet NaN."""
    if t.kind != "float":
        return single(t, code)
    if decode(t, code).kind == "nan":
        return kept(t, code, profile, True)
    result = ValueSet()
    for x in flushes(t, code, profile):
        found = rounded(t, x)
        if profile.ftz:
            add_flushed(t, found, x)
        result.join(with_axes(t, found, profile, [], None))
    return result


def changed_sign(name: str, t: Type, code: int, profile: Profile) -> ValueSet:
    """negate and abs: the sign bit, and nothing else; any quiet NaN for NaN."""
    x = decode(t, code)
    if t.family == "e8m0":
        new = code if name == "abs" else t.nan
    elif t.family == "fnuz" and (x.kind == "nan" or x.is_zero):
        new = code
    else:
        new = code & ~t.top if name == "abs" else code ^ t.top
    if decode(t, new).kind == "nan":
        return kept(t, new, profile, False)
    return with_axes(t, single(t, new), profile, [], None)


def order(t: Type, code: int) -> int:
    """The place of a code in the total order."""
    if t.family == "e8m0":
        return code
    if t.family == "fnuz" and code == t.top:  # NaN is below all numbers
        return -1 - t.top
    return -1 - (code & ~t.top) if code & t.top else code


def compare(direction: str, total: bool, t: Type, codes: list[int], profile: Profile) -> ValueSet:
    pred = ValueSet()
    if t.kind != "float":
        x, y = (integer(t, code) for code in codes)
        return pred.add(*[int(_holds(direction, (x > y) - (x < y)))] * 2)
    for x, y in itertools.product(*(flushes(t, code, profile) for code in codes)):
        if total:
            a, b = (order(t, code if v == decode(t, code) else encode(t, v))
                    for code, v in zip(codes, (x, y)))
            holds = _holds(direction, (a > b) - (a < b))
        elif x.kind == "nan" or y.kind == "nan":
            holds = direction == "NE"
        else:
            holds = _holds(direction, _by_value(x, y))
        pred.add(int(holds), int(holds))
    return pred


def _by_value(x: Real, y: Real) -> int:
    a, b = (((-1 if v.negative else 1) if v.kind == "infinite" else 0, v.value) for v in (x, y))
    return (a > b) - (a < b)


def _holds(direction: str, sign: int) -> bool:
    return {"EQ": sign == 0, "NE": sign != 0, "LT": sign < 0, "LE": sign <= 0, "GT": sign > 0,
            "GE": sign >= 0}[direction]


def reduce_precision(t: Type, code: int, exponent: int, mantissa: int,
                     profile: Profile) -> ValueSet:
    """Rounds the mantissa, then limits the exponent."""
    result = ValueSet()
    for x in flushes(t, code, profile):
        narrowed = _narrowed(t, x, exponent, mantissa)
        found = rounded(t, narrowed)
        if profile.ftz:
            add_flushed(t, found, number(0))
        result.join(with_axes(t, found, profile, [code], nan_code(t, narrowed)))
    return result


def _narrowed(t: Type, x: Real, exponent: int, mantissa: int) -> Real:
    if x.kind == "nan":
        return NAN
    if not x.is_number or x.is_zero:
        return x
    value = abs(x.value)
    if mantissa < t.mantissa:
        step = power_of_two(max(exponent_of(value), t.least_exponent) - mantissa)
        value = round(value / step) * step
    top = (1 << (exponent - 1)) - 1
    width = t.bits - 1 - t.mantissa if t.family != "e8m0" else 8
    if exponent < width and value:
        if exponent_of(value) > top:
            return infinity(x.negative)
        if exponent_of(value) < 1 - top:
            value = Fraction(0)
    return number(-value if x.negative else value, x.negative)
