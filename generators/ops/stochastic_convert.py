"""stochastic-convert: truncation and a comparison, in exact fractions
(spec/ops/stochastic_convert.md)."""

from fractions import Fraction

from assaygen import arrays, pools, refused, types, values
from assaygen.cases import Case, bits
from assaygen.program import Program
from assaygen.streams import Stream
from assaygen.values import Value

WHY = refused.WHY | {
    "Random": "random numbers and random bits",
    "Edge": "fractions and random bits at the edge of the comparison",
    "Special": "zeros, walls of the range, infinities and NaN",
    **pools.LAYOUT_WHY,
}
BY = types.BY_NAME
SOURCES = [BY[n] for n in ("f16", "bf16", "f32", "f64", "f8e5m2", "f8e4m3fn")]
INTEGERS = [BY[n] for n in ("s4", "s8", "s16", "s32", "s64")]
FLOATS = [BY[n] for n in ("f16", "bf16", "f32", "f8e5m2", "f8e4m3fn", "f8e4m3fnuz")]

# Types of results, and of operands, with fewer cases.
OTHERS = [t for t in types.ALL if t not in INTEGERS + FLOATS
          and (t.signed or t.kind == "float")]
NARROW = [t for t in types.FLOATS if f"u{t.bits}" in BY and t not in SOURCES]


def goes_up(random: int, fraction: Fraction, width: int) -> bool:
    return random < int(fraction * (1 << width))


def to_integer(t, x: Value, random: int, width: int) -> int:
    if x.is_nan:
        return 0
    if x.is_inf:
        return t.wrap(t.high if x.sign > 0 else t.low)
    whole = int(x.magnitude)
    whole += goes_up(random, x.magnitude - whole, width)
    return t.wrap(min(max(x.sign * whole, t.low), t.high))


def to_float(t, x: Value, random: int, width: int) -> int:
    code = types.encode(t, x)
    if x.kind != "finite" or types.decode(t, code).kind not in ("finite", "zero"):
        return code
    sign = code & t.sign_mask if x.sign > 0 or t.specials != "fnuz" else t.sign_mask
    low = code & ~t.sign_mask
    if types.decode(t, low).magnitude > x.magnitude and low > 0:
        low -= 1
    exact = types.decode(t, low).magnitude
    if exact > x.magnitude:  # below the least number of a format without zero
        return code
    high = types.decode(t, low + 1) if low < t.max_finite else None
    if exact == x.magnitude or high is None:
        return code
    up = goes_up(random, (x.magnitude - exact) / (high.magnitude - exact), width)
    result = low + up
    return result if result == 0 and t.specials == "fnuz" else sign | result


def rule(t):
    return to_integer if t.kind == "int" else to_float


def case(source, t, rows, name, why):
    rows = [(x, r) for x, r in rows]
    unsigned = BY[f"u{source.bits}"]
    x = arrays.of(source, (row[0] for row in rows))
    random = arrays.of(unsigned, (row[1] for row in rows))
    expect = arrays.of(t, (rule(t)(t, types.decode(source, c), r, source.bits)
                           for c, r in rows))
    program = Program("m", [x, random]).root(expect.shape, "stochastic-convert(p0, p1)")
    return Case(f"{source.name}/to_{t.name}_{name}", f"{source.name} to {t.name} by chance",
                program, [bits(expect)], why)


def near_edge(source, stream):
    """A number with a fraction, and random bits at the fraction or one beside."""
    sign = -1 if stream.bits(1) else 1
    x = Fraction(stream.below(64), 16) * sign
    code = types.encode(source, values.number(x))
    exact = types.decode(source, code).magnitude
    edge = int((exact - int(exact)) * (1 << source.bits))
    random = min(max(edge - 1 + stream.below(3), 0), (1 << source.bits) - 1)
    return code, random


def random_row(source, stream):
    return pools.random_code(source, stream), stream.bits(source.bits)


ROWS = [
    ("C1", "complex numbers", "c64[2] ; u64[2]", "s8[2] stochastic-convert(p0, p1)"),
    ("C1", "integers", "u32[2] ; u32[2]", "s8[2] stochastic-convert(p0, p1)"),
    ("C2", "a wider random number", "bf16[2] ; u32[2]", "s8[2] stochastic-convert(p0, p1)"),
    ("C2", "a signed random number", "f32[2] ; s32[2]", "s8[2] stochastic-convert(p0, p1)"),
    ("C3", "other sizes", "f32[2] ; u32[1]", "s8[2] stochastic-convert(p0, p1)"),
    ("C3", "a scalar random number", "f32[2] ; u32[]", "s8[2] stochastic-convert(p0, p1)"),
    ("C4", "to unsigned integers", "f32[2] ; u32[2]", "u32[2] stochastic-convert(p0, p1)"),
    ("C4", "to pred", "f32[2] ; u32[2]", "pred[2] stochastic-convert(p0, p1)"),
]


def laid_out():
    """Every shape, and every layout of operands and result."""
    source, unsigned, t = BY["f32"], BY["u32"], BY["s8"]
    laid = [(f"shape_{'x'.join(map(str, dims)) or 'scalar'}", dims, ("", "", ""), "Shape")
            for dims in pools.SHAPES]
    around = pools.LAYOUTS * 2
    laid += [(f"layout_{i}", (5, 6), around[i:i + 3], "Layout")
             for i in range(len(pools.LAYOUTS))]
    for name, dims, layouts, why in laid:
        stream = Stream("stochastic_convert", name)
        x = arrays.build(source, dims, lambda _: near_edge(source, stream)[0])
        random = arrays.random_bits(unsigned, dims, stream)
        codes = (to_integer(t, types.decode(source, c), r, 32)
                 for c, r in zip(x.codes, random.codes))
        result = arrays.Array(t, dims, tuple(codes), layouts[2])
        inputs = [x.with_layout(layouts[0]), random.with_layout(layouts[1])]
        program = Program("m", inputs).root(result.shape, "stochastic-convert(p0, p1)")
        yield Case(f"f32/{name}", f"an array of shape {list(dims)}", program, [bits(result)],
                   [why])


def cases():
    yield from laid_out()
    for source in SOURCES:
        for t in [*INTEGERS, *FLOATS]:
            stream = Stream("stochastic_convert", source.name, t.name)
            rows = [random_row(source, stream) for _ in range(48)]
            yield case(source, t, rows, "random", ["Random"])
            most = (1 << source.bits) - 1
            special = [(c, r) for c in pools.float_specials(source) for r in (0, most // 2, most)]
            yield case(source, t, special, "special", ["Special"])
        for t in OTHERS:
            stream = Stream("stochastic_convert", source.name, t.name)
            yield case(source, t, [random_row(source, stream) for _ in range(24)] +
                       [near_edge(source, stream) for _ in range(24)], "random", ["Random", "Edge"])
        for t in INTEGERS[:3]:
            stream = Stream("stochastic_convert", "edge", source.name, t.name)
            rows = [near_edge(source, stream) for _ in range(48)]
            yield case(source, t, rows, "edge", ["Edge"])
    for source in NARROW:
        for t in [*INTEGERS[:2], BY["f4e2m1fn"], BY["f8e8m0fnu"], BY["f8e5m2"], BY["f32"]]:
            stream = Stream("stochastic_convert", source.name, t.name)
            rows = [(code, stream.bits(source.bits)) for code in range(1 << source.bits)]
            yield case(source, t, rows, "all", ["Random", "Special"])
    yield from refused.cases("stochastic-convert", ROWS)
