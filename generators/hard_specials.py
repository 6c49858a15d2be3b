#!/usr/bin/env python3
"""Arguments of f64 special functions whose values lie within 2^-16 steps of a double
or of a midpoint between two, and the values rounded to double.

    hard_specials.py [FILE]           writes interpreter/numeric/f64/hard_specials.txt
    hard_specials.py --check [FILE]   exit code 1 if some lines would differ

A line is ": function", or the bits of its arguments and of its value. The arguments
are found as in hard_doubles.py; the values have 2000 bits, those of zeta 800, before
they are rounded, and agree with those of 400.
"""

import pathlib
import random
import sys

import mpmath
from assaygen import blocks
from hard_doubles import CHECKED, COUNT, bits, draw_double, hard_argument

FILE = (pathlib.Path(__file__).resolve().parent.parent
        / "interpreter/numeric/f64/hard_specials.txt")
mp = mpmath.mp
PRECISION = 2000
PRECISION_OF_ZETA = 800  # more take minutes
AGREE = 200  # bits; the error of zeta is absolute


def lgamma(x):
    return mp.loggamma(x) if x > 0 else mp.log(abs(mp.gamma(x)))


def bessel_i1e(x):
    return mp.besseli(1, x) * mp.exp(-abs(x))


# name, function, the exponents of its arguments, both signs
UNARY = {
    "erfc": (mp.erfc, -12, 2, True),
    "erf_inv": (mp.erfinv, -12, -1, True),
    "lgamma": (lgamma, -6, 6, True),
    "digamma": (mp.digamma, -6, 6, True),
    "bessel_i1e": (bessel_i1e, -8, 8, True),
}
ORDERS = 8  # of polygamma
NAMES = (*UNARY, "zeta", "polygamma")


def rounded(function, *arguments, precision=PRECISION):
    """The bits of the value in double."""
    near = function(*map(mp.mpf, arguments))
    with mpmath.workprec(precision):
        value = function(*map(mp.mpf, arguments))
        assert abs(near - value) < mp.ldexp(abs(value), -AGREE), arguments
    with mpmath.workprec(53):
        return bits(float(+value))


def unary_line(name, stream):
    function, low, high, signed = UNARY[name]
    x = hard_argument(function, lambda: draw_double(stream, low, high, signed))
    return f"{bits(x)} {rounded(function, x)}"


def zeta_line(stream):
    q = draw_double(stream, -3, 3, False)
    s = hard_argument(lambda s: mp.zeta(s, mp.mpf(q)),
                      lambda: draw_double(stream, 0, 4, False))
    value = rounded(mp.zeta, s, q, precision=PRECISION_OF_ZETA)
    return f"{bits(s)} {bits(q)} {value}"


def polygamma_line(stream):
    n = stream.randint(1, ORDERS)
    x = hard_argument(lambda x: mp.polygamma(n, x),
                      lambda: draw_double(stream, -3, 5, False))
    return f"{bits(float(n))} {bits(x)} {rounded(lambda _, x: mp.polygamma(n, x), n, x)}"


def line(name, index):
    stream = random.Random(f"{name} {index}")
    if name in UNARY:
        return unary_line(name, stream)
    return zeta_line(stream) if name == "zeta" else polygamma_line(stream)


def block_lines(name, checked):
    return [line(name, index) for index in range(CHECKED if checked else COUNT)]


if __name__ == "__main__":
    sys.exit(blocks.main(__doc__, FILE, list(NAMES), block_lines,
                         lambda _, rows: rows[:CHECKED]))
