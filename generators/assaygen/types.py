"""Element types and the exact meaning of their bits (spec/types.md)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from assaygen import values
from assaygen.values import Value


@dataclass(frozen=True)
class Type:
    """A row of the table: kind is pred, int, float or complex."""

    name: str
    bits: int
    kind: str
    signed: bool = False
    exponent: int = 0
    mantissa: int = 0
    bias: int = 0
    specials: str = "ieee"

    @property
    def digits(self) -> int:
        """Hexadecimal digits of one element (of a component, if complex)."""
        width = self.bits // 2 if self.kind == "complex" else self.bits
        return (width + 3) // 4

    @property
    def low(self) -> int:
        return -(1 << (self.bits - 1)) if self.signed else 0

    @property
    def high(self) -> int:
        return (1 << (self.bits - (1 if self.signed else 0))) - 1

    def wrap(self, x: int) -> int:
        """The bits of an integer, modulo the width."""
        return x & ((1 << self.bits) - 1)

    def integer(self, code: int) -> int:
        """The integer of the bits."""
        top = 1 << (self.bits - 1)
        return code - 2 * top if self.signed and code & top else code

    @property
    def sign_mask(self) -> int:
        return 0 if self.specials == "e8m0" else 1 << (self.bits - 1)

    @property
    def nan(self) -> int | None:
        """The canonical quiet NaN."""
        return {
            "ieee": ((1 << self.exponent) - 1 << self.mantissa)
            | 1 << max(self.mantissa - 1, 0),
            "fn": (1 << (self.bits - 1)) - 1,
            "fnuz": 1 << (self.bits - 1),
            "e8m0": 0xFF,
            "finite": None,
        }[self.specials]

    @property
    def max_finite(self) -> int:
        magnitude = (1 << (self.bits - 1)) - 1
        return {
            "ieee": ((1 << self.exponent) - 1 << self.mantissa) - 1,
            "fn": magnitude - 1,
            "fnuz": magnitude,
            "e8m0": 0xFE,
            "finite": magnitude,
        }[self.specials]

    @property
    def min_exponent(self) -> int:
        """e of the smallest normal 2^e."""
        return (0 if self.specials == "e8m0" else 1) - self.bias


def _ints() -> list[Type]:
    return [
        Type(f"{letter}{bits}", bits, "int", letter == "s")
        for letter in "su"
        for bits in (1, 2, 4, 8, 16, 32, 64)
    ]


FLOATS = [
    Type("f16", 16, "float", exponent=5, mantissa=10, bias=15),
    Type("bf16", 16, "float", exponent=8, mantissa=7, bias=127),
    Type("f32", 32, "float", exponent=8, mantissa=23, bias=127),
    Type("f64", 64, "float", exponent=11, mantissa=52, bias=1023),
    Type("f8e5m2", 8, "float", False, 5, 2, 15, "ieee"),
    Type("f8e4m3", 8, "float", False, 4, 3, 7, "ieee"),
    Type("f8e3m4", 8, "float", False, 3, 4, 3, "ieee"),
    Type("f8e4m3fn", 8, "float", False, 4, 3, 7, "fn"),
    Type("f8e4m3b11fnuz", 8, "float", False, 4, 3, 11, "fnuz"),
    Type("f8e4m3fnuz", 8, "float", False, 4, 3, 8, "fnuz"),
    Type("f8e5m2fnuz", 8, "float", False, 5, 2, 16, "fnuz"),
    Type("f8e8m0fnu", 8, "float", False, 8, 0, 127, "e8m0"),
    Type("f4e2m1fn", 4, "float", False, 2, 1, 1, "finite"),
    Type("f6e2m3fn", 6, "float", False, 2, 3, 1, "finite"),
    Type("f6e3m2fn", 6, "float", False, 3, 2, 3, "finite"),
]
PRED = Type("pred", 1, "pred")
INTS = _ints()
COMPLEX = [Type("c64", 64, "complex"), Type("c128", 128, "complex")]
ALL = [PRED, *INTS, *FLOATS, *COMPLEX]
BY_NAME = {t.name: t for t in ALL}
F32, F64, S32, C64 = (BY_NAME[n] for n in ("f32", "f64", "s32", "c64"))


def component(t: Type) -> Type:
    """f32 of c64, f64 of c128."""
    return BY_NAME["f32" if t.name == "c64" else "f64"]


@lru_cache(maxsize=1 << 16)
def decode(t: Type, code: int) -> Value:
    """The exact value of a float's bits."""
    sign = -1 if code & t.sign_mask else 1
    if t.specials == "e8m0":
        return values.NAN if code == 0xFF else values.number(_power(code - 127))
    if t.specials == "fnuz" and code == t.sign_mask:
        return values.NAN
    magnitude = code & ~t.sign_mask
    if t.specials == "fn" and magnitude == t.sign_mask - 1:
        return Value("nan", sign)
    field, fraction = magnitude >> t.mantissa, magnitude & ((1 << t.mantissa) - 1)
    if t.specials == "ieee" and field == (1 << t.exponent) - 1:
        return Value("nan" if fraction else "inf", sign)
    exponent = max(field, 1) - t.bias - t.mantissa
    significand = fraction + ((1 << t.mantissa) if field else 0)
    return values.number(sign * significand * _power(exponent), sign)


def encode(t: Type, value: Value) -> int:
    """The nearest code, ties to even: the rules of convert."""
    sign = t.sign_mask if value.sign < 0 else 0
    if value.is_nan:
        return _nan_code(t, value.sign)
    if t.specials == "e8m0":
        return _encode_e8m0(value)
    if value.is_inf:
        return _overflow(t, sign)
    if value.is_zero:
        return 0 if t.specials == "fnuz" else sign
    code = _round_magnitude(t, value.magnitude)
    if code > t.max_finite:
        return _overflow(t, sign)
    if code == 0 and t.specials == "fnuz":
        return 0
    return sign | code


def side(t: Type, code: int, exact: Fraction) -> int:
    """Where the exact value lies: below (-1), at (0), above (1) the code. Of a value
    that overflowed the halves of a unit, and one, by which it lies outside of the
    finite numbers, with the sign of the way back; 0 where that is far."""
    rounded = decode(t, code)
    if rounded.kind not in ("inf", "nan"):
        difference = exact - rounded.exact
        return (difference > 0) - (difference < 0)
    if t.specials == "e8m0" and exact <= 0:
        return 0  # NaN stands for them, too
    last = decode(t, t.max_finite).exact
    halves = int(2 * (abs(exact) - last) / _power(floor_log2(last) - t.mantissa))
    return 0 if halves > FAR else (halves + 1) * (-1 if exact > 0 else 1)


FAR = 64  # halves of a unit; no function is allowed as much


def _power(e: int) -> Fraction:
    return Fraction(1 << e) if e >= 0 else Fraction(1, 1 << -e)


def floor_log2(x: Fraction) -> int:
    """The e with 2^e <= x < 2^(e+1)."""
    n, d = x.numerator, x.denominator
    e = n.bit_length() - d.bit_length()
    reached = n >= d << e if e >= 0 else n << -e >= d
    return e if reached else e - 1


def _round_magnitude(t: Type, x: Fraction) -> int:
    """In integers: this is where the generators spend their time."""
    e = max(floor_log2(x), t.min_exponent)
    numerator, denominator = x.numerator, x.denominator
    if e > t.mantissa:
        denominator <<= e - t.mantissa
    else:
        numerator <<= t.mantissa - e
    significand, rest = divmod(numerator, denominator)
    up = 2 * rest > denominator or (2 * rest == denominator and significand % 2 == 1)
    # A carry into the next binade is carried by the addition.
    return ((e - t.min_exponent) << t.mantissa) + significand + int(up)


def _overflow(t: Type, sign: int) -> int:
    if t.specials == "ieee":
        return sign | (t.max_finite + 1)
    if t.specials == "finite":
        return sign | t.max_finite
    return t.nan if t.specials == "fnuz" else sign | t.nan


def _nan_code(t: Type, sign: int) -> int:
    if t.specials == "finite":  # the other sign of zero (spec/ops/convert.md)
        return t.sign_mask if sign > 0 else 0
    if t.specials in ("fnuz", "e8m0"):
        return t.nan
    return t.nan | (t.sign_mask if sign < 0 else 0)


def _encode_e8m0(value: Value) -> int:
    if value.is_zero or value.sign < 0 or value.is_inf:
        return 0xFF
    e = floor_log2(value.magnitude)
    up = value.magnitude >= _power(e) * Fraction(3, 2)  # ties go up
    code = max(e + int(up) + 127, 0)
    return code if code <= 0xFE else 0xFF
