"""Random programs on complex numbers: sums of any parts, and other results of parts that are
numbers other than zero."""

from __future__ import annotations

from fractions import Fraction

import complex_rules
import elementwise
from cases import Array, Case, module, parameters
from formats import PARTS, TYPES, Type, decode
from profiles import Profile, parse
from streams import Stream
from values import any_code, middling, near

COUNT = 16
OF_TWO = ["multiply", "divide"]


def _part(t: Type, s: Stream, wild: bool) -> int:
    while True:
        code = any_code(t, s) if wild else middling(t, s, 3)
        value = decode(t, code)
        if value.is_number and value.value:
            return code


def _wide(name: str) -> bool:
    """Whether the operation has no exponentials that leave every range."""
    return name in (*OF_TWO, "abs", "sign", "sqrt", "rsqrt", "log")


LEVELS = ["tight", "cr", "faithful", "exact", "opencl-full"]
AXES = ["", ",subnormals=ftz", ",zero-sign=lax", ",nan=free", ",nan=canonical"]
OF_SUMS = [*AXES, ",subnormals=daz", ",subnormals=daz+ftz"]


def _sets(name: str, t: Type, profile: Profile, values: list[tuple[Fraction, Fraction]]) -> list:
    if name in ("multiply", "divide"):
        return getattr(complex_rules, name)(t, profile, *values)
    if name == "abs":
        return complex_rules.absolute(t, profile, values[0])
    return complex_rules.function(name, t, profile, values[0])


def complex_sum_case(name: str, s: Stream) -> Case:
    """Each part is a sum of floats by itself."""
    own = TYPES[s.one_of(["c64", "c128"])]
    t = PARTS[own.name]
    operation = s.one_of(["add", "subtract"])
    text = s.one_of(LEVELS) + s.one_of(OF_SUMS)
    rows = []
    for _ in range(COUNT):
        x = (any_code(t, s), any_code(t, s))
        y = tuple(near(t, part, s) if s.chance(4) else any_code(t, s) for part in x)
        rows.append((x, y))
    inputs = [Array(own, (COUNT,), [row[k] for row in rows]) for k in range(2)]
    sets = [elementwise.element(operation, t, list(parts), parse(text))
            for row in rows for parts in zip(*row)]
    return Case(name, "complex-sum", operation, text,
                module([*parameters(inputs), f"ROOT r = {own.name}[{COUNT}] {operation}(p0, p1)"]),
                inputs, [(own, (COUNT,))], [sets])


def complex_case(name: str, s: Stream) -> Case:
    own = TYPES[s.one_of(["c64", "c64", "c128"])]
    t = PARTS[own.name]
    operation = s.one_of([*OF_TWO, *OF_TWO, "abs", *complex_rules.FUNCTIONS])
    count = 2 if operation in OF_TWO else 1
    rows = []
    for _ in range(COUNT):
        wild = _wide(operation) and s.chance(2)
        row = [(_part(t, s, wild), _part(t, s, wild))]
        if count == 2:
            row.append((_part(t, s, wild), _part(t, s, wild)))
        if s.chance(4):  # parts that cancel in products
            row[0] = (row[0][0], near(t, row[0][0], s) if not wild else row[0][1])
        rows.append(row)
    inputs = [Array(own, (COUNT,), [row[k] for row in rows]) for k in range(count)]
    result = t if operation == "abs" else own
    text = module([*parameters(inputs), f"ROOT r = {result.name}[{COUNT}] {operation}("
                   + ", ".join(f"p{k}" for k in range(count)) + ")"])
    profile = "tight" if s.chance(2) else s.one_of(LEVELS) + s.one_of(AXES)
    sets = []
    for row in rows:
        values = [tuple(decode(t, part).value for part in z) for z in row]
        sets += _sets(operation, t, parse(profile), values)
    return Case(name, "complex", operation, profile, text, inputs, [(result, (COUNT,))], [sets])
