#!/usr/bin/env python3
"""Values of the special functions, by mpmath, for the test that compares the
reference with them (spec/numerics.md).

    special_values.py [FILE]           writes interpreter/numeric/special/special_values.txt
    special_values.py --check [FILE]   exit code 1 if the file differs

A line is the function, the bits of its arguments as f64, and the value rounded to
nearest with 128 bits. Arguments are values of all float types: those of at most 8
bits all, the wider ones at random.
"""

import argparse
import functools
import pathlib
import random
import struct
import sys

import mpmath

HERE = pathlib.Path(__file__).resolve().parent
FILE = HERE.parent / "interpreter/numeric/special/special_values.txt"
BITS = 128
WORK = 700  # bits while computing
sys.path.insert(0, str(HERE))

from assaygen import types  # noqa: E402

WIDE = {"f16": (10, 5, -14), "bf16": (7, 100, -100), "f32": (23, 100, -120),
        "f64": (52, 150, -250)}
COUNT = 210  # random arguments of a wide type


def erfc(x):
    return mpmath.erfc(x)


def erf_inv(x):
    """Newton's method on mpmath's erf, or erfc near 1, from a rough start."""
    a = abs(x)
    y = a if a < 0.5 else mpmath.sqrt(-mpmath.log(1 - a))
    for _ in range(200):
        wrong = mpmath.erf(y) - a if a < 0.5 else (1 - a) - mpmath.erfc(y)
        step = wrong * mpmath.exp(y * y) * mpmath.sqrt(mpmath.pi) / 2
        y -= step
        if abs(step) < abs(y) * mpmath.mpf(2) ** (-WORK // 2 - 20):
            return mpmath.sign(x) * y
    raise ValueError(f"erf_inv({x}) does not converge")


def lgamma(x):
    if x > 0:
        return mpmath.loggamma(x)
    sine = abs(mpmath.sinpi(x))
    return mpmath.log(mpmath.pi / sine) - mpmath.loggamma(1 - x)


def digamma(x):
    if x > 0:
        return mpmath.psi(0, x)
    return mpmath.psi(0, 1 - x) - mpmath.pi * mpmath.cospi(x) / mpmath.sinpi(x)


def bessel_i1e(x):
    """From the confluent function U and M, which mpmath scales well."""
    a = abs(x)
    value = a / 2 * mpmath.hyp1f1(1.5, 3, -2 * a)
    return mpmath.sign(x) * value


def zeta(s, q):
    """Terms of negative base first."""
    total = mpmath.mpf(0)
    while q < 0:
        total += q ** -int(s)
        q += 1
    # mpmath's error is absolute.
    small = int(s * max(mpmath.log(q, 2), 0))
    with mpmath.extraprec(small):
        return total + mpmath.zeta(s, q)


def polygamma(n, x):
    if n == 0:
        return digamma(x)
    return (-1) ** (int(n) + 1) * mpmath.factorial(n) * zeta(n + 1, x)


def pole(x) -> bool:
    return x <= 0 and x == int(x)


ONE = {
    "erfc": (erfc, lambda x: x > -20),
    "erf_inv": (erf_inv, lambda x: 0 < abs(x) < 1),
    "lgamma": (lgamma, lambda x: not pole(x)),
    "digamma": (digamma, lambda x: not pole(x)),
    "bessel_i1e": (bessel_i1e, lambda x: x != 0),
}


@functools.lru_cache
def narrow() -> list[float]:
    """All finite values of the types of at most 8 bits."""
    found = set()
    for t in types.FLOATS:
        if t.bits > 8:
            continue
        for code in range(1 << t.bits):
            value = types.decode(t, code)
            if not value.is_nan and not value.is_inf:
                found.add(float(value.exact))
    return sorted(found)


def draw(name: str, stream: random.Random, low: int, high: int) -> float:
    """A value of the type with an exponent in [low, high]."""
    mantissa, most, least = WIDE[name]
    exponent = stream.randint(max(low, least), min(high, most))
    significand = (1 << mantissa) + stream.getrandbits(mantissa)
    value = significand * 2.0 ** (exponent - mantissa)
    return value if stream.random() < 0.5 else -value


def arguments(function: str) -> list[float]:
    """Most near 1, where the functions are hardest, some far away."""
    low, high = {"erf_inv": (-9, -1), "erfc": (-12, 4)}.get(function, (-6, 5))
    allowed = ONE[function][1]
    found = {x for x in narrow() if allowed(x)}
    for name in WIDE:
        stream = random.Random(f"{function} {name}")
        count = 0
        while count < COUNT:
            near = count % 3 != 0 or function == "erf_inv"
            bounds = (low, high) if near else (-300, 300)
            x = draw(name, stream, *bounds)
            if allowed(x):
                found.add(x)
                count += 1
    return sorted(found)


def pairs(function: str) -> list[tuple[float, float]]:
    """Small orders; q and x of the narrow types, and random ones."""
    orders = [2, 3, 4, 5, 6, 8, 16, 24]
    if function == "polygamma":
        orders = [n - 1 for n in orders] + [0, 6]
    short = [x for x in narrow() if 0.03 < abs(x) < 20 and (x * 64) % 1 == 0]
    stream = random.Random(function)
    found = set()
    for n in orders:
        found |= {(float(n), x) for x in stream.sample(short, 40)}
    for name in WIDE:
        for i in range(COUNT):
            x = draw(name, stream, -5, 4 if i % 3 else 30)
            n = float(stream.choice(orders))
            if i % 3 == 0:
                x = abs(x)
            if function == "zeta" and i % 3 == 0:
                n = abs(draw(name, stream, 0, 5))
            found.add((n, x))
    return sorted((n, x) for n, x in found if not pole(x))


def bits(x: float) -> str:
    return struct.pack(">d", x).hex()


def digits(value) -> str:
    """The value as -?0x<hex>p<exponent>, rounded to nearest."""
    with mpmath.workprec(BITS):
        sign, mantissa, exponent, _ = (+mpmath.re(value))._mpf_
    return f"{'-' if sign else ''}0x{int(mantissa):x}p{exponent}"


def lines() -> list[str]:
    found = []
    with mpmath.workprec(WORK):
        for name, (function, _) in ONE.items():
            for x in arguments(name):
                found.append(f"{name} {bits(x)} {digits(function(mpmath.mpf(x)))}")
        for name, function in (("zeta", zeta), ("polygamma", polygamma)):
            for n, x in pairs(name):
                value = function(mpmath.mpf(n), mpmath.mpf(x))
                found.append(f"{name} {bits(n)} {bits(x)} {digits(value)}")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", nargs="?", type=pathlib.Path, default=FILE)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    text = "# by generators/special_values.py; do not edit\n"
    text += "\n".join(lines()) + "\n"
    if options.check:
        return 0 if options.file.read_text() == text else 1
    options.file.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
