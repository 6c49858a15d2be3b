"""rng: the reference's draws from Philox, in exact fractions, each in the range
that a backend may return (spec/ops/rng.md)."""

from fractions import Fraction

import mpmath

from assaygen import arrays, functions, pools, random123, types, values
from assaygen.arrays import Array
from assaygen.cases import Case, bits, interval, rejected
from assaygen.program import Program, scalar_region

WHY = {
    "Range": "no number leaves the interval; its upper end is never drawn",
    "Single": "an interval of one number, or no deviation: that number",
    "Wide": "b - a is beyond the largest number",
    "State": "each array continues where the one before ended",
    "Share": "many numbers are counted: each part of the range has its share, within "
             "eight standard deviations",
    "Shape": pools.LAYOUT_WHY["Shape"],
    "Layout": pools.LAYOUT_WHY["Layout"],
    "Rejected": "a rule of the page is violated",
}
BY = types.BY_NAME
UNIFORM = [t for t in types.FLOATS if t.specials != "e8m0"]
NORMAL = [BY[n] for n in ("f16", "bf16", "f32", "f64", "f8e5m2", "f8e5m2fnuz")]
ALL_BITS = 1 << 128


def block(i: int) -> int:
    """The random number of 128 bits of element i, counted from the first one that
    the program draws."""
    words = random123.philox(random123.words(i, 4), (0, 0))
    return sum(word << 32 * k for k, word in enumerate(words))


def below(t, code):
    """The next code downwards."""
    if code & ~t.sign_mask == 0:
        return t.sign_mask | 1
    return code + 1 if code & t.sign_mask else code - 1


def rounded_down(t, x: Fraction) -> int:
    code = types.encode(t, values.number(x))
    return below(t, code) if types.decode(t, code).exact > x else code


def rounded_up(t, x: Fraction) -> int:
    code = rounded_down(t, -x)
    return code if code == 0 and t.specials == "fnuz" else code ^ t.sign_mask


def minus_zero(t, code):
    """Either zero counts where an end is zero."""
    return t.sign_mask if code == 0 and t.specials != "fnuz" else code


def uniform_float(t, a, b, r):
    low, high = types.decode(t, a).exact, types.decode(t, b).exact
    p = t.mantissa + 1
    return rounded_down(t, low + (high - low) * Fraction(r >> (128 - p), 1 << p))


def uniform_integer(t, a, b, r):
    low, high = (t.integer(x) if t.kind == "int" else x for x in (a, b))
    return t.wrap(low + (high - low) * r // ALL_BITS)


def to_f64(x) -> Fraction:
    code = types.encode(types.F64, values.number(x))
    return types.decode(types.F64, code).exact


def by_mpmath(evaluate, x: Fraction) -> Fraction:
    code, _ = functions.round_real(types.F64, evaluate, x)
    return types.decode(types.F64, code).exact


def deviation(r) -> Fraction:
    """Box and Muller's transformation, each step rounded to f64."""
    u = Fraction((r >> 75) + 1, 1 << 53)
    v = Fraction(r % (1 << 64) >> 11, 1 << 53)
    square = -2 * (by_mpmath(mpmath.log, u) if u != 1 else 0)
    code = functions.square_root(types.F64, types.encode(types.F64, values.number(square)))
    radius = types.decode(types.F64, code).exact
    two_pi = by_mpmath(lambda _: 2 * mpmath.pi, Fraction(1))
    angle = to_f64(two_pi * v)
    return to_f64(radius * (by_mpmath(mpmath.cos, angle) if angle else 1))


def normal_float(t, a, b, r):
    mean, spread = types.decode(t, a).exact, types.decode(t, b).exact
    return types.encode(t, values.number(mean + spread * deviation(r)))


def ends_of_uniform(t, a, b):
    if a == b:
        return a, a
    if t.kind != "float":
        return a, t.wrap((t.integer(b) if t.kind == "int" else b) - 1)
    top = below(t, minus_zero(t, b) if types.decode(t, b).is_zero else b)
    return minus_zero(t, a), top


def ends_of_normal(t, a, b):
    mean, spread = types.decode(t, a).exact, types.decode(t, b).exact
    reach = 128 * spread + 8 * abs(mean) / (1 << (t.mantissa + 1))
    return rounded_down(t, mean - reach), rounded_up(t, mean + reach)


def drawn(t, dims, a, b, kind, first=0):
    """The reference's numbers and the set of what a backend may draw."""
    rule = {"rng_normal": normal_float,
            "rng_uniform": uniform_float if t.kind == "float" else uniform_integer}[kind]
    every = Array(t, dims, ())
    found = arrays.build(t, dims, lambda i: rule(t, a, b, block(first + every.position(i))))
    low, high = (ends_of_normal if kind == "rng_normal" else ends_of_uniform)(t, a, b)
    return found, interval(found, arrays.splat(t, dims, low), arrays.splat(t, dims, high))


def one(t, dims, a, b, kind, what, why, layout=""):
    inputs = [Array(t, (), (a,)), Array(t, (), (b,))]
    found, expect = drawn(t, dims, a, b, kind)
    program = Program("m", inputs).root(found.with_layout(layout).shape,
                                        f"rng(p0, p1), distribution={kind}")
    return Case(f"{t.name}/{kind[4:]}_{what}", f"{kind} of an array of shape {list(dims)}",
                program, [expect], why)


def code(t, x):
    return types.encode(t, values.number(Fraction(x)))


def of_floats():
    for t in UNIFORM:
        one_, two, most = code(t, 1), code(t, 2), t.max_finite
        rows = [("unit", 0, one_, "Range"), ("signed", code(t, -1), one_, "Range"),
                ("binade", one_, two, "Range"), ("negative", code(t, -2), code(t, -1), "Range"),
                ("from_below", code(t, -1), 0, "Range"), ("single", one_, one_ + 1, "Single"),
                ("widest", most | t.sign_mask, most, "Wide")]
        for what, a, b, why in rows:
            yield one(t, (40,), a, b, "rng_uniform", what, [why])


def of_powers():
    """f8e8m0fnu has no sign, and one number in each binade."""
    t = BY["f8e8m0fnu"]
    for what, a, b in (("binade", 127, 128), ("wide", 100, 140), ("two", 120, 122)):
        yield one(t, (40,), a, b, "rng_uniform", what, ["Single" if b == a + 1 else "Range"])


def of_truth():
    """Whatever is drawn is true or false."""
    ends = [Array(types.PRED, (), (x,)) for x in (0, 1)]
    program = Program("m", ends).line("x = pred[64] rng(p0, p1), distribution=rng_uniform")
    program.line("y = pred[64] not(x)").root("pred[64]", "xor(x, y)")
    yield Case("pred/uniform_either", "a truth value and its opposite differ", program,
               [bits(arrays.splat(types.PRED, (64,), 1))], ["Range"])


def of_integers():
    for t in types.INTS:
        ends = [t.low, t.high, 0, 1, 100, -5, 7]
        pairs = [(a, b) for a, b in zip(ends, ends[1:] + ends[:1])]
        pairs = [(min(p), max(p)) for p in [*pairs, (t.high - 1, t.high), (t.low, t.low + 1)]
                 if all(t.low <= x <= t.high for x in p)]
        for a, b in dict.fromkeys(pairs):
            name = f"from_{a}_to_{b}".replace("-", "minus_")
            yield one(t, (24,), t.wrap(a), t.wrap(b), "rng_uniform", name,
                      ["Single" if b == a + 1 else "Range"])


def of_normals():
    for t in NORMAL:
        small = code(t, Fraction(1, 64))
        for what, a, b in (("standard" if t.bits > 8 else "small", 0,
                            code(t, 1) if t.bits > 8 else small),
                           ("moved", code(t, -3), small), ("thin", code(t, 2), code(t, 2**-14))):
            yield one(t, (16,), a, b, "rng_normal", what, ["Range"])
        yield one(t, (5,), code(t, 3), 0, "rng_normal", "without_deviation", ["Single"])


def of_shapes():
    for kind in ("rng_uniform", "rng_normal"):
        for dims in pools.SHAPES:
            name = "x".join(map(str, dims)) or "scalar"
            yield one(types.F32, dims, 0, code(types.F32, 1), kind, f"shape_{name}", ["Shape"])
    for i, layout in enumerate(pools.LAYOUTS):
        yield one(types.F32, (5, 6), 0, code(types.F32, 1), "rng_uniform", f"layout_{i}",
                  ["Layout"], layout)


def of_state():
    """Three arrays in one program, the second of them of another type."""
    parts, expect, lines, first = [], [], [], 0
    for k, (t, dims) in enumerate(((types.F32, (2, 3)), (BY["u8"], (5,)), (types.F64, ()))):
        found, allowed = drawn(t, dims, 0, code(t, 1) if t.kind == "float" else 200,
                               "rng_uniform", first)
        lines += [f"a{k} = {t.name}[] constant(0)",
                  f"b{k} = {t.name}[] constant({1 if t.kind == 'float' else 200})",
                  f"x{k} = {found.shape} rng(a{k}, b{k}), distribution=rng_uniform"]
        parts, expect, first = [*parts, found.shape], [*expect, allowed], first + found.size
    program = Program("m", [])
    for line in lines:
        program.line(line)
    program.root(f"({', '.join(parts)})", "tuple(x0, x1, x2)")
    yield Case("f32/uniform_continued", "arrays take their numbers one after the other",
               program, expect, ["State", "Range"])


N = 16384


def counted(t, what, statement, a, b, kind, good, share):
    """Whether about the share of N numbers is good: `good` are lines that make the
    mask out of x."""
    slack = 8 * int((N * share * (1 - share)) ** 0.5 + 1)
    program = Program("m", []).region(scalar_region("plus", "s32", "s32[] add(a, b)"))
    for line in (f"a = {t.name}[] constant({a})", f"b = {t.name}[] constant({b})",
                 f"x = {t.name}[{N}] rng(a, b), distribution={kind}", *good,
                 f"ones = s32[{N}] convert(mask)", "none = s32[] constant(0)",
                 "count = s32[] reduce(ones, none), dimensions={0}, to_apply=plus",
                 f"least = s32[] constant({int(N * share) - slack})",
                 f"most = s32[] constant({int(N * share) + slack})",
                 "clamped = s32[] clamp(least, count, most)"):
        program.line(line)
    program.root("pred[]", "compare(count, clamped), direction=EQ")
    return Case(f"{t.name}/{kind[4:]}_share_{what}", statement, program,
                [bits(Array(types.PRED, (), (1,)))], ["Share"])


def against(t, limit, direction="LT", x="x"):
    return [f"limit = {t.name}[] constant({limit})",
            f"limits = {t.name}[{N}] broadcast(limit), dimensions={{}}",
            f"mask = pred[{N}] compare({x}, limits), direction={direction}"]


def of_shares():
    for t in (BY["bf16"], types.F32, types.F64):
        for limit, share in (("0", 0.5), ("1", 0.841344746), ("-2", 0.022750132)):
            name = limit.replace("-", "minus_")
            yield counted(t, f"below_{name}", f"the share of a normal distribution below {limit}",
                          0, 1, "rng_normal", against(t, limit), share)
        for limit, share in (("0.25", 0.25), ("0.875", 0.875)):
            yield counted(t, f"below_{limit}", f"the share of numbers below {limit}", 0, 1,
                          "rng_uniform", against(t, limit), share)
    for t in (types.S32, BY["s64"], BY["u16"]):
        for value in (0, 6):
            yield counted(t, f"of_{value}", f"one of seven integers is {value}", 0, 7,
                          "rng_uniform", against(t, value, "EQ"), 1 / 7)
    for kind in ("rng_uniform", "rng_normal"):
        pairs = [f"low = f32[{N}] slice(y), slice={{[0:{N}]}}",
                 f"high = f32[{N}] slice(y), slice={{[1:{N + 1}]}}",
                 f"mask = pred[{N}] compare(low, high), direction=LT"]
        yield counted(types.F32, "rising", "a number is as often above as below the one before",
                      0, 1, kind,
                      [f"y = f32[{N + 1}] rng(a, b), distribution={kind}", *pairs], 0.5)


def refused(t, label, what, inputs, shape, kind):
    operands = ", ".join(f"p{i}" for i in range(len(inputs)))
    program = Program("m", inputs).root(shape, f"rng({operands}), distribution={kind}")
    return Case(f"{t.name}/{what}", f"rng.{label} does not hold", program,
                rejected(f"rng.{label}"), ["Rejected"])


def refusals():
    f, d, s, c = (arrays.iota(t, ()) for t in (types.F32, types.F64, types.S32, types.C64))
    row = arrays.iota(types.F32, (2,))
    yield refused(types.F32, "C1", "arrays", [row, row], "f32[4]", "rng_uniform")
    yield refused(types.F32, "C1", "second_is_array", [f, row], "f32[4]", "rng_uniform")
    yield refused(types.F32, "C1", "one_operand", [f], "f32[4]", "rng_uniform")
    yield refused(types.F32, "C1", "three_operands", [f, f, f], "f32[4]", "rng_normal")
    yield refused(types.F32, "C2", "other_result", [f, f], "f64[4]", "rng_uniform")
    yield refused(types.F32, "C2", "other_second", [f, d], "f32[4]", "rng_uniform")
    yield refused(types.S32, "C3", "normal", [s, s], "s32[4]", "rng_normal")
    p = arrays.iota(types.PRED, ())
    yield refused(types.PRED, "C3", "normal", [p, p], "pred[4]", "rng_normal")
    yield refused(types.C64, "C3", "normal", [c, c], "c64[4]", "rng_normal")
    yield refused(types.C64, "C4", "uniform", [c, c], "c64[4]", "rng_uniform")


def cases():
    for rows in (of_floats, of_powers, of_truth, of_integers, of_normals, of_shapes, of_state, of_shares, refusals):
        yield from rows()
