"""fft: direct sums in high precision, rounded once (spec/ops/fft.md)."""

import itertools
import math
from fractions import Fraction
from functools import lru_cache

import mpmath

from assaygen import arrays, functions, refused, types, values
from assaygen.arrays import Array
from assaygen.cases import Case, bits, interval, rejected
from assaygen.program import Program
from assaygen.streams import Stream

C128 = types.BY_NAME["c128"]
WHY = {
    "Sums": "every bin of random numbers, many lengths",
    "Zeros": "sums that are exactly zero, which rounding errors hide",
    "Ties": "sums half way between two codes",
    "Dimensions": "two and three transformed dimensions, batches",
    "HalfSpectrum": "imaginary parts of the first and the middle bin have no effect",
    "Special": "infinities and NaN reach every bin of their transform, and no other",
    "Lengths": "operands longer or shorter than the transform; zero lengths",
    "Rejected": "a rule of the page is violated",
}
COARSE = 400  # bits behind the point; they decide how most sums are rounded
SMALLEST = 200  # every number is a multiple of 2^-SMALLEST


def real_value(code, t):
    return types.decode(t, code).exact


def proved(order):
    """The bits behind the point that decide every sum.

    Twice a part of a sum, and its distance from a number half way between codes,
    is 2^-110 times an integer of a cyclotomic field whose conjugates are below 2^71.
    Where it is not zero, the product of all conjugates is an integer: it is not
    below 2^-(110 + 71 * degree).
    """
    whole = math.lcm(order, 4)
    degree = sum(math.gcd(k, whole) == 1 for k in range(whole))
    return max(75 * degree + 200, 1500)


@lru_cache(maxsize=64)
def roots(order, precision):
    """The roots of unity times 2^precision, as pairs of integers."""
    with mpmath.workprec(precision):
        angles = [mpmath.mpf(2 * k) / order for k in range(order)]
        return [tuple(int(mpmath.nint(mpmath.ldexp(f(x), precision)))
                      for f in (mpmath.cospi, mpmath.sinpi)) for x in angles]


def transform(numbers, lengths, inverse, precision):
    """The sums, as pairs of Fractions that are close to the parts."""
    order = math.lcm(*lengths)
    table = roots(order, precision)
    places = list(itertools.product(*map(range, lengths)))
    divisor = (len(places) if inverse else 1) << (precision + SMALLEST)
    whole = [(int(a * 2**SMALLEST), int(b * 2**SMALLEST)) for a, b in numbers]
    for j in places:
        real = imaginary = 0
        for t, (a, b) in zip(places, whole):
            turns = sum(x * y * (order // n) for x, y, n in zip(j, t, lengths))
            cosine, sine = table[(turns if inverse else -turns) % order]
            real += a * cosine - b * sine
            imaginary += a * sine + b * cosine
        yield Fraction(real, divisor), Fraction(imaginary, divisor)


def rounded(t, x, close, sure):
    """The code of the number that x approximates; None where only zero, or a number
    half way between codes, lies so close, and that is not sure."""
    if abs(x) < close:
        return 0 if sure else None
    low, high = (types.encode(t, values.number(x + d)) for d in (-close, close))
    if low != high:
        if not sure:
            return None
        low = types.encode(t, values.number(Fraction(round(x * 2**1200), 2**1200)))
    return low


def root_below(x):
    """The square root to 60 bits, rounded up."""
    scaled = x * 4**1100
    return Fraction(math.isqrt(int(scaled)) + 1, 2**1100) * (1 + Fraction(1, 2**60))


def bound(t, numbers, lengths, inverse):
    """How far a part may be off."""
    n = math.prod(lengths)
    rest = n
    for p in (2, 3, 5, 7):
        while rest % p == 0:
            rest //= p
    squares = sum(a * a + b * b for a, b in numbers)
    norm = root_below(squares / n if inverse else squares * n)
    steps = max(Fraction(1), Fraction(math.log2(n)) if n > 1 else Fraction(1))
    unit = Fraction(1, 2**(t.mantissa + 1))
    least = real_value(1, t)
    return (8 if rest == 1 else 30) * unit * steps * norm + 2 * n * least


def ends(t, x, error):
    """The codes around x that lie within the error."""
    low, high = (types.encode(t, values.number(x + d)) for d in (-error, error))
    return inward(t, low, x - error, 1), inward(t, high, x + error, -1)


def inward(t, code, limit, direction):
    """The code itself, or its neighbour if it lies beyond the limit."""
    value = real_value(code, t)
    if (value - limit) * direction >= 0:
        return code
    if value == 0:
        return 1 if direction > 0 else t.sign_mask | 1
    away = (value > 0) == (direction > 0)
    return code + 1 if away else code - 1


def full(numbers, lengths):
    """The whole spectrum of a half one."""
    half = (*lengths[:-1], lengths[-1] // 2 + 1)
    at = dict(zip(itertools.product(*map(range, half)), numbers))
    for j in itertools.product(*map(range, lengths)):
        if j in at:
            yield at[j]
        else:
            a, b = at[tuple((n - k) % n for n, k in zip(lengths, j))]
            yield a, -b


def half_indices(lengths):
    for i, j in enumerate(itertools.product(*map(range, lengths))):
        if j[-1] <= lengths[-1] // 2:
            yield i


def batches(kind, operand, lengths):
    """The numbers of each transform."""
    dims = list(lengths)
    if kind == "IRFFT":
        dims[-1] = lengths[-1] // 2 + 1
    size = math.prod(dims)
    part = types.component(operand.type) if operand.type.kind == "complex" else operand.type
    pairs = [(real_value(c[0], part), real_value(c[1], part)) if part is not operand.type
             else (real_value(c, part), Fraction(0)) for c in operand.codes]
    for i in range(0, len(pairs), size):
        yield pairs[i:i + size]


def result_sets(kind, operand, lengths, part):
    inverse = kind in ("IFFT", "IRFFT")
    for numbers in batches(kind, operand, lengths):
        whole = list(full(numbers, lengths)) if kind == "IRFFT" else numbers
        chosen = list(half_indices(lengths)) if kind == "RFFT" else range(math.prod(lengths))
        copies = 2 if kind == "IRFFT" else 1  # half of them are given
        error = bound(part, numbers * copies, lengths, inverse)
        for pair in sums(part, whole, lengths, inverse, chosen):
            codes = [(code, *ends(part, x, error)) for code, x in pair]
            yield codes[:1] if kind == "IRFFT" else codes


def sums(part, numbers, lengths, inverse, chosen):
    """For both parts of the chosen bins the code, and a number close to the part."""
    for sure, bits_ in ((False, COARSE), (True, proved(math.lcm(*lengths)))):
        close = Fraction(1, 1 << bits_)
        found = list(transform(numbers, lengths, inverse, bits_ + SMALLEST))
        rows = [[(rounded(part, x, close, sure), x) for x in found[i]] for i in chosen]
        if sure or all(code is not None for row in rows for code, _ in row):
            break
    return rows


def text(kind, lengths):
    return f"fft(p0), fft_type={kind}, fft_length={{{','.join(map(str, lengths))}}}"


def result_array(kind, operand, lengths, codes):
    part = types.component(operand.type) if operand.type.kind == "complex" else operand.type
    dims = list(operand.dims)
    if kind == "RFFT":
        dims[-1] = lengths[-1] // 2 + 1
    if kind == "IRFFT":
        dims[-1] = lengths[-1]
        return Array(part, tuple(dims), tuple(codes))
    t = types.C64 if part is types.F32 else C128
    return Array(t, tuple(dims), tuple(codes))


def case(kind, what, operand, lengths, why):
    part = types.component(operand.type) if operand.type.kind == "complex" else operand.type
    rows = list(result_sets(kind, operand, lengths, part))
    sets = []
    for which in range(3):
        codes = [tuple(c[which] for c in row) for row in rows]
        if kind == "IRFFT":
            codes = [c[0] for c in codes]
        sets.append(result_array(kind, operand, lengths, codes))
    program = Program("m", [operand]).root(sets[0].shape, text(kind, lengths))
    return Case(f"{operand.type.name}/{kind.lower()}_{what}",
                f"{kind} of {what.replace('_', ' ')}", program, [interval(*sets)], [why])


def operand_of(kind, t, dims, lengths, draw):
    """Random numbers for the kind: real ones, or complex ones of components t."""
    if kind == "RFFT":
        return arrays.build(t, dims, lambda _: draw())
    if kind == "IRFFT":
        dims = (*dims[:-1], lengths[-1] // 2 + 1)
    c = types.C64 if t is types.F32 else C128
    return arrays.build(c, dims, lambda _: (draw(), draw()))


SHORT = (1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 16, 30, 31, 32)
KINDS = ("FFT", "IFFT", "RFFT", "IRFFT")


def near_one(t, stream):
    one = (t.bias - 1) << t.mantissa
    return lambda: one + stream.below(1 << t.mantissa) | (t.sign_mask if stream.bits(1) else 0)


def small_integer(t, stream):
    return lambda: arrays.from_number(t, stream.below(9) - 4)


def random_sums():
    for kind, t in itertools.product(KINDS, (types.F32, types.F64)):
        for n in SHORT:
            stream = Stream("fft", kind, t.name, n)
            operand = operand_of(kind, t, (n,), (n,), near_one(t, stream))
            yield case(kind, f"{n}", operand, (n,), "Sums")
            operand = operand_of(kind, t, (n,), (n,), small_integer(t, stream))
            yield case(kind, f"{n}_integers", operand, (n,), "Zeros")


def every_length():
    """A complex and a real kind of every other length up to 64, and of some primes."""
    for n in [*range(1, 65), 67, 97, 101, 127]:
        for k, kinds in enumerate((KINDS[:2], KINDS[2:]) if n not in SHORT else ()):
            stream = Stream("fft", "length", n, k)
            kind, t = stream.choice(kinds), stream.choice((types.F32, types.F64))
            operand = operand_of(kind, t, (n,), (n,), near_one(t, stream))
            yield case(kind, f"{n}", operand, (n,), "Sums")


def dimensions():
    for kind, t in itertools.product(KINDS, (types.F32, types.F64)):
        for dims, lengths in (((2, 3, 4), (4,)), ((3, 4), (3, 4)), ((2, 2, 3), (2, 3)),
                              ((2, 3, 5), (2, 3, 5)), ((2, 2, 1, 6), (2, 1, 6))):
            name = "x".join(map(str, dims)) + "_by_" + "x".join(map(str, lengths))
            stream = Stream("fft", kind, t.name, name)
            operand = operand_of(kind, t, dims, lengths, near_one(t, stream))
            yield case(kind, name, operand, lengths, "Dimensions")


def random_axes():
    """Two and three transformed dimensions of few numbers, some with a batch."""
    for number in range(32):
        stream = Stream("fft", "axes", number)
        lengths = (0,)
        while not 0 < math.prod(lengths) <= 20:
            lengths = tuple(1 + stream.below(7) for _ in range(2 + number % 2))
        dims = (1 + stream.below(2), *lengths) if number % 4 > 1 else lengths
        kind, t = KINDS[number // 4 % 4], (types.F32, types.F64)[number // 16]
        operand = operand_of(kind, t, dims, lengths, near_one(t, stream))
        name = "x".join(map(str, dims)) + "_by_" + "x".join(map(str, lengths))
        yield case(kind, f"{name}_{number:02}", operand, lengths, "Dimensions")


def ties():
    """Sums of two numbers that lie half way between codes: at index 0 of 2, and
    of 6 where the others are zero."""
    for t, c in ((types.F32, types.C64), (types.F64, C128)):
        one = t.bias << t.mantissa
        half = (t.bias - t.mantissa - 1) << t.mantissa  # half a step of 1
        for n in (2, 6):
            codes = [(one, one | 1)] + [(0, 0)] * (n - 2) + [(half, half | t.sign_mask)]
            yield case("FFT", f"{n}_half_way", Array(c, (n,), tuple(codes)), (n,), "Ties")


def overflows():
    """Bins that are 2c in size, from sums that reach 3c, which is beyond the type."""
    for t, c in ((types.F32, types.C64), (types.F64, C128)):
        code = types.encode(t, values.number(types.decode(t, t.max_finite).exact * 7 // 16))
        codes = tuple((code | sign, 0) for sign in (0, 0, 0, t.sign_mask))
        operand = Array(c, (4,), codes)
        sums_ = [tuple(code for code, *_ in row)
                 for row in result_sets("FFT", operand, (4,), t)]
        program = Program("m", [operand]).root(operand.shape, text("FFT", (4,)))
        yield Case(f"{c.name}/fft_4_overflowing", "the magnitudes add up to infinity", program,
                   [open_from(c, (4,), sums_, len(sums_))], ["Special"])


def open_from(c, dims, rows, count, ends=()):
    """The first `count` elements may be anything; `ends` are those of the others."""
    t = types.component(c)
    inf = t.max_finite + 1
    low, high = ([(x, x)] * count + [tuple(part[k] for part in row) for row in ends]
                 for k, x in ((1, inf | t.sign_mask), (2, inf)))
    arrays_ = (Array(c, dims, tuple(codes)) for codes in (rows, low, high))
    return interval(*arrays_, "11" * count + "00" * len(ends))


def zeros():
    for t in (types.F32, types.F64):
        tenth = types.encode(t, values.number(Fraction(1, 10)))
        for n in (3, 5, 6, 7, 12, 15, 16):
            yield case("RFFT", f"{n}_equal", Array(t, (n,), (tenth,) * n), (n,), "Zeros")
            codes = tuple(tenth | (t.sign_mask if i % 2 else 0) for i in range(n))
            yield case("RFFT", f"{n}_alternating", Array(t, (n,), codes), (n,), "Zeros")


def specials():
    for t, c in ((types.F32, types.C64), (types.F64, C128)):
        inf, nan = t.max_finite + 1, t.nan
        one = t.bias << t.mantissa
        for name, bad in (("infinity", (inf, 0)), ("nan", (one, nan))):
            operand = Array(c, (2, 4), (((one, 0),) * 3 + (bad,) + ((one, 0), *((0, 0),) * 3)))
            clean = Array(c, (4,), operand.codes[4:])
            rows = list(result_sets("FFT", clean, (4,), t))
            values_ = [(nan, nan)] * 4 + [tuple(code for code, *_ in row) for row in rows]
            program = Program("m", [operand]).root(operand.shape, text("FFT", (4,)))
            yield Case(f"{c.name}/{name}_in_one_transform", f"{name} among the numbers",
                       program, [open_from(c, (2, 4), values_, 4, rows)], ["Special"])


def half_spectra():
    """The imaginary parts of bins 0 and n/2 do not count."""
    for t, c in ((types.F32, types.C64), (types.F64, C128)):
        stream = Stream("fft", "half", t.name)
        draw = near_one(t, stream)
        operand = Array(c, (5,), tuple((draw(), draw()) for _ in range(5)))
        yield case("IRFFT", "8_with_imaginary_ends", operand, (8,), "HalfSpectrum")


def lengths():
    for t, c in ((types.F32, types.C64), (types.F64, C128)):
        one = t.bias << t.mantissa
        operand = Array(c, (4,), ((one, 0),) * 4)
        rows = [*result_sets("FFT", Array(c, (2,), ((one, 0),) * 2), (2,), t),
                *[((0, 0, 0),) * 2] * 2]
        shorter = [Array(c, (4,), tuple(tuple(part[k] for part in row) for row in rows))
                   for k in range(3)]
        program = Program("m", [operand]).root(operand.shape, text("FFT", (2,)))
        yield Case(f"{c.name}/longer_than_the_transform", "two numbers of four are transformed",
                   program, [interval(*shorter)], ["Lengths"])
        empty = Array(c, (2, 0), ())
        program = Program("m", [empty]).root(empty.shape, text("FFT", (0,)))
        yield Case(f"{c.name}/empty", "no numbers", program, [bits(empty)], ["Lengths"])


ROWS = [
    ("C1", "no length", "c64[8]", "c64[8] fft(p0), fft_type=IFFT, fft_length={}"),
    ("C1", "four lengths", "c64[1,1,1,1]",
     "c64[1,1,1,1] fft(p0), fft_type=FFT, fft_length={1,1,1,1}"),
    ("C1", "a negative length", "c64[8]", "c64[8] fft(p0), fft_type=FFT, fft_length={-8}"),
    ("C2", "three lengths of a matrix", "c64[2,2]",
     "c64[2,2] fft(p0), fft_type=FFT, fft_length={2,2,2}"),
    ("C2", "a scalar", "c64[]", "c64[] fft(p0), fft_type=FFT, fft_length={1}"),
    ("C4", "half floats", "f16[8]", "c64[5] fft(p0), fft_type=RFFT, fft_length={8}"),
    ("C4", "integers", "s32[8]", "c64[5] fft(p0), fft_type=RFFT, fft_length={8}"),
    ("C5", "another length of the last dimension", "f32[4,8]",
     "c64[4,4] fft(p0), fft_type=RFFT, fft_length={4,7}"),
    ("C5", "another length of the first dimension", "f32[4,8]",
     "c64[4,5] fft(p0), fft_type=RFFT, fft_length={3,8}"),
    ("C6", "as many bins as elements", "c64[6]",
     "f32[6] fft(p0), fft_type=IRFFT, fft_length={6}"),
    ("C6", "another length of the first dimension", "c64[4,5]",
     "f32[3,8] fft(p0), fft_type=IRFFT, fft_length={3,8}"),
]


def cases():
    yield from random_sums()
    yield from every_length()
    yield from dimensions()
    yield from random_axes()
    yield from ties()
    yield from overflows()
    yield from zeros()
    yield from specials()
    yield from half_spectra()
    yield from lengths()
    operand = arrays.build(types.F32, (8,), lambda _: 0)
    program = Program("m", [operand]).root("f32[8]", text("FFT", (8,)))
    yield Case("f32/real_operand", "FFT takes complex elements", program,
               rejected("fft.C3"), ["Rejected"])
    yield from refused.cases("fft", ROWS)
