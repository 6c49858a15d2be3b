"""Regions that join elements, and what a list of elements joined gives.

A combiner is the name of an operation. Where the order matters (sums of floats),
the result is an interval; the values of the other floats are drawn such that it
does not.
"""

from __future__ import annotations

import math
from fractions import Fraction

from assaygen import arrays, pools, sums, types, values
from assaygen.arrays import Array
from assaygen.cases import bits, interval
from assaygen.streams import Stream
from assaygen.types import Type

INTEGER = {
    "add": lambda a, b: a + b,
    "multiply": lambda a, b: a * b,
    "minimum": min,
    "maximum": max,
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
    "subtract": lambda a, b: a - b,
}
EXTREMES = {"minimum": values.minimum, "maximum": values.maximum}


def names(t: Type) -> list[str]:
    """The combiners of a type whose result depends on no order but by rounding."""
    if t.kind == "pred":
        return ["and", "or", "xor"]
    if t.kind == "int":
        return [name for name in INTEGER if name != "subtract"]
    if t.kind == "complex":
        return ["add"]
    if t.specials == "e8m0":
        return list(EXTREMES)
    return [*EXTREMES, "add", "add"] + ["multiply"] * (t.bits >= 16)


def draw(stream: Stream) -> tuple[Type, str]:
    """A type, floats more often than there are, and a combiner of it."""
    t = stream.choice(types.FLOATS if stream.bits(1) else types.ALL)
    return t, stream.choice(names(t))


def source(t: Type, name: str, stream: Stream):
    """A function that draws codes: anything where nothing rounds, normal numbers
    of one binade for sums, powers of two for products."""
    if t.kind == "complex":
        return lambda: tuple(whole(types.component(t), stream) for _ in range(2))
    if t.kind != "float":
        return lambda: stream.bits(t.bits)
    if name == "multiply":
        steps = (-1, 1, 0, 0, 0, 0, 0, 0)
        return lambda: _signed(t, (t.bias + stream.choice(steps)) << t.mantissa, stream)
    if name == "add" and t.mantissa >= 7:
        one = (t.bias - 2) << t.mantissa
        return lambda: _signed(t, one + stream.below(1 << t.mantissa), stream)
    if name == "add":
        return lambda: types.encode(t, values.number(stream.below(8) == 0))
    special = pools.specials(t)
    return lambda: (stream.choice(special) if stream.below(4) == 0
                    else stream.bits(t.bits))


def whole(t, stream):
    return types.encode(t, values.number((1 + stream.below(9)) * (1 - 2 * stream.bits(1))))


def _signed(t, code, stream):
    return code | (t.sign_mask if stream.bits(1) else 0)


def joined(t: Type, name: str, codes: list) -> tuple:
    """(value, least, greatest) of all codes joined; a single one stays as it is, and
    of updates, positive codes without gaps, any may be the last."""
    if len(codes) == 1:
        return (codes[0],) * 3
    if name == "update":
        return codes[-1], min(codes[1:]), max(codes[1:])
    if t.kind == "complex":
        part = types.component(t)
        return tuple(zip(*(joined(part, name, [c[k] for c in codes]) for k in range(2))))
    if t.kind == "float":
        return _floats(t, name, [types.decode(t, c) for c in codes])
    result = t.integer(codes[0])
    for code in codes[1:]:
        result = INTEGER[name](result, t.integer(code))
    return (t.wrap(result),) * 3


def _floats(t, name, terms):
    if name == "add":
        return sums.codes(t, [v.exact for v in terms], products=False)
    if name == "multiply":
        return _product(t, terms)
    result = terms[0]
    for v in terms[1:]:
        result = EXTREMES[name](result, v)
    return (types.encode(t, result),) * 3


def _product(t, terms):
    """Of numbers no product of which leaves the normal range; each rounding but one may err
    (spec/conformance.md, Sums)."""
    steps = [types.floor_log2(v.magnitude) for v in terms]
    assert -t.bias + 1 < sum(min(x, 0) for x in steps)
    assert sum(max(x, 0) for x in steps) < t.bias
    exact = math.prod(v.exact for v in terms)
    k = len(terms) - 1
    grown = 2 * ((1 + sums.unit(t)) ** k - 1) + Fraction(k, 1 << 53)
    return sums.around(t, exact, grown * abs(exact))


def expectation(t: Type, dims, triples: list, nan: str = "any") -> dict:
    """The set of an array of elements (value, least, greatest)."""
    three = [Array(t, tuple(dims), tuple(c)) for c in zip(*triples)]
    if not three or three[1] == three[2]:
        return bits(three[0] if three else Array(t, tuple(dims), ()), nan)
    return interval(*three)


def once(t: Type, dims, triples: list, nan: str) -> dict:
    """The same where no element is joined more than once: nothing is open."""
    return expectation(t, dims, [(value,) * 3 for value, *_ in triples], nan)


def is_open(expect: dict) -> bool:
    return "interval" in expect


def region(kinds: list[tuple[Type, str]], label: str = "f") -> str:
    """(a0, a1, .., b0, b1, ..) -> (a0 with b0, a1 with b1, ..)."""
    n = len(kinds)
    lines = [f"{'ab'[k // n]}{k % n} = {kinds[k % n][0].name}[] parameter({k})"
             for k in range(2 * n)]
    body = [f"{t.name}[] {call(name, f'a{k}', f'b{k}')}"
            for k, (t, name) in enumerate(kinds)]
    if n == 1:
        lines.append(f"ROOT c = {body[0]}")
    else:
        lines += [f"c{k} = {text}" for k, text in enumerate(body)]
        shapes = ", ".join(f"{t.name}[]" for t, _ in kinds)
        lines.append(f"ROOT c = ({shapes}) tuple({', '.join(f'c{k}' for k in range(n))})")
    return f"{label} {{\n  " + "\n  ".join(lines) + "\n}"


def call(name: str, a: str, b: str) -> str:
    """What a combiner makes of two scalars; `update` is the second alone."""
    return f"copy({b})" if name == "update" else f"{name}({a}, {b})"


def shape(results: list[Array]) -> str:
    """One array, or the tuple of several."""
    shapes = [x.shape for x in results]
    return shapes[0] if len(shapes) == 1 else f"({', '.join(shapes)})"


def updates(t: Type, base: int, count: int) -> list[int]:
    """Codes of several updates of one element: without gaps where the type has
    intervals, else the same."""
    if t.kind != "float" or t.bits < 8 or t.specials == "e8m0":
        return [base] * count
    first = (t.bias << t.mantissa) + base % (1 << t.mantissa)
    return [first + (k + 1) % count for k in range(count)]


def parameters(count: int) -> str:
    return ", ".join(f"p{k}" for k in range(count))




def identity(t: Type, name: str):
    """The code that changes nothing where it is joined, however often."""
    if name in ("minimum", "maximum"):
        sign = 1 if name == "minimum" else -1
        if t.kind == "float":
            if t.specials == "e8m0":
                return t.max_finite if sign > 0 else 0
            largest = t.max_finite + (t.specials == "ieee")
            return largest | (t.sign_mask if sign < 0 else 0)
        return t.wrap(t.high if sign > 0 else t.low)
    if t.kind == "complex":
        return (identity(types.component(t), name),) * 2
    if name == "multiply":
        return arrays.from_number(t, 1)
    return t.wrap(-1) if name == "and" else 0


def drawn(t: Type, name: str, dims, stream: Stream) -> Array:
    one = source(t, name, stream)
    return arrays.build(t, dims, lambda _: one())
