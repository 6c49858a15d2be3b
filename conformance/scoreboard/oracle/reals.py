"""Functions of real numbers by mpmath, 400 bits."""

from fractions import Fraction

import mpmath

from oracle.formats import NAN, Unknown, infinity, number

BITS = 400
LARGEST = 1 << 20  # arguments of exponentials beyond are infinite or zero in every format


def real(value):
    return mpmath.mpf(value.numerator) / value.denominator


def fraction(x):
    """That of a number of mpmath, exactly."""
    sign, mantissa, exponent, _ = x._mpf_
    value = Fraction(int(mantissa)) * Fraction(2) ** int(exponent)
    return -value if sign else value


def logistic(x):
    return 1 / (1 + mpmath.exp(-x))


FUNCTIONS = {
    "exponential": mpmath.exp, "exponential-minus-one": mpmath.expm1, "log": mpmath.log,
    "log-plus-one": mpmath.log1p, "logistic": logistic, "tanh": mpmath.tanh,
    "sine": mpmath.sin, "cosine": mpmath.cos, "tan": mpmath.tan, "sinh": mpmath.sinh,
    "cosh": mpmath.cosh, "asin": mpmath.asin, "acos": mpmath.acos, "asinh": mpmath.asinh,
    "acosh": mpmath.acosh, "atanh": mpmath.atanh, "erf": mpmath.erf, "sqrt": mpmath.sqrt,
    "cbrt": mpmath.cbrt, "rsqrt": lambda x: 1 / mpmath.sqrt(x),
}
# What is there at plus and at minus infinity; None where the function is not defined.
AT_INFINITY = {
    "exponential": ("inf", 0), "exponential-minus-one": ("inf", -1), "log": ("inf", None),
    "log-plus-one": ("inf", None), "logistic": (1, 0), "tanh": (1, -1), "sine": (None, None),
    "cosine": (None, None), "tan": (None, None), "sinh": ("inf", "-inf"),
    "cosh": ("inf", "inf"), "asin": (None, None), "acos": (None, None),
    "asinh": ("inf", "-inf"), "acosh": ("inf", None), "atanh": (None, None), "erf": (1, -1),
    "sqrt": ("inf", None), "cbrt": ("inf", "-inf"), "rsqrt": (0, None),
}
ODD = {"exponential-minus-one", "log-plus-one", "tanh", "sine", "tan", "sinh", "asin", "asinh",
       "atanh", "erf", "sqrt", "cbrt"}  # these keep a zero with its sign
GROWING = {"exponential", "exponential-minus-one", "sinh", "cosh", "logistic"}


def special(word, negative=False):
    if word is None:
        return NAN
    if word in ("inf", "-inf"):
        return infinity(word == "-inf")
    return number(word, negative or word < 0)


def at_zero(name, x):
    if name in ODD:
        return x
    if name == "log":
        return infinity(True)
    if name == "rsqrt":
        return infinity(x.negative)
    return None


def outside(name, value):
    """Whether a number is none that the function is defined for."""
    return (name in ("log", "sqrt", "rsqrt") and value < 0) or (
        name == "log-plus-one" and value < -1) or (
        name in ("asin", "acos", "atanh") and abs(value) > 1) or (
        name == "acosh" and value < 1)


def far(name, x):
    """The value of an exponential of a huge number."""
    word = AT_INFINITY[name][x.negative]
    if word in ("inf", "-inf"):
        return number(Fraction(2) ** 5000 * (-1 if word == "-inf" else 1))
    return number(word) if word else number(Fraction(1, 2 ** 5000))


def apply(name, x):
    """The value of a function at a number of a format, to 400 bits."""
    if name not in FUNCTIONS:
        raise Unknown(f"no function {name}")
    if x.is_nan:
        return NAN
    if x.kind == "infinity":
        return special(AT_INFINITY[name][x.negative])
    if x.value == 0 and (found := at_zero(name, x)):
        return found
    if outside(name, x.value):
        return NAN
    if name in ("log-plus-one", "atanh") and abs(x.value) == 1 and (
            name == "atanh" or x.negative):
        return infinity(x.negative)
    if name in GROWING and abs(x.value) > LARGEST:
        return far(name, x)
    with mpmath.workprec(BITS + max(0, x.value.numerator.bit_length()) + 2 * max(
            0, x.value.denominator.bit_length() - x.value.numerator.bit_length())):
        if name == "cbrt" and x.negative:
            return number(-fraction(mpmath.cbrt(real(-x.value))))
        return number(fraction(FUNCTIONS[name](real(x.value))))


def atan2(y, x):
    if y.is_nan or x.is_nan:
        return NAN
    with mpmath.workprec(BITS):
        if y.kind == x.kind == "infinity":
            value = mpmath.pi * (3 if x.negative else 1) / 4
        elif y.kind == "infinity":
            value = mpmath.pi / 2
        elif x.kind == "infinity" or y.value == 0:
            below = x.negative
            value = mpmath.pi if below else mpmath.mpf(0)
        else:
            value = mpmath.atan2(abs(real(y.value)), real(x.value))
        found = fraction(value)
    return number(-found if y.negative else found, y.negative)


def power(x, y):
    """x to the y, where both are numbers and x is above zero, or y an integer."""
    if x.kind != "number" or y.kind != "number" or x.value == 0:
        raise Unknown("a power of a special number")
    whole = y.value.denominator == 1
    if x.value < 0 and not whole:
        return NAN
    negative = x.value < 0 and y.value.numerator % 2 == 1
    with mpmath.workprec(BITS):
        steps = real(y.value) * mpmath.log(real(abs(x.value)))
        if abs(steps) > LARGEST:
            value = Fraction(2) ** (5000 if steps > 0 else -5000)
        else:
            with mpmath.workprec(2 * BITS):
                value = fraction(mpmath.exp(real(y.value) * mpmath.log(real(abs(x.value)))))
        if whole and abs(y.value) < 64 and abs(x.value.numerator.bit_length() * y.value) < 20000:
            value = abs(x.value) ** int(y.value)  # exact: it may lie half way
    return number(-value if negative else value, negative)
