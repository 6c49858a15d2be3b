"""Correctly rounded real functions from mpmath, with the side of the exact
value: precision is raised until the answer is certain."""

from __future__ import annotations

from fractions import Fraction

import mpmath

from assaygen import types, values
from assaygen.types import Type
from assaygen.values import Value


def _mpf(x: Fraction):
    return mpmath.mpf(x.numerator) / mpmath.mpf(x.denominator)


def fraction(x) -> Fraction:
    """The exact value of an mpf."""
    sign, mantissa, exponent, _ = x._mpf_
    scaled = Fraction(int(mantissa))
    scaled *= Fraction(1 << exponent) if exponent >= 0 else Fraction(1, 1 << -exponent)
    return -scaled if sign else scaled


def round_real(t: Type, evaluate, x: Fraction) -> tuple[int, int]:
    """Code and side of an irrational evaluate(x)."""
    precision = 120
    while True:
        with mpmath.workprec(precision):
            y = evaluate(_mpf(x))
            error = abs(y) * mpmath.mpf(2) ** (30 - precision)
            low, high = fraction(y - error), fraction(y + error)
        codes = {types.encode(t, values.number(end)) for end in (low, high)}
        if len(codes) == 1:
            code = codes.pop()
            sides = {types.side(t, code, low), types.side(t, code, high)}
            if len(sides) == 1:
                return code, sides.pop()
        precision *= 2


def function(special, is_exact, evaluate):
    """(t, code) -> (code, side) or None. special(value) gives a Value or None;
    is_exact(x) the exact Fraction of the result where it is rational."""
    def rule(t: Type, code: int) -> tuple[int, int]:
        value = types.decode(t, code)
        answer = special(value)
        if answer is None:
            rational = is_exact(value.exact)
            if rational is None:
                return round_real(t, evaluate, value.exact)
            answer = values.number(rational)
        if answer.is_nan and t.specials == "finite":
            return None  # the sign of that NaN, and so its code, is open
        result = types.encode(t, answer)
        if answer.kind == "finite":
            return result, types.side(t, result, answer.exact)
        return result, 0
    return rule


def exponential(value: Value):
    if value.is_nan:
        return values.NAN
    if value.is_inf:
        return values.INF if value.sign > 0 else values.ZERO
    if value.is_zero:
        return values.number(1)
    if abs(value.exact) > 5000:  # beyond every format
        huge = Fraction(1 << 3000)
        return values.number(huge if value.sign > 0 else 1 / huge)
    return None


def logarithm(value: Value):
    if value.is_nan or (value.sign < 0 and not value.is_zero):
        return values.NAN
    if value.is_zero:
        return Value("inf", -1)
    return values.INF if value.is_inf else None


def hyperbolic_tangent(value: Value):
    if value.is_inf:
        return values.number(value.sign)
    if value.is_nan or value.is_zero:
        return value
    if abs(value.exact) > 5000:
        return values.number(value.sign * (1 - Fraction(1, 1 << 3000)))
    return None


def logistic(value: Value):
    if value.is_nan:
        return values.NAN
    if value.is_zero:
        return values.number(Fraction(1, 2))
    if value.is_inf or abs(value.exact) > 5000:
        tiny = Fraction(0) if value.is_inf else Fraction(1, 1 << 3000)
        return values.number(1 - tiny if value.sign > 0 else tiny)
    return None


def reciprocal_root(value: Value):
    if value.is_nan or (value.sign < 0 and not value.is_zero):
        return values.NAN
    if value.is_zero:
        return Value("inf", value.sign)
    return values.ZERO if value.is_inf else None


def root_of(x: Fraction) -> Fraction | None:
    """The rational square root, where there is one."""
    from math import isqrt
    n, d = isqrt(x.numerator), isqrt(x.denominator)
    return Fraction(n, d) if n * n == x.numerator and d * d == x.denominator else None


def square_root(t: Type, code: int) -> int:
    """sqrt by integers alone."""
    from math import isqrt
    value = types.decode(t, code)
    if value.is_zero or value.is_nan:
        return types.encode(t, value)
    if value.sign < 0:
        return None if t.specials == "finite" else types.encode(t, values.NAN)
    if value.is_inf:
        return code
    scale = 1 << 2400
    n = value.exact.numerator * scale // value.exact.denominator
    root = isqrt(n)
    exact = root * root == n and value.exact * scale == n
    nearest = Fraction(2 * root + (0 if exact else 1), 2 << 1200)
    return types.encode(t, values.number(nearest))


def inverse_root(x: Fraction) -> Fraction | None:
    root = root_of(x)
    return None if root is None else 1 / root


def cube_root(value: Value):
    return None if value.kind == "finite" else value


def cube_root_of(x: Fraction) -> Fraction | None:
    """The rational cube root, where there is one."""
    n, d = integer_cube_root(abs(x.numerator)), integer_cube_root(x.denominator)
    if n ** 3 != abs(x.numerator) or d ** 3 != x.denominator:
        return None
    return Fraction(n if x > 0 else -n, d)


def integer_cube_root(n: int) -> int:
    """The greatest r with r^3 <= n, by Newton's method from above."""
    r = 1 << -(-n.bit_length() // 3)
    while True:
        smaller = (2 * r + n // (r * r)) // 3
        if smaller >= r:
            return r
        r = smaller


def error_function(value: Value):
    if value.is_nan or value.is_zero:
        return value
    if value.is_inf:
        return values.number(value.sign)
    if abs(value.exact) > 30:  # erfc(30) is below 2^-1300
        return values.number(value.sign * (1 - Fraction(1, 1 << 1300)))
    return None
