"""Codes of numbers: what they stand for, and which is nearest to a number."""

from dataclasses import dataclass
from fractions import Fraction


class Unknown(Exception):
    """The oracle does not know."""


class LeftOpen(Unknown):
    """There is a value, and specifications leave open which."""


@dataclass(frozen=True)
class Format:
    """Sign, exponent and mantissa; `special` is what the last codes are: "ieee" infinity and
    NaNs, "fn" one NaN of each sign, "fnuz" NaN in the place of -0, "finite" numbers, "e8m0"
    NaN, without sign and zero."""

    exponent: int
    mantissa: int
    bias: int
    special: str

    @property
    def signed(self):
        return self.special != "e8m0"

    @property
    def width(self):
        return self.exponent + self.mantissa + self.signed

    @property
    def sign(self):
        return 1 << (self.width - 1) if self.signed else 0

    @property
    def precision(self):
        return self.mantissa + 1

    @property
    def least(self):
        """The smallest number above zero."""
        shift = 0 if self.special == "e8m0" else 1
        return Fraction(2) ** (shift - self.bias - self.mantissa)

    @property
    def normal(self):
        """The smallest normal number."""
        return Fraction(2) ** ((0 if self.special == "e8m0" else 1) - self.bias)

    @property
    def last(self):
        """The code of the largest number."""
        top = (1 << (self.exponent + self.mantissa)) - 1
        if self.special == "ieee":
            return (((1 << self.exponent) - 1) << self.mantissa) - 1
        return top - (self.special in ("fn", "e8m0"))


@dataclass(frozen=True)
class Number:
    """A number, an infinity or NaN; `negative` is the sign, that of a zero, too."""

    kind: str  # "number", "infinity", "nan"
    value: Fraction = Fraction(0)
    negative: bool = False

    @property
    def is_nan(self):
        return self.kind == "nan"


NAN = Number("nan")
FORMATS = {
    "f64": Format(11, 52, 1023, "ieee"), "f32": Format(8, 23, 127, "ieee"),
    "f16": Format(5, 10, 15, "ieee"), "bf16": Format(8, 7, 127, "ieee"),
    "f8e5m2": Format(5, 2, 15, "ieee"), "f8e4m3": Format(4, 3, 7, "ieee"),
    "f8e3m4": Format(3, 4, 3, "ieee"), "f8e4m3fn": Format(4, 3, 7, "fn"),
    "f8e4m3b11fnuz": Format(4, 3, 11, "fnuz"), "f8e4m3fnuz": Format(4, 3, 8, "fnuz"),
    "f8e5m2fnuz": Format(5, 2, 16, "fnuz"), "f8e8m0fnu": Format(8, 0, 127, "e8m0"),
    "f6e2m3fn": Format(2, 3, 1, "finite"), "f6e3m2fn": Format(3, 2, 3, "finite"),
    "f4e2m1fn": Format(2, 1, 1, "finite"),
}
PARTS = {"c64": "f32", "c128": "f64"}


def infinity(negative):
    return Number("infinity", negative=negative)


def number(value, negative=None):
    return Number("number", Fraction(value), value < 0 if negative is None else negative)


def is_integer(kind):
    return kind[0] in "su" and kind[1:].isdigit()


def width(kind):
    return 1 if kind == "pred" else FORMATS[kind].width if kind in FORMATS else int(kind[1:])


def integer(kind, code):
    bits = width(kind)
    return code - (1 << bits) if kind[0] == "s" and code >> (bits - 1) else code


def decode(kind, code):
    f = FORMATS[kind]
    magnitude, negative = code & ~f.sign if f.sign else code, bool(code & f.sign)
    if f.special == "fnuz" and code == f.sign:
        return NAN
    if magnitude > f.last:
        return infinity(negative) if f.special == "ieee" and magnitude == f.last + 1 else NAN
    field, low = magnitude >> f.mantissa, magnitude & ((1 << f.mantissa) - 1)
    if f.special == "e8m0":
        return number(Fraction(2) ** (field - f.bias), False)
    if field == 0:
        return number(low * f.least * (-1 if negative else 1), negative)
    value = Fraction(2) ** (field - f.bias - f.mantissa) * (low + (1 << f.mantissa))
    return number(-value if negative else value, negative)


def is_signaling(kind, code):
    f = FORMATS[kind]
    return decode(kind, code).is_nan and f.special == "ieee" and not (
        code >> (f.mantissa - 1)) & 1


def binade(magnitude):
    """The e of 2^e <= magnitude < 2^(e + 1)."""
    e = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    return e if Fraction(2) ** e <= magnitude else e - 1


def encode(kind, value):
    """The code of the nearest number, ties to even. Unknown where a format has none."""
    f = FORMATS[kind]
    if value.is_nan or (value.kind == "infinity" and f.special != "ieee"):
        raise Unknown("a value that the format has no single code for")
    sign = f.sign if value.negative and f.signed else 0
    if value.kind == "infinity":
        return sign | (f.last + 1)
    magnitude = abs(value.value)
    if f.special == "e8m0" or (value.value == 0 and f.special == "fnuz"):
        return encode_odd(f, value)
    if magnitude == 0:
        return sign
    quantum = max(Fraction(2) ** (binade(magnitude) - f.mantissa), f.least)
    steps = round(magnitude / quantum)  # of a Fraction: ties to even
    code = steps
    if quantum > f.least:
        code += (binade(quantum / f.least)) << f.mantissa
    if code > f.last:
        if f.special != "ieee":
            raise Unknown("a number beyond a format without infinity")
        return sign | (f.last + 1)
    return 0 if f.special == "fnuz" and code == 0 else sign | code


def encode_odd(f, value):
    """Of a format without zero or -0."""
    if f.special == "fnuz":
        return 0
    if value.value <= 0:
        raise Unknown("a number that is not positive, in a format that has no other")
    exponent = binade(value.value)
    below = Fraction(2) ** exponent
    if value.value - below == below / 2:
        raise Unknown("half way between numbers without a last bit to be even")
    code = exponent + f.bias + (value.value - below > below / 2)
    if not 0 <= code <= f.last:
        raise Unknown("a number beyond the ends of the format")
    return code


def place(kind, code):
    """Codes in the order of their numbers; both zeros have one place."""
    f = FORMATS[kind]
    if not f.signed:
        return code
    return -(code & ~f.sign) if code & f.sign else code


def spelled(kind, code):
    """A number with its bits."""
    digits = f"{code:0{(width(kind) + 3) // 4}x}"
    if kind in FORMATS:
        value = decode(kind, code)
        if value.kind != "number":
            word = "nan" if value.is_nan else "-inf" if value.negative else "inf"
        else:
            word = f"{float(value.value):.9g}" if abs(value.value) >= Fraction(2) ** -1022 or (
                value.value == 0) else f"{float(value.value):.4g}"
            word = "-0" if value.value == 0 and value.negative else word
    else:
        word = str(integer(kind, code))
    return f"{word} ({digits})"
