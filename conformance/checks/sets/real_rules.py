"""What a real function may return around its exact value (conformance.md, Levels and axes)."""

from __future__ import annotations

from fractions import Fraction

from exact_functions import pi_of, precision_for
from formats import (
    TYPES, Real, Type, decode, encode, first_place, last_place, number, place_from, place_to,
    power_of_two, unit_in_last_place)
from profiles import Bound
from valuesets import ValueSet, rounded


def range_of(function: str, t: Type) -> tuple[Fraction | None, Fraction | None]:
    """What bounds the function's values; multiples of pi are rounded outward."""
    one = Fraction(1)
    ranges = {
        "tanh": (-one, one), "sine": (-one, one), "cosine": (-one, one), "erf": (-one, one),
        "logistic": (Fraction(0), one), "exponential": (Fraction(0), None),
        "acosh": (Fraction(0), None), "exponential-minus-one": (-one, None),
        "cosh": (one, None),
    }
    if function in ranges:
        return ranges[function]
    if function not in ("acos", "asin", "atan2"):
        return None, None
    pi = pi_of(precision_for(t))
    top = pi / 2 if function == "asin" else pi
    return (Fraction(0) if function == "acos" else -top), top


def _end(t: Type, x: Fraction, up: bool) -> int:
    """The place of an end of a range, or of the next number outward."""
    if x == 0:
        return 0  # +0: no result is below it
    return place_from(t, x) if up else place_to(t, x)


def _clipped(t: Type, s: ValueSet, function: str) -> ValueSet:
    least, greatest = range_of(function, t)
    low = first_place(t) if least is None else _end(t, least, False)
    high = last_place(t) if greatest is None else _end(t, greatest, True)
    result = ValueSet([], s.nan, s.signaling)
    for a, b in s.ranges:
        result.add(max(a, low), min(b, high))
    return result


def admitted(function: str, t: Type, r: Real, bound: Bound, x: Fraction | None,
             room: Fraction) -> ValueSet:
    """The set around the exact value r; x is the operand, where there is one. Real errors are
    larger by the share `room`, or smaller."""
    once = rounded(t, r)
    if not r.is_number or r.value == 0:
        return once
    if t.family == "e8m0" and r.negative:
        return once
    if bound.unlimited:
        found = ValueSet([(first_place(t), last_place(t))])
    elif bound.faithful:
        found = _faithful(t, r.value)
    elif bound.steps is not None:
        found = _steps(t, r.value, bound.steps, room > 0)
    else:
        found = _within(t, r.value, bound, x, room)
    least, greatest = range_of(function, t)
    if (least if r.negative else greatest) is not None:
        found.nan = None  # what stands for infinity lies beyond the range
    return _clipped(t, found.join(once), function)


def _beyond(t: Type) -> ValueSet:
    """What stands for numbers beyond the greatest: infinity, NaN in its place, or nothing."""
    if t.has_infinity:
        return ValueSet([(last_place(t),) * 2])
    return ValueSet().add_nan() if t.has_nan else ValueSet()


def _mirrored(t: Type, s: ValueSet) -> ValueSet:
    """Mirrors a set at zero."""
    result = ValueSet([], s.nan)
    for low, high in s.ranges:
        if not t.has_negative_zero:
            result.add(-high, -low)
        else:
            result.add(-high - 1, -low - 1)
    return result


def _next_binade(t: Type) -> Fraction:
    """Where infinity counts as lying: one step above the largest number."""
    return t.greatest + unit_in_last_place(t, t.greatest)


def _overflowed(t: Type, r: Fraction, error: Fraction, open_end: bool) -> ValueSet:
    """Around an r > 0 that rounds to infinity: the numbers that r is not further from than the
    error that is allowed at the greatest."""
    found = _beyond(t)
    if r - t.greatest > error or (r - t.greatest == error and open_end):
        return found
    first = t.greatest_code if r - error >= t.greatest else place_from(t, r - error)
    return found.add(max(first, 0), t.greatest_code)


def _near_greatest(t: Type, r: Fraction, steps: int, error: Fraction) -> ValueSet:
    """By codes: the greatest number where it is less than the error from r, and of so many steps
    one code less for each unit that is left of it."""
    found = _beyond(t)
    unit = unit_in_last_place(t, t.greatest)
    for below in range(steps):
        if r - t.greatest >= error - below * unit:
            break
        found.add(t.greatest_code - below, t.greatest_code)
    return found


def _overflows(t: Type, r: Fraction) -> bool:
    return decode(t, encode(t, number(r))).kind != "number"


def _faithful(t: Type, r: Fraction) -> ValueSet:
    if r < 0:
        return _mirrored(t, _faithful(t, -r))
    if _overflows(t, r):
        return _near_greatest(t, r, 1, _next_binade(t) - t.greatest)
    found = ValueSet().add(max(place_to(t, r), 0), min(place_from(t, r), last_place(t)))
    return found.join(_beyond(t)) if r > t.greatest else found


def _steps(t: Type, r: Fraction, steps: int, outward: bool) -> ValueSet:
    if r < 0:
        return _mirrored(t, _steps(t, -r, steps, outward))
    if _overflows(t, r):
        unit = unit_in_last_place(t, t.greatest)
        if outward and t is F64:  # r is known to half a unit of its own, which is larger
            r = max(r - unit_in_last_place(t, r) / 2, t.greatest)
        return _near_greatest(t, r, steps, (2 * steps + 1) * unit / 2)
    code = encode(t, number(r))
    return ValueSet().add(max(code - steps, 0), min(code + steps, last_place(t)))


def unrounded(t: Type, r: Fraction) -> ValueSet:
    """What lies between the codes next to r, which is kept as it is; not beyond the greatest
    number of a type without infinity, and nothing negative of a type without sign."""
    if r < 0 and t.family == "e8m0":
        return ValueSet()
    if r < 0:
        return _mirrored(t, unrounded(t, -r))
    if r > t.greatest:
        return ValueSet([(t.greatest_code, last_place(t))]) if t.has_infinity else ValueSet()
    return ValueSet().add(max(place_to(t, r), 0), place_from(t, r))


def error_of(t: Type, r: Fraction, bound: Bound, x: Fraction | None,
             known: Fraction | None = None) -> Fraction:
    """The largest error that a limit allows; beyond the greatest number, that of this number.
    `known` is r to 53 bits."""
    r = min(abs(r), t.greatest)
    known = r if known is None else min(abs(known), t.greatest)
    one = power_of_two(1 - t.precision)
    relative = bound.eps * one * max(known, t.least_normal)
    units = bound.ulps + bound.ulps_per_x * abs(x or 0)
    return max(relative, units * unit_in_last_place(t, r), bound.absolute,
               bound.absolute_eps * one)


F64 = TYPES["f64"]


def _known_to(r: Fraction) -> tuple[Fraction, Fraction, Fraction]:
    """r to the 53 bits of f64, by which an error is measured, and the numbers between which r
    then is known to lie: half a unit on that side."""
    code = encode(F64, number(r))
    near = decode(F64, code)
    if not near.is_number or near.value == r:
        return r, r, r
    step = abs(decode(F64, code + 1 if r > near.value else code - 1).value - near.value)
    half = step / 2
    if r > near.value:
        return near.value, near.value, near.value + half
    return near.value, near.value - half, near.value


def _within(t: Type, r: Fraction, bound: Bound, x: Fraction | None, room: Fraction) -> ValueSet:
    if r < 0:
        return _mirrored(t, _within(t, -r, bound, x, room))
    if _overflows(t, r):
        return _overflowed(t, r, error_of(t, t.greatest, bound, x) * (1 + room), False)
    near, least, most = _known_to(r)
    error = error_of(t, r, bound, x, near) * (1 + room)
    low, high = least - error, most + error
    first, last = place_from(t, low), place_to(t, high)
    if least != most:  # then r is no end of that stretch, and the ends are too far from it
        first = place_from(t, low + power_of_two(-2000))
        last = place_to(t, high - power_of_two(-2000))
    if not (bound.absolute or bound.absolute_eps):
        first = max(first, 0)
    first = max(first, first_place(t) + t.has_infinity)
    found = ValueSet().add(first, min(last, t.greatest_code))
    return found.join(_beyond(t)) if high >= _next_binade(t) else found
