"""convert: every pair of types, one rounding (spec/ops/convert.md)."""

from dataclasses import replace
from fractions import Fraction

from assaygen import arrays, pools, refused, types, values
from assaygen.cases import Case, bits, interval
from assaygen.program import Program
from assaygen.streams import Stream

WHY = refused.WHY | {
    "Pair": "each type into each other one: ties, overflow, truncation, NaN",
    "Random": "random bits of the source type",
}


def to_float(target, value):
    return types.encode(target, value)


def to_int(target, value):
    """Truncated toward zero, saturated; NaN is 0."""
    if value.is_nan:
        return 0
    if value.is_inf:
        whole = target.high if value.sign > 0 else target.low
    else:
        whole = int(value.exact)
    return target.wrap(min(max(whole, target.low), target.high))


def value_of(source, code):
    """The value of a code of a real type."""
    if source.kind == "float":
        return types.decode(source, code)
    number = code if source.kind == "pred" else source.integer(code)
    return values.number(Fraction(number))


def rule(source, target, code):
    if source is target:
        return code
    if source.kind == "complex":
        part = types.component(source)
        return tuple(types.encode(types.component(target), types.decode(part, c))
                     for c in code)
    value = value_of(source, code)
    if target.kind == "complex":
        part = types.component(target)
        return types.encode(part, value), 0
    return of_value(source, target, value)


def of_value(source, target, value):
    """The code in a real type of the value of a code of another."""
    if target.kind == "pred":
        return int(not value.is_zero)
    if target.kind == "int":
        if source.kind in ("int", "pred"):
            return target.wrap(int(value.exact))
        return to_int(target, value)
    return to_float(target, value)


def ties(target, source):
    """Codes of `source` near the midpoints between codes of `target`."""
    found = []
    for code in pools.specials(target):
        value = types.decode(target, code)
        if value.kind != "finite" or value.sign < 0:
            continue
        after = types.decode(target, code + 1) if code < target.max_finite else value
        if after.kind != "finite":
            continue
        middle = types.encode(source, values.number((value.exact + after.exact) / 2))
        found += [middle - 1, middle, middle + 1]
    return [c for c in found if 0 < c < source.max_finite]


def whole_ties(target, source):
    """Codes of integers at and beside the midpoints between two of `target`, of which one is
    even: what another format rounds to such a midpoint first is rounded twice."""
    digits = target.mantissa + 1
    found = []
    for top in sorted({source.bits - 2, source.bits - 5, digits + 1}):
        if digits < top < source.bits - 1:
            half = 1 << top - digits
            middles = [(1 << top) + half, (1 << top) + 3 * half]
            found += [sign * (middle + step) for middle in middles for step in (-1, 0, 1)
                      for sign in (1, -1) if sign > 0 or source.low < 0]
    return [source.wrap(number) for number in found]


def codes(source, target):
    stream = Stream("convert", source.name, target.name)
    found = pools.unary_codes(source, stream, 24)
    if source.kind != "complex" and source.bits == 8:
        found = pools.specials(source) + found[:: 5]
    if source.name in ("f32", "f64") and target.kind == "float":
        found = found + ties(target, source)
    if source.kind == "int" and target.kind == "float":
        found = found + whole_ties(target, source)
    if source.kind == "float" and source.bits > 8 and target.kind == "int":
        walls = [target.low, target.high, target.high + 1, target.low - 1]
        halves = [Fraction(2 * x + 1, 2) for x in (*walls, 0, 1, -1)]
        found = found + [types.encode(source, values.number(x)) for x in walls + halves]
    if target.specials == "finite" and source.specials in ("fnuz", "e8m0"):
        found = [c for c in found if c != source.nan]  # a NaN without sign
    return found


ROWS = [
    ("C1", "other sizes", "f32[2]", "s32[3] convert(p0)"),
    ("C1", "another rank", "f32[2]", "s32[2,1] convert(p0)"),
    ("C1", "a tuple", "(f32[2])", "s32[2] convert(p0)"),
    ("C2", "complex to integer", "c64[2]", "s32[2] convert(p0)"),
    ("C2", "complex to pred", "c128[2]", "pred[2] convert(p0)"),
]


def expectation(operand, result):
    """To the same type it is a copy: NaNs keep their bits. In a format without NaN a zero
    stands for it, whose sign is open as that of a NaN is."""
    source, target = operand.type, result.type
    if source is target:
        return bits(result, "same")
    is_nan = {code for code in set(operand.codes)
              if source.kind == "float" and types.decode(source, code).is_nan}
    if target.kind == "complex" and types.component(target) is source:
        return copied_or_quiet(operand, result, is_nan)
    if target.specials != "finite" or not is_nan:
        return bits(result)
    low, high = (
        replace(result, codes=tuple(zero if a in is_nan else b
                                    for a, b in zip(operand.codes, result.codes)))
        for zero in (target.sign_mask, 0))
    return interval(result, low, high)


def copied_or_quiet(operand, result, is_nan):
    """The real part of a signaling NaN may be itself, as a copy leaves it, or any quiet one."""
    quiet = 1 << operand.type.mantissa - 1
    copied = replace(result, codes=tuple((a, b[1]) if a in is_nan and not a & quiet else b
                                         for a, b in zip(operand.codes, result.codes)))
    if not is_nan:
        return bits(result)
    found = interval(result, result, result)
    if copied != result:
        found["also"] = [{"low": copied.text(), "high": copied.text()}]
    found["nans"] = "".join("10" if a in is_nan else "00" for a in operand.codes)
    return found


def cases():
    for source in types.ALL:
        for target in types.ALL:
            if source.kind == "complex" and target.kind != "complex":
                continue
            operand = arrays.of(source, codes(source, target))
            result = arrays.of(target, (rule(source, target, c) for c in operand.codes))
            program = Program("m", [operand]).root(result.shape, "convert(p0)")
            yield Case(f"{target.name}/from_{source.name}",
                       f"{source.name} into {target.name}", program,
                       [expectation(operand, result)], ["Pair", "Random"])
    yield from refused.cases("convert", ROWS)
