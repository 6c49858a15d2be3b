"""Real functions: exact values by mpmath, special values by the pages of the operations."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Callable

import mpmath

from formats import NAN, Real, Type, infinity, number


def precision_for(t: Type) -> int:
    """Bits that tell a value from the numbers next to it: 1 - x^2/2 for the least x."""
    return 2500 if t.bits == 64 else 640


def to_mpf(x: Fraction) -> mpmath.mpf:
    return mpmath.mpf(x.numerator) / mpmath.mpf(x.denominator)


def to_fraction(x: mpmath.mpf) -> Fraction:
    """The number, or the short one that it differs from by rounding errors only."""
    sign, man, exp, _ = mpmath.mpf(x)._mpf_
    man, exp = int(man), int(exp)
    if man == 0:
        return Fraction(0)
    slack = man.bit_length() - (mpmath.mp.prec - 60)
    if slack > 0:  # else it is short, or has been rounded nowhere
        extra = man.bit_length() - 160
        short = (man + (1 << (extra - 1))) >> extra
        if abs(man - (short << extra)) <= (1 << slack):
            man, exp = short, exp + extra
    man = -man if sign else man
    return Fraction(man << exp) if exp >= 0 else Fraction(man, 1 << -exp)


@lru_cache(maxsize=None)
def pi_of(precision: int) -> Fraction:
    with mpmath.workprec(precision):
        return to_fraction(+mpmath.pi)


Curve = Callable[[mpmath.mpf], mpmath.mpf]
Found = Real | Curve  # a special value, or what computes the value
Unary = Callable[[Real], Found]


def _exponential(x: Real) -> Found:
    if x.kind == "infinite":
        return number(0) if x.negative else x
    return number(1) if x.value == 0 else _large_exp(x.value)


def _large_exp(x: Fraction) -> Found:
    """exp, but for exponents that no format comes near."""
    if abs(x) > 5000:
        return number(Fraction(1, 1 << 7000) if x < 0 else Fraction(1 << 7000))
    return mpmath.exp


def _exponential_minus_one(x: Real) -> Found:
    if x.kind == "infinite":
        return number(-1) if x.negative else x
    if x.value > 5000:
        return number(1 << 7000)
    if x.value < -80:
        return number(_tail(lambda v: mpmath.exp(v), x.value) - 1)
    return x if x.value == 0 else mpmath.expm1


def _log(x: Real) -> Found:
    if x.is_zero:
        return infinity(True)
    if x.negative:
        return NAN
    if x.kind == "infinite":
        return x
    return number(0) if x.value == 1 else mpmath.log


def _log_plus_one(x: Real) -> Found:
    if x.kind == "infinite":
        return NAN if x.negative else x
    if x.value == -1:
        return infinity(True)
    if x.value < -1:
        return NAN
    return x if x.value == 0 else mpmath.log1p


def _trigonometric(function: Curve, zero: int | None) -> Unary:
    def of(x: Real) -> Found:
        if x.kind == "infinite":
            return NAN
        return (x if zero is None else number(zero)) if x.value == 0 else function
    return of


def _tail(function: Curve, x: Fraction) -> Fraction:
    """A small number that a larger one is taken from, not rounded beside that."""
    if abs(x) > 5000:
        return Fraction(1, 1 << 7000)
    with mpmath.workprec(200):
        return to_fraction(function(to_mpf(x)))


def _saturating(from_there: int, tail: Curve, function: Curve) -> Unary:
    """An odd function that comes near to 1."""
    def of(x: Real) -> Found:
        if x.kind == "number" and abs(x.value) <= from_there:
            return x if x.value == 0 else function
        one = 1 if x.kind == "infinite" else 1 - _tail(tail, abs(x.value))
        return number(-one if x.negative else one)
    return of


def _logistic(x: Real) -> Found:
    if x.kind == "infinite":
        return number(0 if x.negative else 1)
    if abs(x.value) > 80:
        tiny = _tail(lambda v: 1 / (1 + mpmath.exp(v)), abs(x.value))
        return number(tiny if x.negative else 1 - tiny)
    return number(Fraction(1, 2)) if x.value == 0 else (lambda v: 1 / (1 + mpmath.exp(-v)))


def _erfc(v: mpmath.mpf) -> mpmath.mpf:
    return mpmath.erfc(v) if v < 70 else mpmath.mpf(2) ** -7000


def _hyperbolic(function: Curve, even: bool) -> Unary:
    def of(x: Real) -> Found:
        if x.kind == "infinite":
            return infinity(x.negative and not even)
        if x.value == 0:
            return number(1) if even else x
        if abs(x.value) > 5000:
            huge = Fraction(1 << 7000)
            return number(-huge if x.negative and not even else huge)
        return function
    return of


def _odd_everywhere(function: Curve) -> Unary:
    """Functions whose infinities and zeros are their own."""
    return lambda x: x if x.kind == "infinite" or x.value == 0 else function


def _cbrt(v: mpmath.mpf) -> mpmath.mpf:
    return -mpmath.cbrt(-v) if v < 0 else mpmath.cbrt(v)


def _sqrt(x: Real) -> Found:
    if x.is_zero:
        return x
    if x.negative:
        return NAN
    return x if x.kind == "infinite" else mpmath.sqrt


def _rsqrt(x: Real) -> Found:
    if x.is_zero:
        return infinity(x.negative)
    if x.negative:
        return NAN
    return number(0) if x.kind == "infinite" else (lambda v: 1 / mpmath.sqrt(v))


def _inverse_sine(x: Real) -> Found:
    if x.kind == "infinite" or abs(x.value) > 1:
        return NAN
    return x if x.value == 0 else mpmath.asin


def _inverse_cosine(x: Real) -> Found:
    if x.kind == "infinite" or abs(x.value) > 1:
        return NAN
    return number(0) if x.value == 1 else mpmath.acos


def _acosh(x: Real) -> Found:
    if x.kind == "infinite":
        return NAN if x.negative else x
    if x.value < 1:
        return NAN
    return number(0) if x.value == 1 else mpmath.acosh


def _asinh(v: mpmath.mpf) -> mpmath.mpf:
    """log1p of x + x^2 / (1 + sqrt(1 + x^2)), which loses nothing near 0."""
    a = abs(v)
    y = mpmath.log1p(a + a * a / (1 + mpmath.sqrt(1 + a * a)))
    return -y if v < 0 else y


def _atanh(x: Real) -> Found:
    if x.kind == "infinite" or abs(x.value) > 1:
        return NAN
    if abs(x.value) == 1:
        return infinity(x.negative)
    return x if x.value == 0 else (lambda v: mpmath.log1p(2 * v / (1 - v)) / 2)


UNARY: dict[str, Unary] = {
    "exponential": _exponential,
    "exponential-minus-one": _exponential_minus_one,
    "log": _log,
    "log-plus-one": _log_plus_one,
    "sine": _trigonometric(mpmath.sin, None),
    "cosine": _trigonometric(mpmath.cos, 1),
    "tan": _trigonometric(mpmath.tan, None),
    "tanh": _saturating(20, lambda v: 2 / (mpmath.exp(2 * v) + 1), mpmath.tanh),
    "logistic": _logistic,
    "erf": _saturating(6, _erfc, mpmath.erf),
    "sinh": _hyperbolic(mpmath.sinh, False),
    "cosh": _hyperbolic(mpmath.cosh, True),
    "asin": _inverse_sine,
    "acos": _inverse_cosine,
    "asinh": _odd_everywhere(_asinh),
    "acosh": _acosh,
    "atanh": _atanh,
    "cbrt": _odd_everywhere(_cbrt),
    "sqrt": _sqrt,
    "rsqrt": _rsqrt,
}


def unary(name: str, t: Type, x: Real) -> Real:
    """f(x), exact but for an error far below all steps of the type."""
    if x.kind == "nan":
        return x
    found = UNARY[name](x)
    if isinstance(found, Real):
        return found
    with mpmath.workprec(precision_for(t)):
        return number(to_fraction(found(to_mpf(x.value))))


def _is_odd(y: Fraction) -> bool:
    return y.denominator == 1 and y.numerator % 2 == 1


def power(t: Type, x: Real, y: Real) -> Real:
    """x to the power y (power.md)."""
    if y.is_zero or (x.is_number and x.value == 1):
        return number(1)
    if x.kind == "nan" or y.kind == "nan":
        return NAN
    odd = y.is_number and _is_odd(y.value)
    if y.kind == "infinite":
        if x.is_number and abs(x.value) == 1:
            return number(1)
        grows = (x.kind == "infinite" or abs(x.value) > 1) != y.negative
        return infinity(False) if grows else number(0)
    if x.kind == "infinite" or x.is_zero:
        large = (x.kind == "infinite") != y.negative
        negative = x.negative and odd
        return infinity(negative) if large else number(0, negative)
    if x.negative and y.value.denominator != 1:
        return NAN
    return _finite_power(t, x.value, y.value, x.negative and odd)


def _finite_power(t: Type, x: Fraction, y: Fraction, negative: bool) -> Real:
    if abs(x) == 1:
        return number(-1 if negative else 1)
    with mpmath.workprec(precision_for(t) + 64):
        exponent = to_mpf(y) * mpmath.log(to_mpf(abs(x)))
        if abs(exponent) > 5000:
            value = Fraction(1 << 7000) if exponent > 0 else Fraction(1, 1 << 7000)
        else:
            value = to_fraction(mpmath.exp(exponent))
    return number(-value if negative else value)


def atan2(t: Type, y: Real, x: Real) -> Real:
    """The angle of the point (x, y) (atan2.md)."""
    if x.kind == "nan" or y.kind == "nan":
        return NAN
    pi = pi_of(precision_for(t))
    sign = -1 if y.negative else 1
    if x.kind == "infinite" and y.kind == "infinite":
        return number(sign * (3 * pi / 4 if x.negative else pi / 4))
    if y.is_zero or x.kind == "infinite":
        return number(sign * pi) if x.negative else number(0, y.negative)
    if y.kind == "infinite" or x.is_zero:
        return number(sign * pi / 2)
    with mpmath.workprec(precision_for(t)):
        return number(to_fraction(mpmath.atan2(to_mpf(y.value), to_mpf(x.value))))
