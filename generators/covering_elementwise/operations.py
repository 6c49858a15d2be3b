"""The element-wise operations, with the rules of their own generators."""

from __future__ import annotations

import dataclasses
import importlib
import math

from assaygen import functions, types, values
from assaygen.elements import elementwise, real_functions
from assaygen.types import Type
from covering_elementwise import complex_numbers
from covering_elementwise.operation import (Operation, alike, by_kind, exact, pair, real)
from ops import atan2, cbrt, clamp, compare, erf, power, reduce_precision, stochastic_convert
from ops import complex as complex_
from ops import imag, round_nearest_afz, sqrt
from ops import real as real_part

PRED, INTS, FLOATS, COMPLEX = types.PRED, types.INTS, types.FLOATS, types.COMPLEX
SIGNED = [t for t in INTS if t.signed]
LOGICAL, NUMBERS = [PRED, *INTS], [*INTS, *FLOATS]
UNARY, BINARY = alike(1), alike(2)
# Operations whose rule has one result, and is in their generator under a name: types,
# number of operands. What they take of complex numbers follows below.
RULES = [
    ("and", "rule", LOGICAL, BINARY), ("or", "rule", LOGICAL, BINARY),
    ("xor", "rule", LOGICAL, BINARY), ("not", "rule", LOGICAL, UNARY),
    ("popcnt", "rule", INTS, UNARY), ("count-leading-zeros", "rule", INTS, UNARY),
    ("mulhi", "RULE", INTS, BINARY), ("remainder", "RULE", NUMBERS, BINARY),
    ("maximum", "RULE", [PRED, *NUMBERS], BINARY), ("minimum", "RULE", [PRED, *NUMBERS], BINARY),
    ("add", "RULE", types.ALL, BINARY), ("subtract", "RULE", types.ALL[1:], BINARY),
    ("negate", "RULE", types.ALL[1:], UNARY),
]
ROUNDINGS = {"ceil": math.ceil, "floor": math.floor, "round-nearest-even": round,
             "round-nearest-afz": round_nearest_afz.away_from_zero}
SHIFTS = ("shift-left", "shift-right-arithmetic", "shift-right-logical")
# What the complex function is called, of those whose steps are those of the real one.
FUNCTIONS = {"exponential": "exp", "log": "log", "logistic": "logistic", "rsqrt": "rsqrt",
             "tanh": "tanh", "acos": "acos", "acosh": "acosh", "asin": "asin", "asinh": "asinh",
             "atanh": "atanh", "cosh": "cosh", "cosine": "cos", "sine": "sin", "sinh": "sinh",
             "tan": "tan", "exponential-minus-one": "expm1", "log-plus-one": "log1p"}
DISTINCT = 48  # rows of a function that takes long


def module(op: str):
    return importlib.import_module("ops." + op.replace("-", "_"))


def to_pred(_: Type) -> Type:
    return PRED


def of_rules():
    for op, name, allowed, kinds in RULES:
        yield Operation(op, allowed, kinds, exact(getattr(module(op), name)))
    for op, rounded in ROUNDINGS.items():
        yield Operation(op, FLOATS, UNARY, exact(elementwise.integral(rounded)))
    for op in SHIFTS:
        yield shift(op)
    yield Operation("is-finite", FLOATS, UNARY, exact(module("is-finite").rule), to_pred)
    yield Operation("clamp", LOGICAL + FLOATS, alike(3), exact(clamp.RULE))
    yield Operation("select", types.ALL, lambda t: [PRED, t, t],
                    exact(lambda t, chosen, a, b: a if chosen else b), nan="same")


def shift(op: str) -> Operation:
    shifted = module(op).shifted
    return Operation(op, INTS, BINARY, exact(lambda t, x, amount: t.wrap(shifted(t, x, amount))))


def of_complex_numbers():
    """Operations that make complex numbers, take them apart, or have sets of them."""
    for op, found in (("real", real_part), ("imag", imag)):
        yield Operation(op, FLOATS + COMPLEX, UNARY, exact(found.rule), found.result, nan="same")
    yield Operation("complex", [types.F32, types.F64], BINARY, exact(complex_.rule),
                    complex_.result, nan="same")
    for op, allowed, kinds, answer in (
            ("multiply", types.ALL, BINARY, complex_numbers.product),
            ("divide", types.ALL[1:], BINARY, complex_numbers.quotient),
            ("sign", SIGNED + FLOATS + COMPLEX, UNARY, complex_numbers.direction)):
        yield Operation(op, allowed, kinds,
                        by_kind(complex=answer, other=exact(module(op).RULE)))
    yield Operation("abs", SIGNED + FLOATS + COMPLEX, UNARY,
                    by_kind(complex=complex_numbers.magnitude, other=exact(module("abs").RULE)),
                    lambda t: types.component(t) if t.kind == "complex" else t)


def of_functions():
    for op, name in FUNCTIONS.items():
        found = module(op).REAL if hasattr(module(op), "REAL") else real_functions.real(op)
        answer = by_kind(float=real(found), complex=complex_numbers.function(name, found.limits))
        yield Operation(op, FLOATS + COMPLEX, UNARY, answer, draw=complex_numbers.draw(name),
                        distinct=DISTINCT)
    for op, found in (("cbrt", cbrt.CBRT), ("erf", erf.ERF)):
        yield Operation(op, FLOATS, UNARY, real(found), distinct=DISTINCT)
    roots = complex_numbers.function("sqrt", sqrt.UNITS)
    yield Operation("sqrt", FLOATS + COMPLEX, UNARY,
                    by_kind(float=exact(functions.square_root), complex=roots),
                    draw=complex_numbers.draw("sqrt"), distinct=DISTINCT)
    whole = exact(elementwise.by_class(integer=power.integer))
    for op, found, name, allowed in (("atan2", atan2.REAL, "atan2", FLOATS + COMPLEX),
                                     ("power", power.REAL, "pow", types.ALL[1:])):
        answer = by_kind(int=whole, float=pair(found),
                         complex=complex_numbers.function(name, found.steps))
        yield Operation(op, allowed, BINARY, answer, draw=complex_numbers.draw(name),
                        distinct=DISTINCT)


def of_comparisons():
    for direction in ("EQ", "NE", "LT", "GE"):
        allowed = types.ALL if direction in ("EQ", "NE") else types.ALL[:-2]
        yield Operation("compare", allowed, BINARY, exact(compare.rule(direction)), to_pred,
                        f", direction={direction}")
    yield Operation("compare", FLOATS, BINARY, exact(compare.rule("LE", True)), to_pred,
                    ", direction=LE, type=TOTALORDER")


def reduction(exponent: int, mantissa: int) -> Operation:
    def rule(t: Type, code: int):
        if reduce_precision.is_open(t, types.decode(t, code), exponent, mantissa):
            return None
        value = reduce_precision.reduced(t, types.decode(t, code), exponent, mantissa)
        return None if value.is_nan and t.specials == "finite" else types.encode(t, value)
    allowed = [t for t in FLOATS if t.bits > 8 or exponent < 5]
    return Operation("reduce-precision", allowed, UNARY, exact(rule),
                     extra=reduce_precision.attributes(exponent, mantissa))


def by_chance(target: str) -> Operation:
    to = types.BY_NAME[target]
    rule = stochastic_convert.rule(to)

    def rounded(t: Type, code: int, random: int):
        return rule(to, types.decode(t, code), random, t.bits)
    return Operation("stochastic-convert", stochastic_convert.SOURCES,
                     lambda t: [t, types.BY_NAME[f"u{t.bits}"]], exact(rounded), lambda _: to)


def named() -> dict[str, Operation]:
    """The operations, with what tells those of one mnemonic apart."""
    rest = [*(reduction(*fields) for fields in ((5, 10), (8, 7), (4, 3))),
            *(by_chance(name) for name in ("s8", "s4", "bf16", "f8e4m3fn"))]
    found: dict[str, Operation] = {}
    for made in (*of_rules(), *of_complex_numbers(), *of_functions(), *of_comparisons(), *rest):
        for part in by_numbers(made):
            tail = sum(other.op == part.op for other in found.values())
            found[part.op + (f".{tail}" if tail else "")] = part
    return found


def by_numbers(made: Operation) -> list[Operation]:
    """Of complex numbers an operation is another one, with classes of values of its own."""
    parts = [[t for t in made.types if (t.kind == "complex") == is_complex]
             for is_complex in (False, True)]
    return [dataclasses.replace(made, types=part) for part in parts if part]


OPERATIONS = named()
