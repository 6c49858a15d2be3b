"""Random transforms of one length (spec/ops/fft.md, Accuracy)."""

from __future__ import annotations

from fractions import Fraction

import mpmath

from cases import Array, Case, module, parameters
from exact_functions import to_fraction, to_mpf
from formats import PARTS, TYPES, Type, decode, number, power_of_two
from streams import Stream
from values import middling, subnormal
from valuesets import Between, ValueSet, around, rounded

ROOM = power_of_two(-18)
BITS = 400
SMOOTH = (2, 3, 5, 7)
FLUSHING = ["tight,subnormals=daz", "cr,subnormals=ftz", "tight,subnormals=daz+ftz"]

Numbers = list[tuple[Fraction, Fraction]]


def transform_case(name: str, s: Stream) -> Case:
    own = TYPES[s.one_of(["c64", "c64", "c128"])]
    t, n = PARTS[own.name], s.between(1, 24)
    how = s.one_of(["FFT", "IFFT", "RFFT", "IRFFT"])
    half = n // 2 + 1
    given = t if how == "RFFT" else own
    result = t if how == "IRFFT" else own
    read, made = half if how == "IRFFT" else n, half if how == "RFFT" else n
    draw = subnormal if s.chance(4) else _code
    row = [(draw(t, s), draw(t, s)) for _ in range(read)]
    inputs = [Array(given, (read,), [z if given is own else z[0] for z in row])]
    text = module([*parameters(inputs), f"ROOT r = {result.name}[{made}] fft(p0), "
                   f"fft_type={how}, fft_length={{{n}}}"])
    numbers = [(decode(t, x).value, decode(t, y).value if given is own else Fraction(0))
               for x, y in row]
    profile = s.one_of(["tight", "tight", "cr", "exact", *FLUSHING])
    exact, error = _parts(t, how, n, numbers, made, profile in FLUSHING)
    sets = [rounded(t, number(part)) if profile == "exact" else _around(t, part, error)
            for part in exact]
    return Case(name, "transform", "fft", profile, text, inputs, [(result, (made,))], [sets])


def _code(t: Type, s: Stream) -> int:
    return middling(t, s, s.one_of([1, 3, 20]))


def _underflow(t: Type, n: int, flushes: bool) -> Fraction:
    """What is lost where numbers are too small."""
    if not flushes:
        return 2 * n * t.least_positive
    if _constant(n) == 8:
        return 32 * n * t.least_normal
    with mpmath.workprec(BITS):
        return to_fraction(512 * n * mpmath.sqrt(n)) * t.least_normal


def _parts(t: Type, how: str, n: int, given: Numbers, made: int, flushes: bool
           ) -> tuple[list[Fraction], Fraction]:
    """Each part of the first results of one transform, and how far it may be off."""
    x = list(given)
    size = sum((a * a + b * b for a, b in x), Fraction(0))
    if how == "IRFFT":  # of which the other half is conjugated, and all counts twice
        size *= 2
        x = [x[k] if k <= n // 2 else (x[n - k][0], -x[n - k][1]) for k in range(n)]
    inverse = how in ("IFFT", "IRFFT")
    with mpmath.workprec(BITS):
        norm = mpmath.sqrt(to_mpf(size))
        root = 1 / mpmath.sqrt(n) if inverse else mpmath.sqrt(n)
        share = max(mpmath.mpf(1), mpmath.log(n, 2)) * root * norm
        error = _constant(n) * t.unit * to_fraction(share) + _underflow(t, n, flushes)
        sign = 1 if inverse else -1
        found: list[Fraction] = []
        for k in range(made):
            total = mpmath.mpc(0)
            for m, (a, b) in enumerate(x):
                turn = mpmath.expjpi(mpmath.mpf(sign * 2 * (k * m % n)) / n)
                total += mpmath.mpc(to_mpf(a), to_mpf(b)) * turn
            if inverse:
                total /= n
            parts = [total.real] if how == "IRFFT" else [total.real, total.imag]
            # What is left of a sum that is exactly zero.
            found += [to_fraction(part if abs(part) > norm * mpmath.mpf(2) ** (60 - BITS) else
                                  mpmath.mpf(0)) for part in parts]
    return found, error


def _constant(n: int) -> int:
    """8 where no prime factor is above 7, else 30."""
    for prime in SMOOTH:
        while n % prime == 0:
            n //= prime
    return 8 if n == 1 else 30


def _around(t: Type, exact: Fraction, error: Fraction) -> ValueSet | Between:
    """Around the rounded value."""
    inner, outer = (around(t, exact, e) for e in (error * (1 - ROOM), error * (1 + ROOM)))
    return inner if inner == outer else Between(inner, outer)
