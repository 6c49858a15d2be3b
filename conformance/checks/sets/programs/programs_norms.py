"""Random batch-norm-training and batch-norm-inference (their pages, Accuracy)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import mpmath

from cases import Array, Case, module, parameters
from exact_functions import to_fraction, to_mpf
from formats import TYPES, Type, decode, encode, number, power_of_two
from programs.programs_transforms import FLUSHING
from streams import Stream
from values import any_code, middling, subnormal
from valuesets import Between, ValueSet, around, everything, rounded

ROOM = power_of_two(-18)
BITS = 400
EPSILONS = ["0", "0.5", "0.0009765625", "2"]


@dataclass(frozen=True)
class Feature:
    """The numbers of one feature; a bound of None: anything is accepted."""

    t: Type
    x: list[Fraction]
    scale: Fraction
    offset: Fraction
    epsilon: Fraction
    least: Fraction  # h
    flushed: Fraction  # h where subnormal numbers may count as zero, else 0


def norm_case(name: str, s: Stream) -> Case:
    t = TYPES[s.one_of(["f32", "f32", "f64", "f16", "bf16"])]
    training, features, length = s.chance(2), s.between(1, 3), s.between(2, 12)
    epsilon = s.one_of(EPSILONS)
    x = [[_code(t, s) for _ in range(features)] for _ in range(length)]
    vectors = [[_code(t, s) for _ in range(features)] for _ in range(2 if training else 4)]
    if not training:  # a variance is no less than 0
        vectors[3] = [code & ~t.top for code in vectors[3]]
    dims = (features,)
    inputs = [Array(t, (length, features), sum(x, [])), *(Array(t, dims, v) for v in vectors)]
    operands = ", ".join(f"p{k}" for k in range(len(inputs)))
    shape = f"{t.name}[{length},{features}]"
    result = f"({shape}, {t.name}[{features}], {t.name}[{features}])" if training else shape
    operation = f"batch-norm-{'training' if training else 'inference'}"
    text = module([*parameters(inputs), f"ROOT r = {result} {operation}({operands}), "
                   f"epsilon={epsilon}, feature_index=1"])
    profile = s.one_of(["tight", "tight", *FLUSHING])
    columns = []
    for k in range(features):
        codes = [row[k] for row in x], *([v[k]] for v in vectors)
        columns.append(_feature(t, codes, Fraction(epsilon), training,
                                profile in FLUSHING))
    output = [columns[k][0][i] for i in range(length) for k in range(features)]
    leaves = [(t, (length, features))]
    sets = [output]
    if training:
        leaves += [(t, dims)] * 2
        sets += [[column[1] for column in columns], [column[2] for column in columns]]
    return Case(name, "norm", operation, profile, text, inputs, leaves, sets)


def _code(t: Type, s: Stream) -> int:
    if s.chance(12):
        return subnormal(t, s)
    return any_code(t, s) if s.chance(40) else middling(t, s, 2)


def _feature(t: Type, codes: tuple, epsilon: Fraction, training: bool, flushes: bool) -> list:
    """The sets of the outputs, of the mean and of the variance."""
    reals = [[decode(t, code) for code in part] for part in codes]
    x, scale, offset = reals[0], reals[1][0], reals[2][0]
    everywhere = [[everything(t) for _ in x], everything(t), everything(t)]
    shared = reals[1:] if not training else reals
    if not all(v.is_number for part in shared for v in part):
        return everywhere
    least = 8 * t.least_normal if flushes else t.least_positive
    of = Feature(t, [v.value for v in x], scale.value, offset.value, epsilon, least,
                 least if flushes else Fraction(0))
    if not training:
        mean, variance = reals[3][0].value, reals[4][0].value
        d = 2 * t.unit * (abs(variance) + abs(epsilon)) + least
        found = _outputs(of, mean, variance, d, Fraction(0), True)[0]
        return [[own if v.is_number else everything(t) for own, v in zip(found, x)]]
    n = len(x)
    mean = sum(of.x, Fraction(0)) / n
    variance = sum(((v - mean) ** 2 for v in of.x), Fraction(0)) / n
    first = sum(map(abs, of.x), Fraction(0)) / n
    second = sum((v * v for v in of.x), Fraction(0)) / n
    most = max(map(abs, of.x))
    error = (n + 2) * t.unit * first + n * least
    spread = (4 * n + 16) * t.unit * second + n * least * (2 + most)
    d = spread + 2 * t.unit * (second + abs(epsilon)) + least
    if (n + 16) * t.unit > Fraction(1, 4):
        return everywhere
    # Means say nothing of squares that are too large.
    fits = n * second < t.greatest / 4 and n * first < t.greatest / 4
    found = _outputs(of, mean, variance, d, error, fits)
    return [found[0], _around(t, mean, 2 * error, fits), _around(t, variance, 2 * spread, fits)]


def _outputs(of: Feature, mean: Fraction, variance: Fraction, d: Fraction, error: Fraction,
             fits: bool) -> list:
    t = of.t
    total = variance + of.epsilon
    whole: list[ValueSet | Between] = [everything(t) for _ in of.x]
    if total <= 0 or d / total > Fraction(1, 2):
        return [whole]
    inverse = _inverse_root(total)
    k, share = abs(of.scale) * inverse, d / total
    found: list[ValueSet | Between] = []
    for x in of.x:
        exact = of.scale * (x - mean) * inverse + of.offset
        bound = (k * ((abs(x) + abs(mean)) * (share + 16 * t.unit) + 2 * error)
                 + 8 * t.unit * abs(of.offset)
                 + 8 * of.least * (1 + abs(of.scale) + inverse + k + abs(x) + abs(mean))
                 + 8 * of.flushed * (abs(x) + abs(mean)) * inverse)
        largest = max(total, inverse, k, k * (abs(x) + abs(mean)), abs(exact), abs(of.offset))
        doubtful = fits and largest < t.greatest / 64 and abs(share - Fraction(1, 2)) > ROOM
        found.append(_around(t, exact, 2 * bound, doubtful))
    return [found]


def _inverse_root(x: Fraction) -> Fraction:
    """Exact where it is a fraction, so that ties are ties."""
    roots = math.isqrt(x.numerator), math.isqrt(x.denominator)
    if (roots[0] ** 2, roots[1] ** 2) == (x.numerator, x.denominator):
        return Fraction(roots[1], roots[0])
    with mpmath.workprec(BITS):
        return to_fraction(1 / mpmath.sqrt(to_mpf(x)))


def _around(t: Type, exact: Fraction, error: Fraction, is_certain: bool) -> ValueSet | Between:
    """Around the rounded value, with one rounding of its own; where something may overflow on
    the way the page's words leave open how it is measured."""
    value = decode(t, encode(t, number(exact)))
    if not value.is_number:
        return Between(rounded(t, number(exact)), everything(t))
    error += t.unit * abs(value.value) + t.least_positive
    inner = around(t, exact, error * (1 - ROOM))
    outer = around(t, exact, error * (1 + ROOM)) if is_certain else everything(t)
    return inner if inner == outer else Between(inner, outer)
