"""Complex results around their exact parts (conformance.md, Sets of operations)."""

from __future__ import annotations

from fractions import Fraction
from typing import Callable

import mpmath

from exact_functions import precision_for, to_fraction, to_mpf
from formats import (
    Type, decode, encode, first_place, last_place, number, place, power_of_two)
from profiles import bounds_of
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

Pair = tuple[Fraction, Fraction]


def units_of(name: str, t: Type) -> Fraction:
    """How many units of 2^-p times the modulus a component may be off; t is its type."""
    if name in UNITS:
        return UNITS[name]
    if name in ("divide", "sign", "sqrt"):
        return OTHERS
    bounds = bounds_of("tight", name, t)
    return Fraction(2 * bounds[0].steps + 1)


def modulus(t: Type, z: Pair) -> Fraction:
    with mpmath.workprec(precision_for(t)):
        return to_fraction(mpmath.sqrt(to_mpf(z[0] * z[0] + z[1] * z[1])))


def parts_around(name: str, t: Type, exact: Pair) -> list[ValueSet | Between]:
    """The sets of both parts of a finite result."""
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


def multiply(t: Type, x: Pair, y: Pair) -> list[ValueSet | Between]:
    (a, b), (c, d) = x, y
    sets = parts_around("multiply", t, (a * c - b * d, a * d + b * c))
    for found, products in zip(sets, ((a * c, -b * d), (a * d, b * c))):
        for own in [found.inner, found.outer] if isinstance(found, Between) else [found]:
            _add_overflow(t, own, products)
    return sets


def _add_overflow(t: Type, found: ValueSet, products: tuple[Fraction, Fraction]) -> None:
    """Infinity where a product overflows by itself, and NaN where both do, apart."""
    signs = {p > 0 for p in products if decode(t, encode(t, number(p))).kind == "infinite"}
    for positive in signs:
        where = last_place(t) if positive else first_place(t)
        found.add(where, where)
    if len(signs) == 2:
        found.add_nan()


def divide(t: Type, x: Pair, y: Pair) -> list[ValueSet | Between]:
    (a, b), (c, d) = x, y
    size = c * c + d * d
    return parts_around("divide", t, ((a * c + b * d) / size, (b * c - a * d) / size))


def exactly(t: Type, parts: Pair) -> list[ValueSet]:
    return [rounded(t, number(part)) for part in parts]


def absolute(t: Type, x: Pair) -> list[ValueSet | Between]:
    size = modulus(t, x)
    found = part_around(t, size, 4 * t.unit * size + t.least_positive)
    for own in [found.inner, found.outer] if isinstance(found, Between) else [found]:
        own.ranges = [(max(low, place(t, 0)), high) for low, high in own.ranges]
    return [found]


def function(name: str, t: Type, x: Pair) -> list[ValueSet | Between] | None:
    """None where the value has no end in sight."""
    with mpmath.workprec(precision_for(t) + 200):
        z = FUNCTIONS[name](mpmath.mpc(to_mpf(x[0]), to_mpf(x[1])))
        exact = to_fraction(z.real), to_fraction(z.imag)
    return parts_around(name, t, exact)
