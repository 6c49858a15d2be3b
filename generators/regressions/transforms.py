"""Reports about Fourier transforms."""

from fractions import Fraction

from assaygen import types
from assaygen.arrays import Array
from assaygen.cases import Case, interval
from assaygen.program import Program
from assaygen.streams import Stream
from ops import fft
from regressions.common import F64

C128 = fft.C128


def numbered(case: Case, name: str, statement: str) -> Case:
    """A case of fft as one of report 38."""
    return Case(f"c128/38_{name}", statement, case.program, case.expect, ["Report38"])


def round_trips():
    for n in (31, 100):
        draw = fft.near_one(F64, Stream("regressions", 38, n))
        x = Array(C128, (n,), tuple((draw(), draw()) for _ in range(n)))
        forward = fft.case("FFT", f"{n}", x, (n,), "Sums")
        yield numbered(forward, f"fft_{n}", f"{n} numbers are transformed")
        sums = fft.result_sets("FFT", x, (n,), F64)
        bins = Array(C128, (n,), tuple((re[0], im[0]) for re, im in sums))
        back = fft.case("IFFT", f"{n}", bins, (n,), "Sums")
        yield numbered(back, f"ifft_{n}", f"and back from {n} bins")


def long_half_spectrum():
    """Few bins of 8192, the first and the last of which are not real."""
    n = 1 << 13
    draw = fft.near_one(F64, Stream("regressions", 38, n))
    codes = [(0, 0)] * (n // 2 + 1)
    for k in (0, 1, 77, 1000, 4095, 4096):
        codes[k] = (draw(), draw())
    operand = Array(C128, (n // 2 + 1,), tuple(codes))
    numbers = [(fft.real_value(a, F64), fft.real_value(b, F64)) for a, b in codes]
    error = fft.bound(F64, numbers * 2, (n,), inverse=True)
    table = fft.roots(n, 500)
    rows = []
    for t in range(8):
        total = Fraction(0)
        for k, (a, b) in enumerate(numbers):
            if a or b:
                weight = 1 if k in (0, n // 2) else 2  # its mirror image too
                cosine, sine = table[k * t % n]
                total += weight * (a * cosine - b * sine)
        x = total / (n << 500)
        assert abs(x) > Fraction(1, 1 << 60)  # no zero that needs a proof
        rows.append((types.encode(F64, fft.values.number(x)), *fft.ends(F64, x, error)))
    sets = [Array(F64, (8,), tuple(row[i] for row in rows)) for i in range(3)]
    program = Program("m", [operand]).line(f"f = f64[{n}] {fft.text('IRFFT', (n,))}")
    program.root("f64[8]", "slice(f), slice={[0:8]}")
    yield Case("f64/38_irfft_8192", "imaginary parts of the first and the middle bin have no "
               "effect", program, [interval(*sets)], ["Report38"])


def cases():
    yield from round_trips()
    yield from long_half_spectrum()
