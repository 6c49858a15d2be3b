"""Complex results around their exact parts (conformance.md, Sets of operations)."""

from __future__ import annotations

from fractions import Fraction
from typing import Callable

import mpmath

from exact_functions import precision_for, to_fraction, to_mpf
from formats import (
    Type, decode, encode, first_place, last_place, number, place, power_of_two)
from elementwise import add_flushed, with_axes
from profiles import Bound, Profile, bounds_of, parse
from real_rules import admitted
from valuesets import Between, ValueSet, finite_between, rounded

FUNCTIONS: dict[str, Callable[[mpmath.mpc], mpmath.mpc]] = {
    "exponential": mpmath.exp, "log": mpmath.log, "sine": mpmath.sin, "cosine": mpmath.cos,
    "tan": mpmath.tan, "tanh": mpmath.tanh, "sinh": mpmath.sinh, "cosh": mpmath.cosh,
    "asin": mpmath.asin, "acos": mpmath.acos, "asinh": mpmath.asinh, "acosh": mpmath.acosh,
    "atanh": mpmath.atanh, "sqrt": mpmath.sqrt,
    "rsqrt": lambda z: 1 / mpmath.sqrt(z),
    "logistic": lambda z: 1 / (1 + mpmath.exp(-z)),
    "sign": lambda z: z / abs(z),
}
UNITS = {"multiply": Fraction(9, 4), "abs": Fraction(4)}
OTHERS = Fraction(8)  # divide, sign, sqrt

STRICTER = ("exact", "cr", "faithful")
TIGHT = parse("tight")

Pair = tuple[Fraction, Fraction]


def units_of(name: str, t: Type) -> Fraction:
    """How many units of 2^-p times the modulus a component may be off; t is its type."""
    if name in UNITS:
        return UNITS[name]
    if name in ("divide", "sign", "sqrt"):
        return OTHERS
    bounds = bounds_of("tight", name, t)
    return Fraction(2 * bounds[0].steps + 1)


def bits_for(t: Type, profile: Profile) -> int:
    """So many that a number beside which the other part is nearly nothing is told from the
    result, where neighbours of it count: (2^-1074 / 2^1023)^2 is 2^-4194."""
    return 5000 if profile.level == "faithful" else precision_for(t) + 200


def modulus(t: Type, z: Pair, profile: Profile = TIGHT) -> Fraction:
    with mpmath.workprec(bits_for(t, profile)):
        return to_fraction(mpmath.sqrt(to_mpf(z[0] * z[0] + z[1] * z[1])))


def stricter_bound(profile: Profile, t: Type) -> Bound | None:
    """What a level that is stricter than the gate asks of each part; None of the others, which
    go by the modulus."""
    return bounds_of(profile.level, "", t)[0] if profile.level in STRICTER else None


def parts_around(name: str, t: Type, exact: Pair, profile: Profile = TIGHT
                 ) -> list[ValueSet | Between]:
    """The sets of both parts of a finite result, but for what axes add."""
    bound = stricter_bound(profile, t)
    if bound is not None:
        return [admitted("", t, number(part), bound, None, Fraction(0)) for part in exact]
    error = units_of(name, t) * t.unit * modulus(t, exact) + t.least_positive
    return [part_around(t, part, error) for part in exact]


def part_around(t: Type, part: Fraction, error: Fraction) -> ValueSet | Between:
    """The program measures the modulus a little too large."""
    small = _within(t, part, error * (1 - power_of_two(-40)))
    large = _within(t, part, error * (1 + power_of_two(-18)))
    return small if small == large else Between(small, large)


def _within(t: Type, part: Fraction, error: Fraction) -> ValueSet:
    beyond = power_of_two(t.greatest_exponent + 1)
    found = finite_between(t, part - error, part + error).join(rounded(t, number(part)))
    if part + error >= beyond:
        found.add(last_place(t), last_place(t))
    if part - error <= -beyond:
        found.add(first_place(t), first_place(t))
    return found


def multiply(t: Type, profile: Profile, x: Pair, y: Pair) -> list[ValueSet | Between]:
    (a, b), (c, d) = x, y
    exact = (a * c - b * d, a * d + b * c)
    sets = parts_around("multiply", t, exact, profile)
    if profile.level in STRICTER:
        return with_flushed(t, sets, exact, profile)
    for found, products in zip(sets, ((a * c, -b * d), (a * d, b * c))):
        for own in [found.inner, found.outer] if isinstance(found, Between) else [found]:
            _add_overflow(t, own, products)
    return with_flushed(t, sets, exact, profile)


def _add_overflow(t: Type, found: ValueSet, products: tuple[Fraction, Fraction]) -> None:
    """Infinity where a product overflows by itself, and NaN where both do, apart."""
    signs = {p > 0 for p in products if decode(t, encode(t, number(p))).kind == "infinite"}
    for positive in signs:
        where = last_place(t) if positive else first_place(t)
        found.add(where, where)
    if len(signs) == 2:
        found.add_nan()


def divide(t: Type, profile: Profile, x: Pair, y: Pair) -> list[ValueSet | Between]:
    (a, b), (c, d) = x, y
    size = c * c + d * d
    exact = ((a * c + b * d) / size, (b * c - a * d) / size)
    return with_flushed(t, parts_around("divide", t, exact, profile), exact, profile)


def absolute(t: Type, profile: Profile, x: Pair) -> list[ValueSet | Between]:
    size = modulus(t, x, profile)
    bound = stricter_bound(profile, t)
    if bound is not None:
        found: ValueSet | Between = admitted("", t, number(size), bound, None, Fraction(0))
    else:
        found = part_around(t, size, 4 * t.unit * size + t.least_positive)
    for own in [found.inner, found.outer] if isinstance(found, Between) else [found]:
        own.ranges = [(max(low, place(t, 0)), high) for low, high in own.ranges]
    return with_flushed(t, [found], (size,), profile)


def function(name: str, t: Type, profile: Profile, x: Pair) -> list[ValueSet | Between]:
    with mpmath.workprec(bits_for(t, profile)):
        z = FUNCTIONS[name](mpmath.mpc(to_mpf(x[0]), to_mpf(x[1])))
        exact = to_fraction(z.real), to_fraction(z.imag)
    return with_flushed(t, parts_around(name, t, exact, profile), exact, profile)


def with_flushed(t: Type, sets: list[ValueSet | Between], exact: tuple[Fraction, ...],
                 profile: Profile) -> list[ValueSet | Between]:
    """With what the axes add to finite results: zeros."""
    for found, part in zip(sets, exact):
        for own in [found.inner, found.outer] if isinstance(found, Between) else [found]:
            if profile.ftz:
                add_flushed(t, own, number(part))
            with_axes(t, own, profile, [], None)
    return sets
