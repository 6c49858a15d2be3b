"""Quotients, signs and magnitudes of complex numbers: exact or by integer roots, with
the special values of Annex G of C (spec/ops/divide.md and its neighbours)."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

from assaygen import arrays, pools, sums, types, values
from assaygen.cases import Case, bits, interval
from assaygen.program import Program
from assaygen.streams import Stream
from assaygen.types import Type
from assaygen.values import INF, NAN, ZERO, Value, add, multiply, number

WHY = {
    "Complex": "each component lies within some units of the modulus of the result",
    "Infinite": "parts that are infinite or NaN, and divisors that are zero",
}
DRAWN = ["Complex", "Special", "Random"]
SCALE = 1 << 2600
Pair = tuple[Value, Value]


def is_finite(*parts: Value) -> bool:
    return all(x.kind in ("zero", "finite") for x in parts)


def root(x: Fraction) -> Fraction:
    """The square root; where it is irrational, a number beside it that is nearer than
    2^-1000 of it."""
    square = x.numerator * SCALE // x.denominator
    r = isqrt(square)
    exact = r * r == square and x * SCALE == square
    return Fraction(2 * r + (not exact), 2 << 1300)


def magnitude(z: Pair) -> Fraction:
    x, y = (v.exact for v in z)
    return root(x * x + y * y)


def products(z: Pair, w: Pair) -> Pair:
    """Of z and the conjugate of w, with the signs of zeros that sums have."""
    (a, b), (c, d) = z, w
    return (add(multiply(a, c), multiply(b, d)),
            add(multiply(b, c), multiply(a, d).negated()))


def quotient(z: Pair, w: Pair) -> Pair:
    """Of finite numbers, w not 0."""
    c, d = (v.exact for v in w)
    return tuple(number(v.exact / (c * c + d * d), v.sign) for v in products(z, w))


def boxed(v: Value) -> Value:
    """1 for an infinity, else 0, with its sign."""
    return number(v.sign if v.is_inf else 0, v.sign)


def scaled(v: Value, factor: Value) -> Value:
    return multiply(factor, v)


def special_quotient(z: Pair, w: Pair) -> Pair:
    """Annex G.5.1 of C."""
    (a, b), (c, d) = z, w
    if c.is_zero and d.is_zero and not (a.is_nan and b.is_nan):
        infinity = Value("inf", c.sign)
        return scaled(a, infinity), scaled(b, infinity)
    if (a.is_inf or b.is_inf) and is_finite(c, d):
        return tuple(scaled(v, INF) for v in products((boxed(a), boxed(b)), w))
    if (c.is_inf or d.is_inf) and is_finite(a, b):
        return tuple(scaled(v, ZERO) for v in products(z, (boxed(c), boxed(d))))
    return NAN, NAN


def plain_product(z: Pair, w: Pair) -> Pair:
    (a, b), (c, d) = z, w
    return (add(multiply(a, c), multiply(b, d).negated()),
            add(multiply(a, d), multiply(b, c)))


def special_product(z: Pair, w: Pair) -> Pair:
    """Annex G.5.1 of C, a part being infinite or NaN."""
    plain = plain_product(z, w)
    if not all(v.is_nan for v in plain) or not any(v.is_inf for v in (*z, *w)):
        return plain
    way = plain_product(*(
        tuple(map(boxed if any(v.is_inf for v in own) else without_nan, own))
        for own in (z, w)))
    return tuple(scaled(v, INF) for v in way)


def without_nan(v: Value) -> Value:
    return Value("zero", v.sign) if v.is_nan else v


def sign(z: Pair) -> Pair:
    if all(v.is_zero for v in z):
        return z
    size = magnitude(z)
    return tuple(number(v.exact / size, v.sign) for v in z)


def decoded(t: Type, code) -> Pair:
    return tuple(types.decode(t, part) for part in code)


def sets(t: Type, found: Pair, size: Fraction, units: int) -> list[tuple]:
    """(value, least, greatest) of each part: so many units of 2^-p of the modulus."""
    error = units * sums.unit(t) * size + types.decode(t, 1).exact
    return [(types.encode(t, v), *sums.around(t, v.exact, error)[1:]) for v in found]


def fits(t: Type, size: Fraction) -> bool:
    return size <= types.decode(t, t.max_finite).exact / 4


def of_parts(whole: Type, rows: list, what: str, op: str, statement: str,
             why: list[str]) -> Case:
    """rows: (operands, sets of both parts)."""
    inputs = [arrays.of(whole, column) for column in zip(*(row for row, _ in rows))]
    three = [arrays.of(whole, ((re[k], im[k]) for _, (re, im) in rows)) for k in range(3)]
    operands = ", ".join(f"p{k}" for k in range(len(inputs)))
    program = Program("m", inputs).root(inputs[0].shape, f"{op}({operands})")
    return Case(f"{whole.name}/{what}", statement, program, [interval(*three)], why)


def quotients():
    for whole in types.COMPLEX:
        t = types.component(whole)
        rows, special = [], []
        for row in pools.binary_codes(whole, Stream("divide", whole.name), 96):
            z, w = (decoded(t, code) for code in row)
            if not is_finite(*w) or not is_finite(*z) or all(v.is_zero for v in w):
                special.append(row)
                continue
            size = magnitude(z) / magnitude(w)
            if fits(t, size):
                rows.append((row, sets(t, quotient(z, w), size, 8)))
        yield of_parts(whole, rows, "values", "divide",
                       "quotients of finite complex numbers", DRAWN)
        yield from infinite(whole, t)


def infinite(whole: Type, t: Type):
    """Every pair of zeros, ones, infinities and NaN, in each part. What an infinite
    divisor makes is a zero of either sign."""
    some = [types.encode(t, v) for v in (
        ZERO, Value("zero", -1), number(1), number(-2), INF, Value("inf", -1), NAN)]
    numbers = [(re, im) for re in some for im in some]
    rows = dict.fromkeys((z, w) for z in numbers for w in numbers[::4] + numbers[:9])
    zeros, others = [], []
    for row in rows:
        z, w = (decoded(t, code) for code in row)
        found = tuple(types.encode(t, v) for v in special_quotient(z, w))
        if is_finite(*z) and any(v.is_inf for v in w):
            zeros.append((row, [(code, t.sign_mask, 0) for code in found]))
        elif not is_finite(*z, *w) or all(v.is_zero for v in w):
            others.append((row, found))
    yield of_parts(whole, zeros, "vanishing", "divide",
                   "finite numbers over infinities", ["Infinite"])
    inputs = [arrays.of(whole, column) for column in zip(*(row for row, _ in others))]
    program = Program("m", inputs).root(inputs[0].shape, "divide(p0, p1)")
    yield Case(f"{whole.name}/infinite", "quotients with infinities, NaN and zero divisors",
               program, [bits(arrays.of(whole, (code for _, code in others)))], ["Infinite"])


def special_products():
    """Pairs of zeros, numbers, infinities and NaN, in each part."""
    for whole in types.COMPLEX:
        t = types.component(whole)
        some = [types.encode(t, v) for v in (
            ZERO, Value("zero", -1), number(1), number(-2), INF, INF.negated(), NAN)]
        numbers = [(re, im) for re in some for im in some]
        rows = [row for row in dict.fromkeys(
                    (z, w) for z in numbers for w in numbers[::4] + numbers[:9])
                if not all(is_finite(*decoded(t, code)) for code in row)]
        found = [tuple(types.encode(t, v) for v in special_product(
            *(decoded(t, code) for code in row))) for row in rows]
        inputs = [arrays.of(whole, column) for column in zip(*rows)]
        program = Program("m", inputs).root(inputs[0].shape, "multiply(p0, p1)")
        yield Case(f"{whole.name}/infinite", "products with infinities and NaN", program,
                   [bits(arrays.of(whole, found))], ["Infinite"])


def special_sign(z: Pair) -> Pair:
    """z / |z|: what is infinite becomes NaN, and what is finite beside it 0."""
    if any(v.is_nan for v in z):
        return NAN, NAN
    return tuple(NAN if v.is_inf else number(0, v.sign) for v in z)


def one_operand(op: str, whole: Type) -> list:
    """Finite codes, whole numbers and those on the axes among them."""
    t = types.component(whole)
    stream = Stream(op, whole.name)
    found = pools.unary_codes(whole, stream, 96)
    for x, y in ((3, 4), (-5, 12), (8, -15), (1, 1), (-2, 0), (0, 7), (0, -3), (0, 0)):
        found.append(tuple(types.encode(t, number(v)) for v in (x, y)))
    return [code for code in dict.fromkeys(found) if is_finite(*decoded(t, code))]


def direction_sets(t: Type, z: Pair) -> list[tuple]:
    """The modulus of a direction is 1, but for that of 0."""
    return sets(t, sign(z), Fraction(any(not v.is_zero for v in z)), 8)


def signs():
    for whole in types.COMPLEX:
        t = types.component(whole)
        rows = [((code,), direction_sets(t, decoded(t, code)))
                for code in one_operand("sign", whole)]
        yield of_parts(whole, rows, "values", "sign",
                       "directions of finite complex numbers", DRAWN)
        some = [types.encode(t, v) for v in (ZERO, number(-2), INF, INF.negated(), NAN)]
        codes = [(re, im) for re in some for im in some
                 if not is_finite(*decoded(t, (re, im)))]
        operand = arrays.of(whole, codes)
        program = Program("m", [operand]).root(operand.shape, "sign(p0)")
        result = arrays.of(whole, (tuple(
            types.encode(t, v) for v in special_sign(decoded(t, code))) for code in codes))
        yield Case(f"{whole.name}/infinite", "directions of what is infinite or NaN",
                   program, [bits(result)], ["Infinite"])


def magnitude_set(t: Type, z: Pair) -> tuple[int, int, int]:
    """(value, least, greatest); nothing lies below 0."""
    size = magnitude(z)
    error = 4 * sums.unit(t) * size + types.decode(t, 1).exact
    value, low, high = sums.around(t, size, error)
    return value, max(low, 0) if not low & t.sign_mask else 0, high


def magnitudes():
    """The result has the type of the parts."""
    for whole in types.COMPLEX:
        t = types.component(whole)
        codes = [code for code in one_operand("abs", whole) if fits(t, magnitude(decoded(t, code)))]
        rows = [magnitude_set(t, decoded(t, code)) for code in codes]
        three = [arrays.of(t, column) for column in zip(*rows)]
        program = Program("m", [arrays.of(whole, codes)]).root(three[0].shape, "abs(p0)")
        yield Case(f"{whole.name}/values", "magnitudes of finite complex numbers", program,
                   [interval(*three)], DRAWN)
        yield beyond(whole, t)


def beyond(whole: Type, t: Type) -> Case:
    """An infinite part wins over NaN."""
    some = [types.encode(t, v) for v in (ZERO, number(1), INF, Value("inf", -1), NAN)]
    codes = [(re, im) for re in some for im in some if not is_finite(*decoded(t, (re, im)))]
    result = arrays.of(t, (types.encode(
        t, INF if any(v.is_inf for v in decoded(t, code)) else NAN) for code in codes))
    program = Program("m", [arrays.of(whole, codes)]).root(result.shape, "abs(p0)")
    return Case(f"{whole.name}/infinite", "magnitudes of what is infinite or NaN", program,
                [bits(result)], ["Infinite"])
