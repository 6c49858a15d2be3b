"""Numbers as text: exact decimals, and those beside them."""

from __future__ import annotations

from fractions import Fraction

from assaygen import types
from assaygen.types import Type


def exact(x: Fraction) -> str:
    """All digits of a number whose denominator is a power of two."""
    places = x.denominator.bit_length() - 1
    digits = str(abs(x.numerator) * 5 ** places).rjust(places + 1, "0")
    sign = "-" if x < 0 else ""
    if places == 0:
        return sign + digits
    return f"{sign}{digits[:-places]}.{digits[-places:]}"


def scientific(x: Fraction) -> str:
    """The same in one digit before the point and an exponent; x is not 0."""
    places = x.denominator.bit_length() - 1
    digits = str(abs(x.numerator) * 5 ** places)
    power = len(digits) - 1 - places
    short = digits.rstrip("0")
    return f"{'-' if x < 0 else ''}{short[0]}.{short[1:] or '0'}e{power}"


def beside(x: Fraction, up: bool) -> str:
    """A decimal that differs from x far behind its last digit: away from zero or
    towards it."""
    text = scientific(x)
    mantissa, power = text.split("e")
    if up:
        return f"{mantissa}{'0' * 30}1e{power}"
    digits = mantissa.replace("-", "").replace(".", "")
    smaller = str(int(digits + "0" * 30) - 1).rjust(len(digits) + 30, "0")
    sign = "-" if x < 0 else ""
    return f"{sign}{smaller[0]}.{smaller[1:]}e{power}"


def literal(t: Type, code) -> str:
    """An element of a constant, spelled exactly."""
    if t.kind == "complex":
        part = types.component(t)
        return f"({literal(part, code[0])}, {literal(part, code[1])})"
    if t.kind == "int":
        return str(t.integer(code))
    if t.kind == "pred":
        return str(code)
    value = types.decode(t, code)
    sign = "-" if value.sign < 0 else ""
    if value.is_nan:
        return not_a_number(t, code)
    if value.is_inf:
        return sign + "inf"
    return sign + "0.0" if value.is_zero else scientific(value.exact)


def not_a_number(t: Type, code: int) -> str:
    """With the payload, which is all bits of the mantissa."""
    sign = "-" if code & t.sign_mask and t.specials != "fnuz" else ""
    if t.specials != "ieee":
        return sign + "nan"
    return f"{sign}nan({code & (1 << t.mantissa) - 1:#x})"
