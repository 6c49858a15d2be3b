"""Batch norms in exact arithmetic, and how far a result may be from them
(spec/ops/batch_norm_training.md, Accuracy)."""

from __future__ import annotations

import math
from fractions import Fraction

import mpmath

from assaygen import arrays, functions, sums, types, values
from assaygen.arrays import Array
from assaygen.cases import interval
from assaygen.program import Program
from assaygen.types import Type
from assaygen.values import Value

WHY = {
    "Shape": "features first, last and between; one of them, one element, none",
    "Random": "random numbers, scales and offsets",
    "Type": "every float type, and types that differ",
    "Cancel": "a mean far larger than the deviations from it",
    "Square": "roots that are rational, results that are exact or half way",
    "Special": "infinities, NaN, variance zero or below",
}
INF = math.inf


def epsilon(text: str) -> Fraction:
    """The f32 that the attribute is."""
    f32 = types.F32
    return types.decode(f32, types.encode(f32, values.number(Fraction(text)))).exact


def over_root(t: Type, a: Fraction, v: Fraction, c: Fraction) -> int:
    """The code of c + a / sqrt(v), v > 0."""
    root = functions.root_of(v)
    if a == 0 or root is not None:
        return types.encode(t, values.number(c + (a / root if a else 0)))
    with mpmath.workprec(4000):
        y = functions._mpf(c) + functions._mpf(a) / mpmath.sqrt(functions._mpf(v))
        slack = mpmath.mpf(2) ** -3000
        ends = [functions.fraction(y * (1 - slack)), functions.fraction(y * (1 + slack))]
    code, = {types.encode(t, values.number(x)) for x in ends}
    return code


class Features:
    """The elements of each index along dimension d."""

    def __init__(self, array: Array, d: int) -> None:
        self.array, self.d = array, d
        self.count = array.dims[d]
        self.indices = [[i for i in array.indices() if i[d] == f] for f in range(self.count)]

    def values(self, array: Array, f: int) -> list[Value]:
        return [types.decode(array.type, array.at(i)) for i in self.indices[f]]


class Arithmetic:
    """unit, least subnormal and a quarter of the most of the coarsest type."""

    def __init__(self, operands: list[Array]) -> None:
        kinds = {x.type for x in operands}
        self.unit = max(float(sums.unit(t)) for t in kinds)
        self.least = max(float(types.decode(t, 1).exact) for t in kinds)
        self.most = min(float(types.decode(t, t.max_finite).exact) / 4 for t in kinds)

    def root(self, v: float, error: float, magnitude: float) -> tuple[float, float]:
        """1 / sqrt(v) and its relative error."""
        if not v > 0:
            return INF, INF
        off = (error + 2 * self.unit * magnitude + self.least) / v
        return 1 / math.sqrt(v), off + 16 * self.unit if off <= 0.5 else INF

    def within(self, reached: float, error: float) -> float:
        return 2 * error if reached < self.most else INF


def normalized_error(a, x, mean, mean_error, scale, offset, v, root):
    inverse, relative = root
    factor, size = abs(scale) * inverse, abs(x) + abs(mean)
    error = (factor * (size * relative + 2 * mean_error) + 8 * a.unit * abs(offset)
             + 8 * a.least * (1 + abs(scale) + inverse + factor + size))
    reached = max(size * max(factor, abs(scale), inverse, 1), factor, abs(offset), v)
    return a.within(reached + abs(offset), error)


def around(t: Type, code: int, error: float):
    """(code, low, high), and whether NaN will do."""
    value = types.decode(t, code)
    if value.kind not in ("finite", "zero") or not math.isfinite(error):
        return (code, *sums.everything(t)), True
    x = value.exact
    slack = Fraction(error) + abs(x) * sums.unit(t)
    least = types.decode(t, 1).exact
    _, low, high = sums.around(t, x, slack * (1 + Fraction(1, 1 << 20)) + least)
    return (code, low, high), False


def leaf(t: Type, dims, found: dict) -> dict:
    """found: index -> (range, is NaN admitted)."""
    three = [arrays.build(t, dims, lambda i, k=k: found[i][0][k]) for k in range(3)]
    nans = "".join("01"[found[i][1]] for i in three[0].indices())
    return interval(*three, nans)


def program(op: str, operands: list[Array], outs: list[str], eps: str, d: int) -> Program:
    result = outs[0] if len(outs) == 1 else "(" + ", ".join(outs) + ")"
    names = ", ".join(f"p{i}" for i in range(len(operands)))
    return Program("m", operands).root(
        result, f"{op}({names}), epsilon={eps}, feature_index={d}")


def numbers(array: Array) -> list[Fraction]:
    return [types.decode(array.type, code).exact for code in array.codes]
