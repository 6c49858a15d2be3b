"""Element types, their codes and places, and rounding (spec/types.md, spec/numerics.md)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache


@dataclass(frozen=True)
class Type:
    """A row of the tables of types.md: `kind` is pred, int, float or complex, `family` says
    what the topmost codes of a float mean: ieee, fn, fnuz, e8m0, or finite."""

    name: str
    bits: int
    kind: str
    signed: bool = False
    mantissa: int = 0
    bias: int = 0
    family: str = ""

    @property
    def digits(self) -> int:
        return 1 if self.kind == "pred" else max(1, (self.bits + 3) // 4)

    @property
    def precision(self) -> int:
        return self.mantissa + 1

    @property
    def has_nan(self) -> bool:
        return self.kind == "float" and self.family != "finite"

    @property
    def has_infinity(self) -> bool:
        return self.family == "ieee"

    @property
    def has_negative_zero(self) -> bool:
        return self.family in ("ieee", "fn", "finite")

    @property
    def top(self) -> int:
        """The sign bit of a float; 0 where there is none."""
        return 0 if self.family == "e8m0" else 1 << (self.bits - 1)

    @property
    def unit(self) -> Fraction:
        """u: half the distance from 1 to the next code."""
        return Fraction(1, 1 << self.precision)

    @property
    def least_exponent(self) -> int:
        """The exponent of the smallest normal number."""
        return -self.bias if self.family == "e8m0" else 1 - self.bias

    @property
    def least_normal(self) -> Fraction:
        return power_of_two(self.least_exponent)

    @property
    def least_positive(self) -> Fraction:
        return decode(self, 0 if self.family == "e8m0" else 1).value

    @property
    def greatest_code(self) -> int:
        """The largest finite number's."""
        field = (1 << (self.bits - 1)) - 1
        if self.family == "ieee":
            return (field >> self.mantissa << self.mantissa) - 1
        return {"fn": field - 1, "fnuz": field, "finite": field, "e8m0": 0xFE}[self.family]

    @property
    def greatest(self) -> Fraction:
        return decode(self, self.greatest_code).value

    @property
    def greatest_exponent(self) -> int:
        return exponent_of(self.greatest)

    @property
    def infinity(self) -> int:
        return self.greatest_code + 1

    @property
    def nan(self) -> int:
        """The canonical quiet NaN."""
        if self.family == "ieee":
            return self.infinity | 1 << max(self.mantissa - 1, 0)
        return {"fn": self.top - 1, "fnuz": self.top, "e8m0": 0xFF}[self.family]


@dataclass(frozen=True)
class Real:
    """What a code of a float means; zeros, infinities and NaN have a sign, too."""

    kind: str  # number, infinite or nan
    value: Fraction = Fraction(0)
    negative: bool = False

    @property
    def is_number(self) -> bool:
        return self.kind == "number"

    @property
    def is_zero(self) -> bool:
        return self.kind == "number" and self.value == 0


NAN = Real("nan")


def number(x: Fraction | int, negative_zero: bool = False) -> Real:
    x = Fraction(x)
    return Real("number", x, negative_zero if x == 0 else x < 0)


def infinity(negative: bool) -> Real:
    return Real("infinite", Fraction(0), negative)


@lru_cache(maxsize=None)
def power_of_two(e: int) -> Fraction:
    return Fraction(1 << e) if e >= 0 else Fraction(1, 1 << -e)


def exponent_of(x: Fraction) -> int:
    """floor(log2 |x|)."""
    x = abs(x)
    e = x.numerator.bit_length() - x.denominator.bit_length()
    return e if x >= power_of_two(e) else e - 1


def _float(name: str, mantissa: int, bias: int, family: str) -> Type:
    return Type(name, _WIDTHS[name], "float", True, mantissa, bias, family)


_WIDTHS = {
    "f4e2m1fn": 4, "f6e2m3fn": 6, "f6e3m2fn": 6, "f8e3m4": 8, "f8e4m3": 8, "f8e4m3b11fnuz": 8,
    "f8e4m3fn": 8, "f8e4m3fnuz": 8, "f8e5m2": 8, "f8e5m2fnuz": 8, "f8e8m0fnu": 8,
    "bf16": 16, "f16": 16, "f32": 32, "f64": 64,
}
_FLOATS = [
    ("f4e2m1fn", 1, 1, "finite"), ("f6e2m3fn", 3, 1, "finite"), ("f6e3m2fn", 2, 3, "finite"),
    ("f8e3m4", 4, 3, "ieee"), ("f8e4m3", 3, 7, "ieee"), ("f8e4m3b11fnuz", 3, 11, "fnuz"),
    ("f8e4m3fn", 3, 7, "fn"), ("f8e4m3fnuz", 3, 8, "fnuz"), ("f8e5m2", 2, 15, "ieee"),
    ("f8e5m2fnuz", 2, 16, "fnuz"), ("f8e8m0fnu", 0, 127, "e8m0"), ("bf16", 7, 127, "ieee"),
    ("f16", 10, 15, "ieee"), ("f32", 23, 127, "ieee"), ("f64", 52, 1023, "ieee"),
]
TYPES: dict[str, Type] = {"pred": Type("pred", 1, "pred")}
for _bits in (1, 2, 4, 8, 16, 32, 64):
    TYPES[f"s{_bits}"] = Type(f"s{_bits}", _bits, "int", True)
    TYPES[f"u{_bits}"] = Type(f"u{_bits}", _bits, "int")
for _row in _FLOATS:
    TYPES[_row[0]] = _float(*_row)
TYPES["c64"] = Type("c64", 64, "complex")
TYPES["c128"] = Type("c128", 128, "complex")
PARTS = {"c64": TYPES["f32"], "c128": TYPES["f64"]}
FLOATS = [t for t in TYPES.values() if t.kind == "float"]
INTEGERS = [t for t in TYPES.values() if t.kind == "int"]


@lru_cache(maxsize=1 << 16)
def decode(t: Type, code: int) -> Real:
    """What the code of a float means."""
    negative = bool(code & t.top)
    magnitude = code & ~t.top
    if t.family == "e8m0":
        return NAN if code == 0xFF else number(power_of_two(code - t.bias))
    if t.family == "fnuz" and code == t.top:
        return NAN
    if t.family == "fn" and magnitude == t.top - 1:
        return Real("nan", negative=negative)
    field = magnitude >> t.mantissa
    low = magnitude & ((1 << t.mantissa) - 1)
    if t.family == "ieee" and field == (t.top >> t.mantissa) - 1:
        return Real("nan", negative=negative) if low else infinity(negative)
    whole = low | (1 << t.mantissa if field else 0)
    value = whole * power_of_two(max(field, 1) - t.bias - t.mantissa)
    return Real("number", -value if negative else value, negative)


def is_signaling(t: Type, code: int) -> bool:
    """Whether it is a NaN whose topmost bit of the mantissa is not set."""
    if t.family != "ieee" or decode(t, code).kind != "nan":
        return False
    return not code & 1 << t.mantissa - 1


def quieted(t: Type, code: int) -> int:
    """The NaN with its sign and payload that is quiet."""
    return code | 1 << t.mantissa - 1 if is_signaling(t, code) else code


def integer(t: Type, code: int) -> int:
    """What the code of an integer or pred means."""
    top = 1 << (t.bits - 1)
    return code - 2 * top if t.signed and code & top else code


def wrapped(t: Type, x: int) -> int:
    """The code of an integer, modulo the width."""
    return x & ((1 << t.bits) - 1)


def unit_in_last_place(t: Type, x: Fraction) -> Fraction:
    e = exponent_of(x) if x else t.least_exponent
    return power_of_two(max(e, t.least_exponent) - t.mantissa)


def _nearest(t: Type, magnitude: Fraction) -> int:
    """The code of the nearest number, as if there were larger ones than the greatest."""
    if t.family == "e8m0":
        e = max(exponent_of(magnitude), -t.bias)
        return e + t.bias + (magnitude >= 3 * power_of_two(e - 1))
    step = unit_in_last_place(t, magnitude)
    count = magnitude / step
    whole = count.numerator // count.denominator
    rest = count - whole
    whole += rest > Fraction(1, 2) or (rest == Fraction(1, 2) and whole & 1)
    e = exponent_of(step) + t.mantissa  # of the binade
    return whole + ((e - t.least_exponent) << t.mantissa)


def overflowed(t: Type, negative: bool) -> int:
    """What stands for a number beyond the greatest."""
    if t.family == "ieee":
        return t.infinity | (t.top if negative else 0)
    if t.family == "finite":
        return t.greatest_code | (t.top if negative else 0)
    return t.nan | (t.top if negative and t.family == "fn" else 0)


def encode(t: Type, x: Real) -> int:
    """The code of a value, rounded once, to nearest."""
    sign = t.top if x.negative else 0
    if x.kind == "nan":
        if t.family == "finite":
            return 0 if x.negative else t.top
        return t.nan | (sign if t.family in ("ieee", "fn") else 0)
    if t.family == "e8m0" and (x.negative or x.is_zero):
        return t.nan
    if x.kind == "infinite":
        return overflowed(t, x.negative)
    if x.value == 0:
        return sign if t.has_negative_zero else 0
    code = _nearest(t, abs(x.value))
    if code > t.greatest_code:
        return overflowed(t, x.negative)
    return code | (sign if code or t.has_negative_zero else 0)


def place(t: Type, code: int) -> int:
    """Where a number stands among its type's: neighbours are 1 apart, +0 is at 0 and -0,
    where the type has it, at -1. Integers stand at their values."""
    if t.kind != "float":
        return integer(t, code)
    if not code & t.top:
        return code
    return -(code & ~t.top) - t.has_negative_zero


def code_at(t: Type, where: int) -> int:
    """The code at a place."""
    if t.kind != "float":
        return wrapped(t, where)
    return where if where >= 0 else (-where - t.has_negative_zero) | t.top


def last_place(t: Type) -> int:
    """The place of infinity, or of the greatest number."""
    if t.kind != "float":
        return integer(t, (1 << (t.bits - t.signed)) - 1)
    return t.greatest_code + t.has_infinity


def first_place(t: Type) -> int:
    if t.kind != "float":
        return integer(t, 1 << (t.bits - 1)) if t.signed else 0
    return 0 if t.family == "e8m0" else -last_place(t) - t.has_negative_zero


def _magnitude_code(t: Type, x: Fraction, up: bool) -> int:
    """The code of the number next to a positive x, above or below it, as if there were larger
    numbers than the greatest."""
    step = unit_in_last_place(t, x)
    count = x / step
    whole = -(-count.numerator // count.denominator) if up else (
        count.numerator // count.denominator)
    return whole + (exponent_of(step) + t.mantissa - t.least_exponent << t.mantissa)


def place_from(t: Type, x: Fraction) -> int:
    """The least place of a number that is not below x, as if there were larger ones than the
    greatest; where x is 0, -0's."""
    if t.family == "e8m0":
        return _place_above_e8m0(t, x)
    if x > 0:
        return _magnitude_code(t, x, True)
    return -t.has_negative_zero - (_magnitude_code(t, -x, False) if x else 0)


def place_to(t: Type, x: Fraction) -> int:
    """The greatest place of a number that is not above x, in the same way; -1 without one."""
    if t.family == "e8m0":
        above = _place_above_e8m0(t, x)
        return above if power_of_two(above - t.bias) == x else above - 1
    if x >= 0:
        return _magnitude_code(t, x, False) if x else 0
    return -t.has_negative_zero - _magnitude_code(t, -x, True)


def _place_above_e8m0(t: Type, x: Fraction) -> int:
    if x <= t.least_positive:
        return 0
    e = exponent_of(x)
    return e + t.bias + (power_of_two(e) != x)
