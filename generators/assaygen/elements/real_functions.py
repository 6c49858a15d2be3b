"""Real functions that mpmath computes, with their values at special places."""

from __future__ import annotations

from fractions import Fraction

import mpmath

from assaygen import functions, types, values
from assaygen.elements import elementwise
from assaygen.values import NAN, Value, number

HUGE = Fraction(1 << 3000)  # beyond every format
FAR = 5000  # where exponentials are


def ends(value: Value):
    """NaN and zeros stay; infinities and what is far are left to others."""
    return value if value.is_nan or value.is_zero else None


def far(value: Value) -> bool:
    return not value.is_inf and abs(value.exact) > FAR


def outside(value: Value) -> bool:
    """Beyond -1 and 1."""
    return value.is_inf or (not value.is_nan and abs(value.exact) > 1)


def periodic(value: Value):
    return ends(value) or (NAN if value.is_inf else None)


def cosine(value: Value):
    return number(1) if value.is_zero else periodic(value)


def hyperbolic_cosine(value: Value):
    if value.is_nan or value.is_inf:
        return NAN if value.is_nan else values.INF
    return number(1) if value.is_zero else number(HUGE) if far(value) else None


def hyperbolic_sine(value: Value):
    if value.is_inf:
        return value
    return ends(value) or (number(value.sign * HUGE) if far(value) else None)


def arc_cosine(value: Value):
    if value.is_nan or outside(value):
        return NAN
    return number(0) if value.exact == 1 else None


def arc_sine(value: Value):
    return NAN if outside(value) else ends(value)


def area_cosine(value: Value):
    if value.is_inf and value.sign > 0:
        return value
    if value.is_nan or value.is_inf or value.exact < 1:
        return NAN
    return number(0) if value.exact == 1 else None


def area_sine(value: Value):
    return value if value.is_inf else ends(value)


def area_tangent(value: Value):
    if outside(value):
        return NAN
    if not value.is_nan and abs(value.exact) == 1:
        return Value("inf", value.sign)
    return ends(value)


def exponential_less_one(value: Value):
    if value.is_inf:
        return value if value.sign > 0 else number(-1)
    if not value.is_nan and far(value):
        return number(HUGE if value.sign > 0 else 1 / HUGE - 1)
    return ends(value)


def logarithm_of_one_more(value: Value):
    if value.is_inf:
        return value if value.sign > 0 else NAN
    if not value.is_nan and value.exact <= -1:
        return Value("inf", -1) if value.exact == -1 else NAN
    return ends(value)


with mpmath.workprec(300):
    PI = functions.fraction(+mpmath.pi)

# Special values, the function, steps of f32 and f64, limits of the result.
FUNCTIONS = {
    "acos": (arc_cosine, mpmath.acos, (3, 2), (0, PI)),
    "acosh": (area_cosine, mpmath.acosh, (4, 2), (None, None)),
    "asin": (arc_sine, mpmath.asin, (3, 2), (-PI / 2, PI / 2)),
    "asinh": (area_sine, mpmath.asinh, (2, 2), (None, None)),
    "atanh": (area_tangent, mpmath.atanh, (3, 2), (None, None)),
    "cosh": (hyperbolic_cosine, mpmath.cosh, (2, 2), (1, None)),
    "cosine": (cosine, mpmath.cos, (2, 2), (-1, 1)),
    "exponential-minus-one": (exponential_less_one, mpmath.expm1, (1, 2), (-1, None)),
    "log-plus-one": (logarithm_of_one_more, mpmath.log1p, (1, 1), (None, None)),
    "sine": (periodic, mpmath.sin, (2, 2), (-1, 1)),
    "sinh": (hyperbolic_sine, mpmath.sinh, (3, 2), (None, None)),
    "tan": (periodic, mpmath.tan, (3, 2), (None, None)),
}


def real(op: str) -> elementwise.RealFunction:
    special, function, steps, within = FUNCTIONS[op]

    def evaluate(x):
        with mpmath.extraprec(160):
            return function(x)
    rule = functions.function(special, lambda x: None, evaluate)
    return elementwise.RealFunction(op, rule, dict(zip(("f32", "f64"), steps)), within)


def cases(op: str):
    yield from real(op).of_types(64)
    yield from real(op).of_shapes(types.F32)
