"""Folds that multiply floats, and maxima and minima (conformance.md, Sums)."""

from __future__ import annotations

from fractions import Fraction

from elementwise import maximum, minimum, multiply, nan_code, with_axes
from formats import Real, Type, decode, number
from profiles import Profile
from sums import ROOM
from valuesets import Between, ValueSet, everything, finite_between, nan_of, rounded


def product_set(t: Type, factors: list[Real], profile: Profile) -> ValueSet | Between:
    """A product in any order: twice the error of its roundings, or anything where a partial
    product may leave the normal numbers."""
    exact = factors[0]
    for x in factors[1:]:
        exact = multiply(exact, x)
    if exact.kind == "nan":
        return with_axes(t, nan_of(t), profile, [], nan_code(t, exact))

    def with_own(found: ValueSet) -> ValueSet:
        return with_axes(t, found, profile, [], nan_code(t, exact))

    if profile.exact_sums:
        return with_own(rounded(t, exact))
    if len(factors) > 1 and _may_leave(t, factors):
        return with_own(everything(t))
    if len(factors) == 1 or not exact.is_number or exact.value == 0:
        return with_own(rounded(t, exact))
    return Between(with_own(_around(t, exact.value, len(factors) - 1, -ROOM)),
                   with_own(_around(t, exact.value, len(factors) - 1, ROOM)))


def _may_leave(t: Type, factors: list[Real]) -> bool:
    """With a margin for the roundings of partial products."""
    most = least = Fraction(1)
    margin = 1 + 2 * len(factors) * t.unit
    for x in factors:
        if x.is_number and x.value:
            most *= max(abs(x.value), 1)
            least *= min(abs(x.value), 1)
    return most * margin > t.greatest or least < t.least_normal * margin


def _around(t: Type, exact: Fraction, k: int, room: Fraction) -> ValueSet:
    share = 2 * ((1 + t.unit) ** k - 1) + k * Fraction(1, 1 << 53)
    error = share * abs(exact) * (1 + room)
    low, high = exact - error, exact + error
    if exact > 0:
        low = max(low, t.least_positive)
    else:
        high = min(high, -t.least_positive)
    return finite_between(t, low, high).join(rounded(t, number(exact)))


def extreme_set(t: Type, name: str, codes: list[int], profile: Profile) -> ValueSet:
    """The greatest or the least of the elements, exact in every order; a subnormal one may be
    flushed."""
    found = decode(t, codes[0])
    for code in codes[1:]:
        found = (maximum if name == "maximum" else minimum)(found, decode(t, code))
    ways = rounded(t, found)
    if (profile.daz or profile.ftz) and found.is_number and 0 < abs(found.value) < t.least_normal:
        ways.join(rounded(t, number(0, found.value < 0)))
    return with_axes(t, ways, profile, [], nan_code(t, found))
