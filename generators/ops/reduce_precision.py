"""reduce-precision: exact rounding of mantissas, then of exponents
(spec/ops/reduce_precision.md)."""

from fractions import Fraction

from assaygen import arrays, types, values
from assaygen.cases import without
from assaygen.elements import elementwise
from assaygen.values import Value

WHY = without(elementwise.WHY, "Drawn") | elementwise.REJECTED | {
    "Tie": "numbers half way between two of the narrower format, and their neighbours",
    "Range": "numbers at the ends of the narrower format's exponents, and their "
             "neighbours; below its normal numbers all is zero",
    "OwnReading": "a subnormal number that the narrower format has among its normal ones, "
                  "or rounds at another place: no other case has one",
    "Attribute": "fields as narrow as allowed, and wider than any format's",
}
FIELDS = [(5, 10), (8, 7), (4, 3), (5, 2), (2, 1), (8, 0), (3, 52)]
NARROW_FIELDS = [(4, 3), (3, 2), (2, 1), (8, 0)]
EXTREMES = [(1, 0), (1, 23), (64, 64), (5, 1 << 40), (1 << 40, 1)]


def power(e: int) -> Fraction:
    return Fraction(2) ** e


def mantissa_rounded(x: Fraction, bits: int, least: int) -> Fraction:
    """To `bits` bits behind the leading one, ties to even; what is below 2^least has it
    there."""
    quantum = power(max(types.floor_log2(abs(x)), least) - bits)
    return round(x / quantum) * quantum  # of a Fraction: ties to even


def is_open(t, value: Value, exponent_bits: int, mantissa_bits: int) -> bool:
    """Whether it is rounded, and at another place, where the narrower format has more
    exponents than the type: by its definition as a conversion and back, not as the page
    has it."""
    if value.kind != "finite" or exponent_bits <= t.exponent or mantissa_bits >= t.mantissa:
        return False
    least = 2 - 2 ** (min(exponent_bits, 20) - 1)
    return mantissa_rounded(value.exact, mantissa_bits, t.min_exponent) != mantissa_rounded(
        value.exact, mantissa_bits, least)


def reduced(t, value: Value, exponent_bits: int, mantissa_bits: int) -> Value:
    if value.kind != "finite":
        return value
    x = value.exact if mantissa_bits >= t.mantissa else mantissa_rounded(
        value.exact, mantissa_bits, t.min_exponent)
    if x == 0 or exponent_bits >= t.exponent:
        return values.number(x, value.sign)
    bias = 2 ** (exponent_bits - 1) - 1
    e = types.floor_log2(abs(x))
    if e > bias:
        return Value("inf", value.sign)
    return Value("zero", value.sign) if e < 1 - bias else values.number(x)


def attributes(exponent_bits, mantissa_bits):
    return f", exponent_bits={exponent_bits}, mantissa_bits={mantissa_bits}"


def edges(t, exponent_bits, mantissa_bits):
    """Codes at ties, and at the ends of the exponents, with both signs."""
    half = 1 << max(t.mantissa - mantissa_bits - 1, 0)
    bias = 2 ** (min(exponent_bits, 20) - 1) - 1
    places = [(t.bias << t.mantissa) + k * half for k in (1, 3, 4, 5)]
    for e in (-bias - 1, -bias, 1 - bias, bias, bias + 1):
        field = min(max(e + t.bias, 0), (t.max_finite >> t.mantissa) + 1)
        places += [field << t.mantissa, (field << t.mantissa) - half]
    places += [half, 2 * half, 3 * half]  # among subnormal numbers
    near = [p + d for p in places for d in (-1, 0, 1) if 0 <= p + d <= t.max_finite]
    return [(code | sign,) for code in dict.fromkeys(near) for sign in (0, t.sign_mask)]


def of_fields(t, e, m, why=()):
    def rule(t, code):
        if is_open(t, types.decode(t, code), e, m):
            return None
        value = reduced(t, types.decode(t, code), e, m)
        return None if value.is_nan and t.specials == "finite" else types.encode(t, value)

    extra, tag = attributes(e, m), f"e{e}m{m}_"
    yield from elementwise.exact("reduce-precision", [t], 1, rule, extra=extra, tag=tag,
                                 count=24)
    if t.bits > 8:
        yield elementwise.chosen("reduce-precision", f"{tag}edges",
                                 f"{e} bits of exponent and {m} of mantissa at their edges",
                                 t, edges(t, e, m), rule, ["Tie", "Range", *why], extra=extra)


def own_reading():
    """1.111b * 2^-3 of f8e3m4, which formats of four bits of exponent have, too."""
    t = types.BY_NAME["f8e3m4"]
    yield elementwise.chosen(
        "reduce-precision", "e4m3_own_reading", "rounded at the place of its mantissa bits",
        t, [(0x0F,), (0x8F,)], lambda t, code: types.encode(t, reduced(
            t, types.decode(t, code), 4, 3)), ["OwnReading"], extra=attributes(4, 3))


def refusals():
    for t in (types.S32, types.PRED, types.C64):
        yield elementwise.wrong_type("reduce-precision", t, 1, "reduce-precision.C1",
                                     attributes(5, 10))
    x = [arrays.iota(types.F32, (2,))]
    for e, m, label in ((0, 10, "C2"), (-1, 10, "C2"), (5, -1, "C3")):
        name = f"e{e}m{m}".replace("-", "minus_")
        yield elementwise.refused("reduce-precision", name, "a field is too narrow", x,
                                  types.F32, f"reduce-precision.{label}", attributes(e, m))


def cases():
    for t in types.FLOATS:
        for e, m in FIELDS if t.bits > 8 else NARROW_FIELDS:
            yield from of_fields(t, e, m)
    for e, m in EXTREMES:
        yield from of_fields(types.F32, e, m, ["Attribute"])
    yield from elementwise.shapes(
        "reduce-precision", types.F32, 1,
        lambda t, code: types.encode(t, reduced(t, types.decode(t, code), 5, 10)),
        extra=attributes(5, 10))
    yield from own_reading()
    yield from refusals()
