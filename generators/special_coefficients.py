#!/usr/bin/env python3
"""The coefficients of the special functions' kernels, and proofs that what they leave
out is small (interpreter/numeric/f32/special_kernels.cc).

    special_coefficients.py           writes interpreter/numeric/f32/special_coefficients.h
    special_coefficients.py --check   exit code 1 if the file differs

Each coefficient is rounded to nearest. A remainder that is above its bound stops the
script.
"""

import pathlib
import sys

import mpmath
from mpmath import mpf

HERE = pathlib.Path(__file__).resolve().parent
FILE = HERE.parent / "interpreter/numeric/f32/special_coefficients.h"
WORK = 250  # bits while computing
HEAD = """// by generators/special_coefficients.py; do not edit
#pragma once

#include <array>

namespace hlo::numeric {
"""
TAIL = """// clang-format on

}  // namespace hlo::numeric
"""


def prove(name: str, rest, bits: int) -> None:
    if not rest < mpf(2) ** -bits:
        raise SystemExit(f"{name} leaves out {mpmath.nstr(rest, 5)}")


def lgamma_at_two():
    """lgamma(2 + t) / t for |t| <= 1/2 (DLMF 5.7.3). The rest is relative to the
    quotient's least magnitude, 0.24 at t = -1/2; zeta(k) - 1 < 2^(1 - k)."""
    count = 27
    found = [1 - mpmath.euler]
    found += [(-1) ** k * (mpmath.zeta(k) - 1) / k for k in range(2, count + 1)]
    prove("kLgammaAtTwo", mpf(2) ** (1 - 2 * count) / (count + 1), 55)
    return "kLgammaAtTwo", found


def stirling():
    """lgamma(x) - (x - 1/2) log x + x by powers of 1/x^2 times 1/x, x >= 8.5: less is
    left out than the next term (DLMF 5.11.ii)."""
    term = lambda k: mpmath.bernoulli(2 * k) / (2 * k * (2 * k - 1))
    prove("kStirling", abs(term(9)) / mpf(8.5) ** 17, 54)
    return "kStirling", [term(k) for k in range(1, 9)]


def digamma():
    """log x - 1/(2x) - digamma(x) by powers of 1/x^2, from the first on, x >= 10."""
    term = lambda k: mpmath.bernoulli(2 * k) / (2 * k)
    prove("kDigamma", abs(term(9)) / mpf(10) ** 18, 58)
    return "kDigamma", [term(k) for k in range(1, 9)]


def sine_of_pi():
    """sin(pi r) / r by powers of r^2, |r| <= 1/2, where it is at least 2."""
    term = lambda k: (-1) ** k * mpmath.pi ** (2 * k + 1) / mpmath.factorial(2 * k + 1)
    prove("kSineOfPi", abs(term(11)) / mpf(4) ** 11, 57)
    return "kSineOfPi", [term(k) for k in range(11)]


def erf_inv():
    """erf_inv(x) / x by powers of x^2, x <= 1/4. All terms are positive: those from n
    on are below (x / r)^2n of erf_inv(r) / r, for r = 0.99 < erf(1.83)."""
    count = 25
    c = [mpf(1)]
    for k in range(1, count):
        c.append(sum(c[m] * c[k - 1 - m] / ((m + 1) * (2 * m + 1)) for m in range(k)))
    assert mpmath.erf(mpf("1.83")) > mpf("0.99")
    half = mpmath.sqrt(mpmath.pi) / 2
    found = [c[k] / (2 * k + 1) * half ** (2 * k + 1) for k in range(count)]
    rest = (mpf("0.25") / mpf("0.99")) ** (2 * count) * mpf("1.83") / mpf("0.99")
    prove("kErfInv", rest, 55)
    return "kErfInv", found


def erf_inv_guess():
    """erf_inv(1 - exp(-s^2)) by powers of (s - 2.3) / 1.78, for 1 - exp(-s^2) from 1/4
    to 1 - 2^-24: nothing rests on its accuracy."""
    middle, half, count = mpf("2.3"), mpf("1.78"), 13

    def inverse(s):
        y = s
        for _ in range(80):
            wrong = mpmath.exp(-s * s) - mpmath.erfc(y)
            y -= wrong * mpmath.exp(y * y) * mpmath.sqrt(mpmath.pi) / 2
        return y

    nodes = [mpmath.cos(mpmath.pi * (j + mpf(1) / 2) / count) for j in range(count)]
    matrix = mpmath.matrix(count, count)
    right = mpmath.matrix(count, 1)
    for i, node in enumerate(nodes):
        right[i] = inverse(middle + half * node)
        for k in range(count):
            matrix[i, k] = node ** k
    return "kErfInvGuess", list(mpmath.lu_solve(matrix, right))


def bessel_series():
    """I_1(x) / (x/2) by powers of z = x^2/4, 25 terms up to x = 8 and 50 up to 24: the
    terms left out fall by more than half each, and the sum is at least I_1(x) / (x / 2)
    at the end; below it the rest falls faster than the sum."""
    term = lambda k: 1 / (mpmath.factorial(k) * mpmath.factorial(k + 1))
    for most, count in ((8, 25), (24, 50)):
        z = mpf(most) ** 2 / 4
        assert z < count * (count + 1) / 2
        whole = sum(term(k) * z ** k for k in range(count))
        prove("kBessel", 2 * term(count) * z ** count / whole, 55)
    return "kBessel", [term(k) for k in range(50)]


def bessel_asymptote():
    """sqrt(2 pi x) exp(-x) I_1(x) by powers of 1/x for x >= 24; the remainder as in
    special_bessel.cc, 4 (n + 1) times the next term."""
    found = [mpf(1)]
    for k in range(1, 27):
        found.append(found[-1] * (2 * k - 3) * (2 * k + 1) / (8 * k))
    last = found.pop()
    prove("kBesselAsymptote", 4 * 27 * abs(last) / mpf(24) ** 26, 56)
    return "kBesselAsymptote", found


def text() -> str:
    with mpmath.workprec(WORK):
        rows = [lgamma_at_two(), stirling(), digamma(), sine_of_pi(), erf_inv(),
                erf_inv_guess(), bessel_series(), bessel_asymptote()]
        blocks = []
        for name, values in rows:
            body = "".join(f"    {float(v).hex()},\n" for v in values)
            head = f"inline constexpr std::array<double, {len(values)}> {name} = {{"
            blocks.append(f"{head}\n{body}}};\n")
    body = "\n".join(blocks)
    return f"{HEAD}\n// clang-format off\n{body}{TAIL}"


def main() -> int:
    if "--check" in sys.argv[1:]:
        return 0 if FILE.read_text() == text() else 1
    FILE.write_text(text())
    return 0


if __name__ == "__main__":
    sys.exit(main())
