"""Element-wise operations on single elements: exact results, and sets under a profile."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Callable

import exact_functions
from formats import NAN, Real, Type, decode, encode, infinity, number, quieted
from profiles import Profile, bounds_of
from real_rules import admitted, unrounded
from valuesets import ANY, Between, ValueSet, everything, rounded, single


ROOM = Fraction(1, 1 << 48)  # the program computes errors in doubles


def add(x: Real, y: Real) -> Real:
    if x.kind == "nan" or y.kind == "nan":
        return NAN
    if x.kind == "infinite" or y.kind == "infinite":
        if x.kind == y.kind and x.negative != y.negative:
            return NAN
        return x if x.kind == "infinite" else y
    return number(x.value + y.value, x.negative and y.negative)


def negated(x: Real) -> Real:
    return Real(x.kind, -x.value, not x.negative)


def subtract(x: Real, y: Real) -> Real:
    return add(x, negated(y))


def multiply(x: Real, y: Real) -> Real:
    if x.kind == "nan" or y.kind == "nan":
        return NAN
    negative = x.negative != y.negative
    if x.kind == "infinite" or y.kind == "infinite":
        return NAN if x.is_zero or y.is_zero else infinity(negative)
    return number(x.value * y.value, negative)


def divide(x: Real, y: Real) -> Real:
    if x.kind == "nan" or y.kind == "nan":
        return NAN
    negative = x.negative != y.negative
    if x.kind == "infinite":
        return NAN if y.kind == "infinite" else infinity(negative)
    if y.kind == "infinite":
        return number(0, negative)
    if y.is_zero:
        return NAN if x.is_zero else infinity(negative)
    return number(x.value / y.value, negative)


def remainder(x: Real, y: Real) -> Real:
    if x.kind != "number" or y.kind == "nan" or y.is_zero:
        return NAN
    if y.kind == "infinite":
        return x
    quotient = abs(x.value / y.value)
    rest = abs(x.value) - abs(y.value) * (quotient.numerator // quotient.denominator)
    return number(-rest if x.negative else rest, x.negative)


def order_key(x: Real) -> tuple[int, Fraction, int]:
    """Numbers and infinities in their order; -0 below +0."""
    if x.kind == "infinite":
        return (-1 if x.negative else 1), Fraction(0), 0
    return 0, x.value, 0 if x.is_zero and x.negative else 1


def maximum(x: Real, y: Real) -> Real:
    if x.kind == "nan" or y.kind == "nan":
        return NAN
    return max(x, y, key=order_key)


def minimum(x: Real, y: Real) -> Real:
    if x.kind == "nan" or y.kind == "nan":
        return NAN
    return min(x, y, key=order_key)


def clamp(low: Real, x: Real, high: Real) -> Real:
    return minimum(maximum(x, low), high)


def to_integer(how: Callable[[Fraction], int]) -> Callable[[Real], Real]:
    def of(x: Real) -> Real:
        return number(how(x.value), x.negative) if x.is_number else x
    return of


def _afz(x: Fraction) -> int:
    whole = (2 * abs(x) + 1) // 2
    return -whole if x < 0 else whole


def sign(x: Real) -> Real:
    if x.kind == "nan" or x.is_zero:
        return x
    return number(-1 if x.negative else 1)


EXACT: dict[str, Callable[..., Real]] = {
    "add": add, "subtract": subtract, "multiply": multiply, "divide": divide,
    "remainder": remainder, "maximum": maximum, "minimum": minimum, "clamp": clamp,
    "ceil": to_integer(lambda x: -(-x // 1)), "floor": to_integer(lambda x: x // 1),
    "round-nearest-even": to_integer(round), "round-nearest-afz": to_integer(_afz),
    "sign": sign,
}
REAL_FUNCTIONS = [name for name in exact_functions.UNARY if name != "sqrt"]
FUNCTIONS_OF_TWO = {"power": exact_functions.power, "atan2": exact_functions.atan2}


def exact_result(name: str, t: Type, values: list[Real]) -> Real:
    """The operation's exact value."""
    if name in EXACT:
        return EXACT[name](*values)
    if name in FUNCTIONS_OF_TWO:
        return FUNCTIONS_OF_TWO[name](t, *values)
    return exact_functions.unary(name, t, values[0])


def zero_of(t: Type, x: Real) -> Real:
    """The zero that a subnormal number counts as."""
    return number(0, x.negative and t.has_negative_zero)


def is_subnormal(t: Type, x: Real) -> bool:
    return x.is_number and 0 < abs(x.value) < t.least_normal


def element(name: str, t: Type, codes: list[int], profile: Profile,
            types: list[Type] | None = None) -> ValueSet | Between:
    """The set of a float result for the codes of its operands, of these types or its own; where
    it goes by a real error, with a little room for its ends."""
    inner = _element(name, t, codes, profile, types, -ROOM)
    outer = _element(name, t, codes, profile, types, ROOM)
    return inner if inner == outer else Between(inner, outer)


def _element(name: str, t: Type, codes: list[int], profile: Profile, types: list[Type] | None,
             room: Fraction) -> ValueSet:
    own = types or [t] * len(codes)
    choices = []
    for x, type_ in ((decode(type_, code), type_) for type_, code in zip(own, codes)):
        flushed = [zero_of(type_, x)] if profile.daz and is_subnormal(type_, x) else []
        choices.append([x, *flushed])
    result = ValueSet()
    same = [code for type_, code in zip(own, codes) if type_ is t]
    for chosen in itertools.product(*choices):
        found = _of_values(name, t, list(chosen), profile, room)
        exact = exact_result(name, t, list(chosen))
        if any(x.kind == "nan" for x in chosen):  # whose sign stays in functions
            exact = chosen[0] if name in REAL_FUNCTIONS else NAN
        result.join(with_axes(t, found, profile, same, nan_code(t, exact)))
    return result


def _of_values(name: str, t: Type, values: list[Real], profile: Profile,
               room: Fraction) -> ValueSet:
    exact = exact_result(name, t, values)
    bounds = None
    if any(v.kind == "nan" for v in values):
        return rounded(t, exact)
    if name not in EXACT or name == "divide":
        bounds = bounds_of(profile.level, name, t)
    if bounds is None:
        found = rounded(t, exact)
    else:
        x = values[0].value if len(values) == 1 and values[0].is_number else None
        bound = next(b for b in bounds if b.holds_for(x))
        found = admitted(name, t, exact, bound, x, room)
    if profile.ftz and exact.is_number:
        add_flushed(t, found, exact)
    kept = profile.axis("excess-precision") == "allowed" or (
        name == "multiply" and profile.axis("contraction") == "fma")
    if kept and exact.is_number and exact.value != 0:
        found.join(unrounded(t, exact.value))
    return found


def add_flushed(t: Type, found: ValueSet, exact: Real) -> None:
    """Zero beside subnormal results, and beside an exact value below the normal numbers."""
    if t.family == "e8m0":
        return
    subnormal = (1 << t.mantissa) - 1
    below = -1 - t.has_negative_zero
    if any(low <= subnormal and high >= 1 for low, high in list(found.ranges)):
        found.add(0, 0)
    if any(low <= below and high >= below - subnormal + 1 for low, high in list(found.ranges)):
        found.add(-t.has_negative_zero, -t.has_negative_zero)
    if exact.value != 0 and abs(exact.value) < t.least_normal:
        zero = -1 if exact.negative and t.has_negative_zero else 0
        found.add(zero, zero)


def nan_code(t: Type, x: Real) -> int | None:
    """The NaN that the value is when it is rounded, if it is one."""
    code = encode(t, x)
    return code if decode(t, code).kind == "nan" else None


def with_axes(t: Type, found: ValueSet, profile: Profile, codes: list[int],
              reference: int | None) -> ValueSet:
    """The axes of zeros and NaN; `codes` are those of the operands, and `reference` is the NaN
    that the exact value gives, if it gives one."""
    if profile.axis("zero-sign") == "lax" and t.has_negative_zero:
        if any(low <= 0 and high >= -1 for low, high in found.ranges):
            found.add(-1, 0)
    if found.nan is None:
        return found
    rule = profile.axis("nan")
    if rule == "free" and reference is not None:
        return found.join(everything(t))
    if rule == "canonical" and (reference is not None or t.family == "ieee"):
        found.nan = None
        found.add_code(t, t.nan if reference is None else reference)
    if rule == "payload":
        nans = [code for code in codes if decode(t, code).kind == "nan"]
        found.nan = None if nans else ANY
        for code in nans:
            found.add_code(t, quieted(t, code))
    return found


def kept(t: Type, code: int, profile: Profile, may_be_quieted: bool) -> ValueSet:
    """The NaN as the reference leaves it, or by the axis another one."""
    found = single(t, code)
    rule = profile.axis("nan")
    if rule == "payload" and may_be_quieted:
        found.add_code(t, quieted(t, code))
    if rule == "any":
        found.add_nan()
    return found.join(everything(t)) if rule == "free" else found
