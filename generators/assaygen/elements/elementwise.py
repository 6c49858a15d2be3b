"""Cases of element-wise operations: specials, random values, shapes, layouts."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from fractions import Fraction
from typing import Callable

from assaygen import arrays, pools, refused as forbidden, steps, types, values
from assaygen.arrays import Array
from assaygen.cases import Case, bits, rejected, rounded
from assaygen.program import Program
from assaygen.streams import Stream
from assaygen.types import Type
from assaygen.values import number

WHY = {
    "Special": "zeros, subnormals, walls of the range, infinities and NaNs, "
               "against each other where there are two operands",
    "Random": "random bits, operands of like magnitude among them",
    "Drawn": "other numbers, of the magnitude of 1, in another shape and layout",
    **pools.LAYOUT_WHY,
}

REJECTED = {"Rejected": "a rule of the page is violated"}
# Types that no operation takes together.
LIKE = [("s32", "u32"), ("f32", "s32"), ("pred", "u2")]

DRAWN = (4, 6)
DRAWN_LAYOUT = "{0,1}"

Rule = Callable  # (type, code, ...) -> code of the result


def _literal(inputs: list[Array], t: Type, op: str, extra: str, layout: str = ""):
    operands = ", ".join(f"p{i}" for i in range(len(inputs)))
    shape = Array(t, inputs[-1].dims, (), layout).shape
    return Program("m", inputs).root(shape, f"{op}({operands}){extra}")


def _defined(rows: list[tuple], rule: Rule, t: Type) -> list[tuple]:
    """The rows with a result: a NaN that a format without NaN would have to
    hold has a sign that nobody defines, and so any zero for its code."""
    return [row for row in rows if rule(t, *row) is not None]


def _apply(rule: Rule, t: Type, out: Type, inputs: list[Array]) -> Array:
    codes = tuple(rule(t, *row) for row in zip(*(x.codes for x in inputs)))
    return Array(out, inputs[0].dims, codes)


def exact(op: str, allowed: list[Type], arity: int, rule: Rule, *,
          extra: str = "", tag: str = "", nan: str = "any", count: int = 96,
          result: Callable[[Type], Type] = lambda t: t):
    """Cases whose result has one value, for every type."""
    for t in allowed:
        stream = Stream(op, tag, t.name)
        if arity == 1:
            rows = [(c,) for c in pools.unary_codes(t, stream, count)]
        else:
            rows = pools.binary_codes(t, stream, count)
        inputs = [arrays.of(t, column) for column in zip(*_defined(rows, rule, t))]
        out = result(t)
        expect = [bits(_apply(rule, t, out, inputs), nan)]
        yield Case(f"{t.name}/{tag.lower()}values", f"{op} of special and random values",
                   _literal(inputs, out, op, extra), expect, ["Special", "Random"])
        if not tag:
            yield _exact_drawn(op, t, arity, rule, extra, nan, out)


def _exact_drawn(op: str, t: Type, arity: int, rule: Rule, extra: str, nan: str,
                 out: Type) -> Case:
    inputs = drawn(op, t, arity, lambda row: rule(t, *row) is not None)
    expect = [bits(_apply(rule, t, out, inputs), nan)]
    return Case(f"{t.name}/drawn", f"{op} of drawn numbers, column by column",
                _literal(inputs, out, op, extra, DRAWN_LAYOUT), expect, ["Drawn"])


def _drawn_code(t: Type, stream: Stream):
    """Random bits; of a float a number between 1/32 and 32, of either sign."""
    if t.kind != "float":
        return pools.random_code(t, stream)
    digits = (1 << t.mantissa) + stream.below(1 << t.mantissa)
    value = Fraction(digits, 1 << t.mantissa) * Fraction(2) ** (stream.below(10) - 5)
    has_sign = t.specials != "e8m0"
    return types.encode(t, number(-value if has_sign and stream.below(2) else value))


def drawn(op: str, t: Type, arity: int, is_defined: Callable) -> list[Array]:
    """Operands that rows of drawn codes fill; those without a result are drawn anew."""
    stream = Stream(op, "drawn", t.name)
    size = DRAWN[0] * DRAWN[1]
    codes = (tuple(_drawn_code(t, stream) for _ in range(arity)) for _ in range(20 * size))
    rows = list(itertools.islice(filter(is_defined, codes), size))
    rows = [rows[k % len(rows)] for k in range(size)]
    return [Array(t, DRAWN, column, DRAWN_LAYOUT) for column in zip(*rows)]


def chosen(op: str, what: str, statement: str, t: Type, rows: list[tuple], rule: Rule,
           why: list[str], *, extra: str = "", nan: str = "any", out: Type | None = None):
    """A case of chosen operands: a row of codes for each element."""
    inputs = [arrays.of(t, column) for column in zip(*_defined(rows, rule, t))]
    out = out or t
    expect = [bits(_apply(rule, t, out, inputs), nan)]
    return Case(f"{t.name}/{what}", statement, _literal(inputs, out, op, extra), expect, why)


def shapes(op: str, t: Type, arity: int, rule: Rule, *, extra: str = "",
           result: Callable[[Type], Type] = lambda x: x):
    """Cases for every shape, and for every layout of operands and result."""
    out = result(t)
    for dims in pools.SHAPES:
        stream = Stream(op, "shape", t.name, dims)
        inputs = [_filled(t, dims, stream) for _ in range(arity)]
        name = "x".join(map(str, dims)) or "scalar"
        yield Case(f"{t.name}/shape_{name}", f"{op} over an array of shape {list(dims)}",
                   _literal(inputs, out, op, extra),
                   [bits(_apply(rule, t, out, inputs))], ["Shape"])
    for i, layout in enumerate(pools.LAYOUTS):
        stream = Stream(op, "layout", t.name, layout)
        inputs = [_filled(t, (5, 6), stream) for _ in range(arity)]
        value = _apply(rule, t, out, inputs)
        laid = [x.with_layout(pools.LAYOUTS[(i + k) % len(pools.LAYOUTS)])
                for k, x in enumerate(inputs)]
        program = _literal(laid, out, op, extra, layout)
        yield Case(f"{t.name}/layout_{i}", f"{op} into a result laid out as {layout}",
                   program, [bits(value.with_layout(layout))], ["Layout"])


def integral(rounded: Callable) -> Rule:
    """A rounding of finite values to integers, which keeps signs."""
    def rule(t: Type, code: int):
        value = types.decode(t, code)
        if value.kind != "finite":
            return types.encode(t, value)
        return types.encode(t, values.number(rounded(value.exact), value.sign))
    return rule


def to_integers(op: str, rounded: Callable):
    """Cases of such a rounding."""
    rule = integral(rounded)
    yield from exact(op, types.FLOATS, 1, rule)
    yield from shapes(op, types.BY_NAME["bf16"], 1, rule)


def _filled(t: Type, dims, stream: Stream) -> Array:
    return arrays.build(t, dims, lambda _: pools.random_code(t, stream))


@dataclass(frozen=True)
class RealFunction:
    """A correctly rounded function: rule(t, code) gives the code and the side of
    the exact value, or None where nothing is defined. Types without a limit are
    faithful; no result lies outside of `within`."""

    op: str
    rule: Callable
    limits: dict[str, int]
    within: tuple = (None, None)

    def ends(self, t: Type) -> tuple[int | None, int | None]:
        """The codes of `within`, rounded outward."""
        return tuple(None if x is None or t.specials == "e8m0" else
                     steps.outward(t, Fraction(x), direction)
                     for x, direction in zip(self.within, (-1, 1)))

    def case(self, what: str, statement: str, operand: Array, why: list[str],
             layout: str = "") -> Case:
        """The function of an array; elements without a result are left out."""
        t = operand.type
        answers = [self.rule(t, code) for code in operand.codes]
        value = Array(t, operand.dims, tuple(code for code, _ in answers))
        limit = self.limits.get(t.name, "faithful")
        expect = [rounded(value, [side for _, side in answers], limit, self.ends(t))]
        program = _literal([operand], t, self.op, "", layout)
        return Case(f"{t.name}/{what}", statement, program, expect, why)

    def of_codes(self, what: str, statement: str, t: Type, codes: list[int],
                 why: list[str]) -> Case:
        defined = [code for code in codes if self.rule(t, code) is not None]
        return self.case(what, statement, arrays.of(t, defined), why)

    def of_edges(self, *numbers: str):
        """Numbers of f32 at which the results change their kind, with their neighbours."""
        codes = [types.encode(types.F32, number(Fraction(x))) for x in numbers]
        return self.of_codes("edges", f"{self.op} beside {', '.join(numbers)}", types.F32,
                             [code + k for code in codes for k in (-1, 0, 1)], ["Special"])

    def of_types(self, count: int = 64):
        """Special and random values of every type."""
        for t in types.FLOATS:
            codes = pools.unary_codes(t, Stream(self.op, t.name), count)
            yield self.of_codes("values", f"{self.op} of special and random values", t,
                                codes, ["Special", "Random"])
            [operand] = drawn(self.op, t, 1, lambda row: self.rule(t, *row) is not None)
            yield self.case("drawn", f"{self.op} of drawn numbers, column by column",
                            operand, ["Drawn"], DRAWN_LAYOUT)

    def of_shapes(self, t: Type):
        """Every shape, and every layout of operand and result."""
        for dims in pools.SHAPES:
            name = "x".join(map(str, dims)) or "scalar"
            yield self.case(f"shape_{name}", f"{self.op} over an array of shape {list(dims)}",
                            _filled(t, dims, Stream(self.op, "shape", t.name, dims)), ["Shape"])
        for i, layout in enumerate(pools.LAYOUTS):
            operand = _filled(t, (5, 6), Stream(self.op, "layout", t.name, layout))
            yield self.case(f"layout_{i}", f"{self.op} into a result laid out as {layout}",
                            operand.with_layout(pools.LAYOUTS[i - 1]), ["Layout"], layout)


def wrong_type(op: str, t: Type, arity: int, rule: str, extra: str = "",
               out: Type | None = None):
    """A case that must be rejected because of its element type."""
    operand = arrays.iota(t, (2,))
    program = _literal([operand] * arity, out or t, op, extra)
    return Case(f"{t.name}/wrong_type", f"{op} does not take {t.name}",
                program, rejected(rule), ["Rejected"])


def refused(op: str, what: str, statement: str, inputs: list[Array], out: Type, rule: str,
            extra: str = ""):
    """A case that must be rejected."""
    return Case(f"{inputs[0].type.name}/{what}", statement,
                _literal(inputs, out, op, extra), rejected(rule), ["Rejected"])


def mismatched(op: str, t: Type, other: Type, rule: str, extra: str = "",
               result: Callable[[Type], Type] = lambda x: x):
    """Two operands that differ in their dimensions, and in their types."""
    x = arrays.iota(t, (2,))
    yield refused(op, "other_dims", f"{op} takes operands of the same dimensions",
                  [x, arrays.iota(t, (3,))], result(t), rule, extra)
    yield refused(op, "other_type", f"{op} does not take {t.name} and {other.name}",
                  [x, arrays.iota(other, (2,))], result(t), rule, extra)


def wrong_types(op: str, allowed: list[Type], arity: int = 1):
    """Every type that the operation does not take; of two operands also those
    that differ. Rule C1 is of the types of one operand, or of two operands being
    alike, and then C2 is of their types."""
    for t in types.ALL:
        if t not in allowed:
            yield wrong_type(op, t, arity, f"{op}.C{arity}")
    t = allowed[-1]
    operands = ", ".join(["p0"] * arity)
    yield forbidden.case(op, (f"C{arity}", "the operand is a tuple", f"({t.name}[2])",
                              f"{t.name}[2] {op}({operands})"))
    for name, other in LIKE if arity == 2 else ():
        t = types.BY_NAME[name]
        if t in allowed:
            yield refused(op, f"with_{other}", f"{op} does not take {name} with {other}",
                          [arrays.iota(t, (2,)), arrays.iota(types.BY_NAME[other], (2,))],
                          t, f"{op}.C1")
            yield refused(op, f"longer_{name}", f"{op} takes {name} of one size",
                          [arrays.iota(t, (2,)), arrays.iota(t, (3,))], t, f"{op}.C1")


def lift(real: Callable) -> Rule:
    """A rule on codes from a function of values."""
    def rule(t: Type, *codes):
        if t.kind == "complex":
            part = types.component(t)
            columns = zip(*codes)
            return tuple(types.encode(part, real(*(types.decode(part, c) for c in column)))
                         for column in columns)
        value = real(*(types.decode(t, c) for c in codes))
        if value.is_nan and t.specials == "finite":
            return None
        return types.encode(t, value)
    return rule


def by_class(pred: Rule | None = None, integer: Rule | None = None,
             real: Rule | None = None, complex_: Rule | None = None) -> Rule:
    """Chooses by the class of the type; integer gets and gives integers."""
    def rule(t: Type, *codes):
        if t.kind == "int":
            return t.wrap(integer(t, *(t.integer(c) for c in codes)))
        if t.kind == "pred":
            return pred(*codes)
        chosen = real if t.kind == "float" or complex_ is None else complex_
        return chosen(t, *codes)
    return rule
