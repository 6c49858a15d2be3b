"""Random element-wise programs."""

from __future__ import annotations

import elementwise
from cases import Array, Case, module, parameters
from exact_functions import UNARY
from formats import FLOATS, TYPES, Type
from profiles import parse
from streams import Stream
from values import any_code, base_of_end, near

COUNT = 24
OF_ONE = [*UNARY, "ceil", "floor", "round-nearest-even", "round-nearest-afz", "sign"]
OF_TWO = ["add", "subtract", "multiply", "divide", "remainder", "maximum", "minimum", "power",
          "atan2"]
MIXED = ["add", "subtract", "multiply", "divide", "remainder", "maximum", "minimum"]
LEVELS = ["tight", "cr", "faithful", "opencl-full", "xla-exhaustive", "relaxed", "exact"]
AXES = ["", ",subnormals=daz", ",subnormals=ftz", ",subnormals=daz+ftz", ",zero-sign=lax",
        ",nan=free", ",nan=canonical", ",nan=payload", ",contraction=fma",
        ",excess-precision=allowed"]


def any_profile(s: Stream) -> str:
    """The default one for half of the programs."""
    if s.chance(2):
        return "tight"
    return s.one_of(LEVELS) + (s.one_of(AXES) if s.chance(2) else "")


def any_float(s: Stream) -> Type:
    """The wide types for three of four programs."""
    names = ["f32", "f16", "bf16"] * 2 + ["f64"]
    return TYPES[s.one_of(names)] if not s.chance(4) else s.one_of(FLOATS)


def float_case(name: str, s: Stream) -> Case:
    """An operation on floats of one type."""
    operation = s.one_of([*OF_ONE, *OF_TWO, *OF_TWO, "clamp"])
    t = any_float(s)
    profile = any_profile(s)
    count = 1 if operation in OF_ONE else 3 if operation == "clamp" else 2
    rows = [_operands(t, count, s) for _ in range(COUNT)]
    if operation == "power":
        rows = [[base_of_end(t, y, s), y] if s.chance(3) else [x, y] for x, y in rows]
    inputs = [Array(t, (COUNT,), [row[k] for row in rows]) for k in range(count)]
    result = f"ROOT r = {t.name}[{COUNT}] {operation}({', '.join(f'p{k}' for k in range(count))})"
    sets = [elementwise.element(operation, t, row, parse(profile)) for row in rows]
    return Case(name, "function" if operation in UNARY else "exact", operation, profile,
                module([*parameters(inputs), result]), inputs, [(t, (COUNT,))], [sets])


def mixed_case(name: str, s: Stream) -> Case:
    """An operation on floats of two types, with the result in a third."""
    types, t = [any_float(s), any_float(s)], any_float(s)
    operation, profile = s.one_of(MIXED), any_profile(s)
    inputs = [Array(own, (COUNT,), [any_code(own, s) for _ in range(COUNT)]) for own in types]
    result = f"ROOT r = {t.name}[{COUNT}] {operation}(p0, p1)"
    rows = [list(row) for row in zip(*(x.codes for x in inputs))]
    sets = [elementwise.element(operation, t, row, parse(profile), types) for row in rows]
    return Case(name, "mixed", operation, profile, module([*parameters(inputs), result]), inputs,
                [(t, (COUNT,))], [sets])


def _operands(t: Type, count: int, s: Stream) -> list[int]:
    codes = [any_code(t, s)]
    while len(codes) < count:
        codes.append(near(t, codes[0], s) if s.chance(4) else any_code(t, s))
    return codes
