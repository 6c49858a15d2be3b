"""Extended reals: NaN, infinities, signed zeros and exact fractions."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Value:
    """One of nan, inf, zero, finite (not zero); `sign` is 1 or -1."""

    kind: str
    sign: int = 1
    magnitude: Fraction = Fraction(0)

    @property
    def exact(self) -> Fraction:
        """The number; only for zeros and finite values."""
        assert self.kind in ("zero", "finite"), self
        return self.sign * self.magnitude

    @property
    def is_nan(self) -> bool:
        return self.kind == "nan"

    @property
    def is_inf(self) -> bool:
        return self.kind == "inf"

    @property
    def is_zero(self) -> bool:
        return self.kind == "zero"

    def negated(self) -> Value:
        return Value(self.kind, -self.sign, self.magnitude)


NAN = Value("nan")
INF = Value("inf")
ZERO = Value("zero")


def number(x: Fraction | int, zero_sign: int = 1) -> Value:
    """The value of a fraction; zero gets `zero_sign`."""
    x = Fraction(x)
    if x == 0:
        return Value("zero", zero_sign)
    return Value("finite", 1 if x > 0 else -1, abs(x))


def signed(kind: str, sign: int) -> Value:
    return Value(kind, sign)


def add(a: Value, b: Value) -> Value:
    """IEEE 754 addition before rounding (to nearest: x + -x is +0)."""
    if a.is_nan or b.is_nan or (a.is_inf and b.is_inf and a.sign != b.sign):
        return NAN
    if a.is_inf or b.is_inf:
        return a if a.is_inf else b
    if a.is_zero and b.is_zero:
        return a if a.sign == b.sign else ZERO
    return number(a.exact + b.exact)


def multiply(a: Value, b: Value) -> Value:
    sign = a.sign * b.sign
    if a.is_nan or b.is_nan:
        return NAN
    if a.is_inf or b.is_inf:
        return NAN if a.is_zero or b.is_zero else signed("inf", sign)
    return number(a.exact * b.exact, sign)


def divide(a: Value, b: Value) -> Value:
    sign = a.sign * b.sign
    if a.is_nan or b.is_nan or (a.is_inf and b.is_inf):
        return NAN
    if a.is_zero and b.is_zero:
        return NAN
    if a.is_inf or b.is_zero:
        return signed("inf", sign)
    if b.is_inf or a.is_zero:
        return signed("zero", sign)
    return number(a.exact / b.exact, sign)


def order_key(a: Value) -> tuple[int, Fraction]:
    """Sorts by value with -0 below +0; not for NaN."""
    if a.is_inf:
        return (2 * a.sign, Fraction(0))
    if a.is_zero:
        return (0, Fraction(0)) if a.sign > 0 else (0, Fraction(-1, 1 << 4000))
    return (0, a.exact)


def maximum(a: Value, b: Value) -> Value:
    if a.is_nan or b.is_nan:
        return NAN
    return max(a, b, key=order_key)


def minimum(a: Value, b: Value) -> Value:
    if a.is_nan or b.is_nan:
        return NAN
    return min(a, b, key=order_key)


def less(a: Value, b: Value) -> bool:
    """IEEE comparison: unordered is false, zeros are equal."""
    if a.is_nan or b.is_nan or (a.is_zero and b.is_zero):
        return False
    return order_key(a) < order_key(b)


def equal(a: Value, b: Value) -> bool:
    if a.is_nan or b.is_nan:
        return False
    return (a.is_zero and b.is_zero) or order_key(a) == order_key(b)


def remainder(a: Value, b: Value) -> Value:
    """a - b t, where t is a / b truncated towards zero; the sign of a."""
    if a.is_nan or b.is_nan or a.is_inf or b.is_zero:
        return NAN
    if a.is_zero or b.is_inf:
        return a
    whole = a.magnitude // b.magnitude
    return number(a.sign * (a.magnitude - b.magnitude * whole), a.sign)
