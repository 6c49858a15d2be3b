#!/usr/bin/env python3
"""Arguments of f64 functions whose values lie within 2^-16 steps of a double or of
a midpoint between two, for the test of the correctly rounded functions.

    hard_doubles.py [FILE]           writes interpreter/numeric/f64/hard_doubles.txt
    hard_doubles.py --check [FILE]   exit code 1 if some lines would differ

A line is ": function", or the bits of its arguments. Between two arguments some
2^17 doubles apart most functions are nearly straight lines: of a + b i modulo half
a step the i nearest to 0 is found among sorted multiples of b. ": turns" are the
doubles of each exponent that lie nearest to multiples of pi/2, for sine, cosine and
tan: convergents of 2^e 2/pi.
"""

import bisect
import math
import pathlib
import random
import struct
import sys

import mpmath
from assaygen import blocks

FILE = (pathlib.Path(__file__).resolve().parent.parent
        / "interpreter/numeric/f64/hard_doubles.txt")
mpmath.mp.prec = 400
mp = mpmath.mp
COUNT = 1024  # lines of each function
CHECKED = 6
NEAR = 2.0 ** -16
ONE = 1 << 64  # half a step
SIDE = 1 << 9

# name, function, the exponents of its arguments, both signs
UNARY = {
    "exponential": (mp.exp, -12, 8, True),
    "exponential-minus-one": (mp.expm1, -30, 8, True),
    "exponential-2": (lambda x: mpmath.power(2, x), -12, 8, True),
    "log": (mp.log, -100, 100, False),
    "log-2": (lambda x: mp.log(x) / mp.ln2, -100, 100, False),
    "log-10": (lambda x: mp.log(x) / mp.log(10), -100, 100, False),
    "log-plus-one": (mp.log1p, -30, 60, False),
    "tanh": (mp.tanh, -12, 3, True),
    "logistic": (lambda x: 1 / (1 + mp.exp(-x)), -6, 5, True),
    "sqrt": (mp.sqrt, -100, 100, False),
    "rsqrt": (lambda x: 1 / mp.sqrt(x), -100, 100, False),
    "cbrt": (mp.cbrt, -100, 100, False),
    "sine": (mp.sin, -12, 20, True),
    "cosine": (mp.cos, -6, 20, True),
    "tan": (mp.tan, -12, 20, True),
    "asin": (mp.asin, -12, -1, True),
    "acos": (mp.acos, -12, -1, True),
    "atan": (mp.atan, -12, 20, True),
    "sinh": (mp.sinh, -12, 8, True),
    "cosh": (mp.cosh, -6, 8, True),
    "asinh": (mp.asinh, -12, 40, True),
    "acosh": (mp.acosh, 0, 40, False),
    "atanh": (mp.atanh, -12, -1, True),
    "erf": (mp.erf, -12, 2, True),
}
BINARY = {
    "power": (mp.power, -2, 3),
    "atan2": (mp.atan2, -3, 3),
    "hypot": (mp.hypot, -3, 3),
}
NAMES = (*UNARY, *BINARY)


def bits(x):
    return f"{struct.unpack('<Q', struct.pack('<d', x))[0]:016x}"


def half_steps(value):
    """Half of the step of double at |value| >= 2^-1000."""
    _, _, exponent, count = value._mpf_
    return mp.ldexp(1, exponent + count - 54)


def nearest(a, b, count):
    """The i in [0, count) with a + b i nearest to 0 modulo ONE."""
    table = sorted((b * i % ONE, i) for i in range(SIDE))
    best = (ONE, 0)
    for j in range(max(1, count // SIDE)):
        target = -(a + b * SIDE * j) % ONE
        place = bisect.bisect(table, (target, 0))
        for residue, i in (table[place - 1], table[place % SIDE]):
            away = (residue - target) % ONE
            best = min(best, (min(away, ONE - away), i + SIDE * j))
    return best[1]


def distance(value):
    """How many steps the value is away from a double or a midpoint."""
    scaled = value / half_steps(value)
    return abs(scaled - mp.nint(scaled)) / 2


def hard_from(function, x, step):
    """The hardest of some 2^17 doubles from x on; None where f bends too much."""
    start = function(mp.mpf(x))
    half = half_steps(start)
    count = 1 << 17
    while count >= 1 << 12:
        end = function(mp.mpf(x) + count * step)
        middle = function(mp.mpf(x) + count // 2 * step)
        bend = abs((start + end) / 2 - middle) / half
        if bend < 2.0 ** -18 and half_steps(end) == half:
            a = int(mp.nint(start / half * ONE)) % ONE
            b = int(mp.nint((end - start) / count / half * ONE)) % ONE
            return x + nearest(a, b, count) * step
        count //= 2
    return None


def hard_argument(function, draw):
    """A double x = draw() with f(x) near enough."""
    while True:
        x = draw()
        step = math.ulp(x)
        found = hard_from(function, x, step)
        if found is None or math.ulp(found) != step:
            continue
        value = function(mp.mpf(found))
        if 0 < distance(value) < NEAR:
            return found


def draw_double(stream, low, high, signed):
    x = math.ldexp(1 + stream.random(), stream.randint(low, high))
    return -x if signed and stream.random() < 0.5 else x


def unary_line(name, index):
    function, low, high, signed = UNARY[name]
    stream = random.Random(f"{name} {index}")
    x = hard_argument(function, lambda: draw_double(stream, low, high, signed))
    return bits(x)


def binary_line(name, index):
    function, low, high = BINARY[name]
    stream = random.Random(f"{name} {index}")
    y = draw_double(stream, low, high, True)
    x = hard_argument(lambda x: function(x, mp.mpf(y)),
                      lambda: draw_double(stream, low, high, False))
    return f"{bits(x)} {bits(y)}"


def turns(exponent):
    """The m < 2^53 for which m 2^exponent is nearest to multiples of pi/2."""
    rest = mp.ldexp(2 / mp.pi, exponent)
    rest -= mp.floor(rest)
    before, q = 0, 1
    while True:
        rest = 1 / rest
        whole = int(mp.floor(rest))
        rest -= whole
        before, q = q, whole * q + before
        if q >= 1 << 53:
            return before


def turn_lines():
    with mpmath.workprec(1400):
        return [bits(math.ldexp(turns(e), e)) for e in range(-40, 971)]


def lines(name, count):
    line = binary_line if name in BINARY else unary_line
    return [line(name, index) for index in range(count)]


def first_lines(name, rows):
    """The lines that are computed anew to check: the turns take no time."""
    return rows if name == "turns" else rows[:CHECKED]


def block_lines(name, checked):
    return turn_lines() if name == "turns" else lines(name, CHECKED if checked else COUNT)


if __name__ == "__main__":
    sys.exit(blocks.main(__doc__, FILE, [*NAMES, "turns"], block_lines, first_lines))
