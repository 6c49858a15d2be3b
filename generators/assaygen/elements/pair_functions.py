"""Real functions of two operands, power and atan2: special values, exact powers, and
mpmath for all others (spec/ops/power.md, spec/ops/atan2.md)."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Callable

import mpmath

from assaygen import arrays, functions, pools, types, values
from assaygen.elements import elementwise
from assaygen.arrays import Array
from assaygen.cases import Case, rounded
from assaygen.functions import fraction, root_of
from assaygen.program import Program
from assaygen.streams import Stream
from assaygen.types import Type
from assaygen.values import NAN, Value, number

WHY = {
    "Hard": "exact results and results half way, next to 1, at the ends of the range",
}
HUGE = Fraction(1 << 3000)  # beyond every format
ZERO, INF, ONE = values.ZERO, values.INF, number(1)


def mpf(x: Fraction):
    return mpmath.mpf(x.numerator) / mpmath.mpf(x.denominator)


def computed(t: Type, evaluate: Callable, *operands: Fraction) -> tuple[int, int]:
    """Code and side of an irrational value."""
    def value(_):
        with mpmath.extraprec(1200):
            return evaluate(*map(mpf, operands))
    return functions.round_real(t, value, Fraction(0))


def coded(t: Type, value: Value):
    """The same of a known value; None where a format without NaN would need its sign."""
    if value.is_nan and t.specials == "finite":
        return None
    code = types.encode(t, value)
    if value.kind != "finite":
        return code, 0
    return code, types.side(t, code, value.exact)


def is_odd(y: Value) -> bool:
    return y.kind == "finite" and y.exact.denominator == 1 and y.exact.numerator % 2 == 1


def power_special(x: Value, y: Value) -> Value | None:
    """As in C; None for two finite numbers that are not 0, where there is a power."""
    if y.is_zero or x == ONE:
        return ONE
    if x.is_nan or y.is_nan:
        return NAN
    sign = x.sign if is_odd(y) else 1
    if x.is_zero:
        return values.signed("zero" if y.sign > 0 else "inf", sign)
    if y.is_inf:
        if x.magnitude == 1 and not x.is_inf:
            return ONE
        grows = x.is_inf or x.magnitude > 1
        return INF if grows == (y.sign > 0) else ZERO
    if x.is_inf:
        return values.signed("inf" if y.sign > 0 else "zero", sign)
    return NAN if x.sign < 0 and y.exact.denominator != 1 else None


def rational_power(x: Fraction, y: Fraction) -> Fraction | None:
    """x^y, x > 0, where it is a power of two or a power up to 64 of a root."""
    degree = y.denominator
    while degree > 1 and x is not None and x != 1:
        x, degree = root_of(x), degree // 2
    if x is None or x == 1:
        return x
    n = y.numerator
    if x.numerator == 1 or x == x.numerator == x.numerator & -x.numerator:
        return x ** n
    return x ** n if 0 < n <= 64 else None


def power(t: Type, a: int, b: int):
    """Code and side of a^b."""
    x, y = types.decode(t, a), types.decode(t, b)
    special = power_special(x, y)
    if special is not None:
        return coded(t, special)
    sign = x.sign if is_odd(y) else 1
    scale = y.exact * (Fraction(types.floor_log2(x.magnitude)) + Fraction(1, 2))
    if abs(scale) > 6000:  # off by less than a half of y
        far = HUGE if scale > 0 else 1 / HUGE
        if abs(scale) > 3 * abs(y.exact):
            return coded(t, number(sign * far))
    with mpmath.workprec(200):
        reach = mpf(y.exact) * mpmath.log(mpf(x.magnitude), 2)
    if abs(reach) > 2800:
        return coded(t, number(sign * (HUGE if reach > 0 else 1 / HUGE)))
    exact = rational_power(x.magnitude, y.exact)
    if exact is not None:
        return coded(t, number(sign * exact))
    return computed(t, lambda p, q: sign * mpmath.exp(q * mpmath.log(p)),
                    x.magnitude, y.exact)


def angle(t: Type, a: int, b: int):
    """Code and side of the angle of the point (b, a)."""
    y, x = types.decode(t, a), types.decode(t, b)
    if x.is_nan or y.is_nan:
        return coded(t, NAN)
    if y.is_zero or (x.is_inf and not y.is_inf):
        if x.sign > 0:
            return coded(t, values.signed("zero", y.sign))
        turn = Fraction(1)
    elif x.is_zero or (y.is_inf and not x.is_inf):
        turn = Fraction(1, 2)
    elif x.is_inf:
        turn = Fraction(1, 4) if x.sign > 0 else Fraction(3, 4)
    else:
        return computed(t, mpmath.atan2, y.exact, x.exact)
    return computed(t, lambda part: part * mpmath.pi, y.sign * turn)


def expectation(t: Type, rule: Callable, inputs: list[Array], steps: dict, ends: tuple) -> dict:
    rows = list(zip(*(x.codes for x in inputs)))
    answers = [rule(t, *row) for row in rows]
    value = Array(t, inputs[0].dims, tuple(code for code, _ in answers))
    # Nothing is rounded where an operand is NaN: NaN^0 is 1.
    sides = [None if any(types.decode(t, x).is_nan for x in row) else side
             for row, (_, side) in zip(rows, answers)]
    bounds = ends if t.name in steps else (None, None)
    return rounded(value, sides, steps.get(t.name, "faithful"), bounds)


class PairFunction:
    """steps are those of f32 and f64; within(t) gives the ends of the results."""

    def __init__(self, op: str, rule: Callable, steps: tuple[int, int],
                 within: Callable = lambda t: (None, None)) -> None:
        self.op, self.rule, self.within = op, rule, within
        self.steps = dict(zip(("f32", "f64"), steps))

    def case(self, what: str, statement: str, inputs: list[Array], why: list[str],
             layout: str = "") -> Case:
        t = inputs[0].type
        shape = Array(t, inputs[0].dims, (), layout).shape
        expect = expectation(t, self.rule, inputs, self.steps, self.within(t))
        program = Program("m", inputs).root(shape, f"{self.op}(p0, p1)")
        return Case(f"{t.name}/{what}", statement, program, [expect], why)

    def of_pairs(self, t: Type, what: str, statement: str, pairs, why: list[str]) -> Case:
        rows = [row for row in dict.fromkeys(pairs) if self.rule(t, *row) is not None]
        inputs = [arrays.of(t, column) for column in zip(*rows)]
        return self.case(what, statement, inputs, why)

    def of_types(self, chosen: Callable, hard: Callable):
        """Special values against each other and random pairs of every type; and what
        hard(t) gives."""
        for t in types.FLOATS:
            stream = Stream(self.op, "pairs", t.name)
            some = list(dict.fromkeys(pools.float_specials(t) + chosen(t)))
            if t.bits < 8:
                some = list(range(1 << t.bits))
            pairs = list(itertools.product(some, some))
            if t.bits >= 8:
                pairs += [(pools.random_code(t, stream), pools.random_code(t, stream))
                          for _ in range(96)]
            yield self.of_pairs(t, "values", f"{self.op} of special and random values", pairs,
                                ["Special", "Random"])
            if t.bits >= 8:
                yield self.of_pairs(t, "hard", f"{self.op} where it is hard", hard(t), ["Hard"])
            inputs = elementwise.drawn(self.op, t, 2,
                                       lambda row, t=t: self.rule(t, *row) is not None)
            yield self.case("drawn", f"{self.op} of drawn numbers, column by column", inputs,
                            ["Drawn"], elementwise.DRAWN_LAYOUT)

    def of_shapes(self, t: Type):
        for dims in pools.SHAPES:
            stream = Stream(self.op, "shape", t.name, dims)
            name = "x".join(map(str, dims)) or "scalar"
            yield self.case(f"shape_{name}", f"{self.op} over an array of shape {list(dims)}",
                            [filled(t, dims, stream) for _ in range(2)], ["Shape"])
        for i, layout in enumerate(pools.LAYOUTS):
            stream = Stream(self.op, "layout", t.name, layout)
            laid = [filled(t, (5, 6), stream).with_layout(pools.LAYOUTS[i - k])
                    for k in (1, 2)]
            yield self.case(f"layout_{i}", f"{self.op} into a result laid out as {layout}",
                            laid, ["Layout"], layout)


def filled(t: Type, dims, stream: Stream) -> Array:
    return arrays.build(t, dims, lambda _: pools.random_code(t, stream))


def codes(t: Type, *numbers) -> list[int]:
    """Those of the numbers that the type has near."""
    found = [types.encode(t, number(Fraction(x))) for x in numbers]
    return [code for code in found if types.decode(t, code).kind == "finite"]
