"""Random transforms of one length (spec/ops/fft.md, Accuracy)."""

from __future__ import annotations

from fractions import Fraction

import mpmath

from cases import Array, Case, module, parameters
from exact_functions import to_fraction, to_mpf
from formats import PARTS, TYPES, Type, decode, power_of_two
from streams import Stream
from values import middling
from valuesets import Between, ValueSet, around

ROOM = power_of_two(-18)
BITS = 400
SMOOTH = (2, 3, 5, 7)

Numbers = list[tuple[Fraction, Fraction]]


def transform_case(name: str, s: Stream) -> Case:
    own = TYPES[s.one_of(["c64", "c64", "c128"])]
    t, n = PARTS[own.name], s.between(1, 24)
    how = s.one_of(["FFT", "IFFT", "RFFT", "IRFFT"])
    half = n // 2 + 1
    given = t if how == "RFFT" else own
    result = t if how == "IRFFT" else own
    read, made = half if how == "IRFFT" else n, half if how == "RFFT" else n
    row = [(_code(t, s), _code(t, s)) for _ in range(read)]
    inputs = [Array(given, (read,), [z if given is own else z[0] for z in row])]
    text = module([*parameters(inputs), f"ROOT r = {result.name}[{made}] fft(p0), "
                   f"fft_type={how}, fft_length={{{n}}}"])
    numbers = [(decode(t, x).value, decode(t, y).value if given is own else Fraction(0))
               for x, y in row]
    sets = _sets(t, how, n, numbers, made)
    # bounds prints no sets of complex results.
    return Case(name, "complex" if result is own else "transform", "fft", "tight", text, inputs,
                [(result, (made,))], [sets])


def _code(t: Type, s: Stream) -> int:
    return middling(t, s, s.one_of([1, 3, 20]))


def _sets(t: Type, how: str, n: int, given: Numbers, made: int) -> list[ValueSet | Between]:
    """Of each part of the first results of one transform."""
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
        error = _constant(n) * t.unit * to_fraction(share) + 2 * n * t.least_positive
        sign = 1 if inverse else -1
        found = []
        for k in range(made):
            total = mpmath.mpc(0)
            for m, (a, b) in enumerate(x):
                turn = mpmath.expjpi(mpmath.mpf(sign * 2 * (k * m % n)) / n)
                total += mpmath.mpc(to_mpf(a), to_mpf(b)) * turn
            if inverse:
                total /= n
            parts = [total.real] if how == "IRFFT" else [total.real, total.imag]
            found += [_around(t, to_fraction(part), error) for part in parts]
    return found


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
