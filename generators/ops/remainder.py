"""remainder: exact, with the sign of the dividend (spec/ops/remainder.md)."""

from assaygen import arrays, pools, types, values
from assaygen.elements import elementwise
from assaygen.cases import Case, bits
from assaygen.program import Program
from assaygen.streams import Stream

WHY = elementwise.WHY | elementwise.REJECTED | {
    "Pairs": "all pairs of a narrow type",
    "Quotient": "quotients of up to thousands of bits: magnitudes far apart, and a "
                "divisor beside a part of the dividend",
    "Mixed": "operands of two float types: the result has the more precise one",
}


def whole(t, a, b):
    """The sign of a; a itself where b is 0."""
    return a if b == 0 else abs(a) % abs(b) * (1 if a > 0 else -1)


RULE = elementwise.by_class(integer=whole, real=elementwise.lift(values.remainder))
MIXED = [("f16", "f32"), ("f32", "f16"), ("f64", "f32"), ("bf16", "f64"), ("f8e4m3fn", "f16")]


def far_apart(t):
    """Dividends near the largest number, divisors of all magnitudes; and
    multiples of the divisor, which a rounded quotient misses by one."""
    stream = Stream("remainder", "far", t.name)
    rows = []
    for k in range(40):
        a = t.max_finite - stream.below(1 << t.mantissa)
        rows.append((a, 1 + stream.bits(t.bits - 1) % t.max_finite))
        b = pools.finite_float(t, stream)
        multiple = types.decode(t, b)
        if multiple.kind == "finite":
            times = values.number(multiple.exact * (3 + 2 * k))
            near = types.encode(t, times)
            rows += [(near + d, b) for d in (-1, 0, 1)]
    return [row for row in rows if types.decode(t, row[0]).kind == "finite"]


def mixed(first, second):
    """Both operands are converted, exactly, to the result's type."""
    stream = Stream("remainder", "mixed", first.name, second.name)
    wide = max(first, second, key=lambda t: t.mantissa)
    rows = [(pools.finite_float(first, stream), pools.finite_float(second, stream))
            for _ in range(48)]
    x, y = (arrays.of(t, column) for t, column in zip((first, second), zip(*rows)))
    result = arrays.of(wide, (types.encode(wide, values.remainder(
        types.decode(first, a), types.decode(second, b))) for a, b in rows))
    program = Program("m", [x, y]).root(result.shape, "remainder(p0, p1)")
    return Case(f"{first.name}/mixed_with_{second.name}",
                f"remainder of {first.name} by {second.name} is of {wide.name}",
                program, [bits(result)], ["Mixed"])


def cases():
    narrow = [t for t in types.INTS if t.bits <= 4]
    rest = [t for t in types.INTS if t.bits > 4]
    yield from elementwise.exact("remainder", rest + types.FLOATS, 2, RULE)
    for t in narrow:
        pairs = [(a, b) for a in range(1 << t.bits) for b in range(1 << t.bits)]
        yield elementwise.chosen("remainder", "pairs", "remainder of all pairs", t, pairs,
                                 RULE, ["Pairs"])
    for t in types.FLOATS:
        if t.bits > 8:
            yield elementwise.chosen("remainder", "far_apart", "long quotients are exact", t,
                                     far_apart(t), RULE, ["Quotient"])
    for first, second in MIXED:
        yield mixed(types.BY_NAME[first], types.BY_NAME[second])
    yield from elementwise.shapes("remainder", types.F32, 2, RULE)
    yield from elementwise.mismatched("remainder", types.F32, types.S32, "remainder.C1")
    yield from elementwise.mismatched("remainder", types.S32, types.BY_NAME["u32"],
                                      "remainder.C1")
    for t in (types.C64, types.PRED):
        yield elementwise.wrong_type("remainder", t, 2, "remainder.C2")
