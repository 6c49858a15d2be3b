"""Random programs of integers, conversions, comparisons and selections."""

from __future__ import annotations

import conversions
import integers
from cases import Array, Case, module, parameters
from formats import FLOATS, INTEGERS, TYPES, Type
from profiles import parse
from programs.programs_elementwise import COUNT, any_float, any_profile
from streams import Stream
from values import any_code, near
from valuesets import ValueSet, single

DIRECTIONS = ["EQ", "NE", "LT", "LE", "GT", "GE"]
PRED = TYPES["pred"]


def case_of(name: str, operation: str, profile: str, inputs: list[Array], t: Type,
            attributes: str, sets: list[ValueSet]) -> Case:
    """A program of one element-wise operation on the parameters."""
    names = ", ".join(f"p{k}" for k in range(len(inputs)))
    result = f"ROOT r = {t.name}[{COUNT}] {operation}({names}){attributes}"
    return Case(name, "exact", operation, profile, module([*parameters(inputs), result]), inputs,
                [(t, (COUNT,))], [sets])


def arrays(t: Type, count: int, s: Stream) -> list[Array]:
    """Operands of which some elements are close to each other."""
    rows: list[list[int]] = []
    for _ in range(COUNT):
        row = [any_code(t, s)]
        while len(row) < count:
            alike = s.chance(3) and t.kind == "float"
            row.append(near(t, row[0], s) if alike else row[0] if s.chance(8) else any_code(t, s))
        rows.append(row)
    return [Array(t, (COUNT,), [row[k] for row in rows]) for k in range(count)]


def integer_case(name: str, s: Stream) -> Case:
    t = s.one_of(INTEGERS)
    choices = [*integers.OF_TWO, *integers.OF_ONE, "clamp"]
    operation = s.one_of([*choices, *integers.SIGNED_ONLY] if t.signed else choices)
    count = 2 if operation in integers.OF_TWO else 3 if operation == "clamp" else 1
    inputs = arrays(t, count, s)
    codes = [integers.apply(operation, t, list(row)) for row in zip(*(x.codes for x in inputs))]
    return case_of(name, operation, any_profile(s), inputs, t, "", [single(t, c) for c in codes])


def convert_case(name: str, s: Stream) -> Case:
    every = [PRED, *INTEGERS, *FLOATS]
    source, t = s.one_of(every), s.one_of(every)
    profile = any_profile(s)
    inputs = arrays(source, 1, s)
    sets = [conversions.convert(source, code, t, parse(profile)) for code in inputs[0].codes]
    return case_of(name, "convert", profile, inputs, t, "", sets)


def sign_case(name: str, s: Stream) -> Case:
    t, profile = any_float(s), any_profile(s)
    operation = s.one_of(["negate", "abs"])
    inputs = arrays(t, 1, s)
    sets = [conversions.changed_sign(operation, t, c, parse(profile)) for c in inputs[0].codes]
    return case_of(name, operation, profile, inputs, t, "", sets)


def finite_case(name: str, s: Stream) -> Case:
    t = any_float(s)
    inputs = arrays(t, 1, s)
    sets = [single(PRED, int(conversions.decode(t, c).is_number)) for c in inputs[0].codes]
    return case_of(name, "is-finite", any_profile(s), inputs, PRED, "", sets)


def compare_case(name: str, s: Stream) -> Case:
    t = any_float(s) if s.chance(2) else s.one_of([PRED, *INTEGERS, *FLOATS])
    direction, profile = s.one_of(DIRECTIONS), any_profile(s)
    total = t.kind == "float" and s.chance(2)
    inputs = arrays(t, 2, s)
    sets = [conversions.compare(direction, total, t, list(row), parse(profile))
            for row in zip(*(x.codes for x in inputs))]
    attributes = f", direction={direction}" + (", type=TOTALORDER" if total else "")
    return case_of(name, "compare", profile, inputs, PRED, attributes, sets)


def select_case(name: str, s: Stream) -> Case:
    t = any_float(s)
    inputs = [Array(PRED, (COUNT,), [s.bits(1) for _ in range(COUNT)]), *arrays(t, 2, s)]
    sets = [single(t, x if p else y) for p, x, y in zip(*(x.codes for x in inputs))]
    return case_of(name, "select", any_profile(s), inputs, t, "", sets)


def precision_case(name: str, s: Stream) -> Case:
    t, profile = any_float(s), any_profile(s)
    exponent, mantissa = s.between(1, 11), s.between(0, 24)
    inputs = arrays(t, 1, s)
    sets = [conversions.reduce_precision(t, code, exponent, mantissa, parse(profile))
            for code in inputs[0].codes]
    attributes = f", exponent_bits={exponent}, mantissa_bits={mantissa}"
    return case_of(name, "reduce-precision", profile, inputs, t, attributes, sets)


def bits_case(name: str, s: Stream) -> Case:
    every = [t for t in [*INTEGERS, *FLOATS] if t.bits >= 4]
    source = s.one_of(every)
    t = s.one_of([x for x in every if x.bits == source.bits])
    inputs = arrays(source, 1, s)
    sets = [single(t, code) for code in inputs[0].codes]
    return case_of(name, "bitcast-convert", any_profile(s), inputs, t, "", sets)


EXACT_KINDS = {
    "integer": integer_case, "convert": convert_case, "sign": sign_case, "finite": finite_case,
    "compare": compare_case, "select": select_case, "precision": precision_case,
    "bits": bits_case,
}
