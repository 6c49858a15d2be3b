"""scaled-dot: exact sums of products of four numbers (spec/ops/scaled_dot.md)."""

import itertools
from fractions import Fraction

from assaygen import arrays, refused, stated, sums, types, values
from assaygen.cases import Case, interval
from assaygen.program import Program
from assaygen.streams import Stream

WHY = stated.WHY | refused.WHY | {
    "Random": "random shapes, blocks, batches and orders of dimensions",
    "Type": "formats of blocks: f8, f6, f4 with scales of powers of two, and wider ones",
    "Scalar": "a scalar scale, which means 1 whatever it is",
    "Special": "infinities and NaN",
    "Once": "sums that, rounded to f32 or f64 first, lie half way between two results",
}
BY = types.BY_NAME
E8M0 = BY["f8e8m0fnu"]
FORMATS = [("f8e4m3fn", "f8e8m0fnu", "f32"), ("f8e5m2", "f8e8m0fnu", "bf16"),
           ("f4e2m1fn", "f8e4m3fn", "f32"), ("f6e2m3fn", "f8e8m0fnu", "f16"),
           ("bf16", "bf16", "bf16"), ("f32", "f32", "f32"), ("f16", "f32", "f64"),
           ("f8e4m3fn", "f8e8m0fnu", "f64")]


def element(t, stream, few=False):
    """A few numbers are those of which no sum here leaves a type: 1 and a half."""
    if few:
        return types.encode(t, values.number(Fraction(1, 1 + stream.below(2))))
    if t.specials == "e8m0":
        return 123 + stream.below(9)
    x = Fraction(stream.below(97) - 48, 16)
    return types.encode(t, values.number(x))


def multiple(dims, stream):
    """A shape of scales: each size divides that of the operand."""
    return tuple(stream.choice([k for k in range(1, n + 1) if n % k == 0]) for n in dims)


def scaled(array, scale, index):
    x = types.decode(array.type, array.at(index))
    if not scale.dims:
        return x
    at = tuple(i // (n // k) for i, n, k in zip(index, array.dims, scale.dims))
    return values.multiply(x, types.decode(scale.type, scale.at(at)))


class Shapes:
    """lhs [batch, rows, depth] and rhs [batch, depth, columns], permuted."""

    def __init__(self, stream):
        sizes = {"b": 1 + stream.below(2), "m": 1 + stream.below(4),
                 "k": stream.choice((1, 2, 4, 6, 8)), "n": 1 + stream.below(4)}
        batch = "b" * stream.below(2)
        self.left = shuffled(batch + "mk", stream)
        self.right = shuffled(batch + "kn", stream)
        self.batch, self.sizes = batch, sizes

    def dims(self, names):
        return tuple(self.sizes[name] for name in names)

    def attributes(self):
        words = []
        for side, names in (("lhs", self.left), ("rhs", self.right)):
            if self.batch:
                words.append(f"{side}_batch_dims={{{names.index('b')}}}")
            words.append(f"{side}_contracting_dims={{{names.index('k')}}}")
        return ", ".join(words)


class Column(Shapes):
    """lhs [rows, depth] and rhs [depth, 1]."""

    def __init__(self, rows, depth):
        self.batch, self.left, self.right = "", "mk", "kn"
        self.sizes = {"m": rows, "k": depth, "n": 1}


def shuffled(names, stream):
    rest, result = list(names), ""
    while rest:
        result += rest.pop(stream.below(len(rest)))
    return result


def roundings(t, operands):
    """How many of the factors, scales and products of both sides may need one."""
    most, count = t.mantissa + 1, 0
    for factor, scale in zip(operands[:2], operands[2:]):
        own, other = factor.type.mantissa + 1, scale.type.mantissa + 1
        count += own > most
        if scale.dims:
            count += (other > most) + (own + other - (1 in (own, other)) > most)
    return count


def around(t, terms, count):
    """(code, low, high) of a sum of which each term may be rounded that often before."""
    total = values.ZERO
    for term in terms:
        total = values.add(total, term)
    if total.kind not in ("finite", "zero"):
        code = types.encode(t, total)
        return code, code, code
    exact = sum((x.exact for x in terms), Fraction(0))
    size = sum((abs(x.exact) for x in terms), Fraction(0))
    nearest = types.encode(t, values.number(exact))
    if size == 0:
        return nearest, nearest | t.sign_mask, nearest
    used = sum(1 for x in terms if x.exact)
    share = used * sums.unit(t)
    share += ((1 + sums.unit(t)) ** count - 1) * (1 + share)
    slack = share * size * sums.WIDER + types.decode(t, 1).exact * used
    return nearest, *sums.around(t, exact, slack)[1:]


def expectation(shapes, t, operands):
    names = shapes.batch + "mn"
    dims = shapes.dims(names)
    found, count = {}, roundings(t, operands)
    for index in itertools.product(*map(range, dims)):
        at = dict(zip(names, index))
        terms = []
        for k in range(shapes.sizes["k"]):
            at["k"] = k
            left = scaled(operands[0], operands[2], tuple(at[n] for n in shapes.left))
            right = scaled(operands[1], operands[3], tuple(at[n] for n in shapes.right))
            terms.append(values.multiply(left, right))
        found[index] = around(t, terms, count)
    three = [arrays.build(t, dims, lambda i, k=k: found[i][k]) for k in range(3)]
    return three[0], interval(*three)


def case(name, stream, formats, scalar="", special=False, few=False):
    shapes = Shapes(stream)
    t, scale, out = (BY[n] for n in formats)
    operands = [arrays.build(t, shapes.dims(names), lambda _: element(t, stream, few))
                for names in (shapes.left, shapes.right)]
    for side, names in enumerate((shapes.left, shapes.right)):
        dims = () if scalar == "lr"[side] else multiple(shapes.dims(names), stream)
        operands.append(arrays.build(scale, dims, lambda _: element(scale, stream, few)))
    if special:
        operands[0] = arrays.build(t, operands[0].dims, lambda i: (
            t.nan if sum(i) == 0 else t.max_finite + 1 if sum(i) == 1
            else operands_code(t, i)))
    why = ["Random", "Type"] + ["Scalar"] * bool(scalar) + ["Special"] * special
    return whole(name, f"{formats[0]} with scales of {formats[1]}", shapes, out, operands, why)


def whole(name, statement, shapes, out, operands, why):
    result, expect = expectation(shapes, out, operands)
    program = Program("m", operands).root(
        result.shape, f"scaled-dot(p0, p1, p2, p3), {shapes.attributes()}")
    return Case(f"{out.name}/{name}", statement, program, [expect], why)


def matrix(rows):
    t = types.F32
    return arrays.build(t, (len(rows), len(rows[0])), lambda i: types.encode(
        t, values.number(Fraction(rows[i[0]][i[1]]))))


def once(out):
    """Sums of f32 numbers half way between two results, and a little more or less: 2^-60,
    which no f64 holds beside 1, or 2^-30, which no f32 does. In f16 also the square of
    1 + 2^-12: of two factors, and of a factor and its scale."""
    half, tiny = Fraction(1, 1 << (out.mantissa + 1)), Fraction(1, 1 << 30)
    near = 1 + Fraction(1, 1 << 12)
    # Columns of 1, 1, 2^-30 and near; the scales of the last row are near.
    rows = [[1, half, tiny, 0], [1 + 2 * half, half, -tiny, 0], [1, half, 1, 0],
            [-1, -half, -tiny, 0]]
    if out.mantissa == 10:
        rows += [[0, 0, 0, near], [0, near, 0, 0]]
    scales = [[1] * 4] * (len(rows) - 1) + [[near if out.mantissa == 10 else 1] * 4]
    rhs = matrix([[x] for x in (1, 1, tiny, near)])
    scalar = arrays.splat(types.F32, (), types.F32.nan)
    return whole("rounded_once", f"f32 into {out.name}, rounded once", Column(len(rows), 4), out,
                 [matrix(rows), rhs, matrix(scales), scalar], ["Once", "Scalar"])


def operands_code(t, index):
    return types.encode(t, values.number(1 + sum(index)))


ROWS = [
    ("C1", "a dimension is the rank",
     "f8e4m3fn[2,4] ; f8e4m3fn[4,2] ; f8e8m0fnu[2,2] ; f8e8m0fnu[2,2]",
     "f32[2,2] scaled-dot(p0, p1, p2, p3), lhs_contracting_dims={1}, rhs_contracting_dims={2}"),
    ("C1", "a contracting dimension on the left only",
     "f8e4m3fn[2,4] ; f8e4m3fn[4,2] ; f8e8m0fnu[2,2] ; f8e8m0fnu[2,2]",
     "f32[2,4,2] scaled-dot(p0, p1, p2, p3), lhs_contracting_dims={1}, rhs_contracting_dims={}"),
    ("C2", "paired dimensions of other sizes",
     "f8e4m3fn[2,4] ; f8e4m3fn[4,2] ; f8e8m0fnu[2,2] ; f8e8m0fnu[2,2]",
     "f32[4,4] scaled-dot(p0, p1, p2, p3), lhs_contracting_dims={0}, rhs_contracting_dims={0}"),
    ("C3", "two scalar scales", "f8e4m3fn[2,4] ; f8e4m3fn[4,2] ; f8e8m0fnu[] ; f8e8m0fnu[]",
     "f32[2,2] scaled-dot(p0, p1, p2, p3), lhs_contracting_dims={1}, rhs_contracting_dims={0}"),
    ("C4", "a scale of rank three",
     "f8e4m3fn[2,4] ; f8e4m3fn[4,2] ; f8e8m0fnu[2,2,1] ; f8e8m0fnu[2,2]",
     "f32[2,2] scaled-dot(p0, p1, p2, p3), lhs_contracting_dims={1}, rhs_contracting_dims={0}"),
    ("C4", "a vector as scale on the right",
     "f8e4m3fn[2,4] ; f8e4m3fn[4,2] ; f8e8m0fnu[2,2] ; f8e8m0fnu[2]",
     "f32[2,2] scaled-dot(p0, p1, p2, p3), lhs_contracting_dims={1}, rhs_contracting_dims={0}"),
    ("C5", "a scale that is longer",
     "f8e4m3fn[2,4] ; f8e4m3fn[4,2] ; f8e8m0fnu[2,8] ; f8e8m0fnu[2,2]",
     "f32[2,2] scaled-dot(p0, p1, p2, p3), lhs_contracting_dims={1}, rhs_contracting_dims={0}"),
    ("C5", "a scale of three blocks of four",
     "f8e4m3fn[2,4] ; f8e4m3fn[4,2] ; f8e8m0fnu[2,2] ; f8e8m0fnu[3,2]",
     "f32[2,2] scaled-dot(p0, p1, p2, p3), lhs_contracting_dims={1}, rhs_contracting_dims={0}"),
    ("scaled-dot.types", "operands and scales of f64",
     "f64[2,4] ; f64[4,2] ; f64[2,2] ; f64[2,2]",
     "f64[2,2] scaled-dot(p0, p1, p2, p3), lhs_contracting_dims={1}, rhs_contracting_dims={0}"),
    ("scaled-dot.types", "an integer result",
     "f32[2,4] ; f32[4,2] ; f32[2,2] ; f32[2,2]",
     "s32[2,2] scaled-dot(p0, p1, p2, p3), lhs_contracting_dims={1}, rhs_contracting_dims={0}"),
]


STATED = [
    ("nan_scalar", "a scalar scale counts as 1, even NaN",
     "f8e4m3fn[1,2] 38*2 ; f8e4m3fn[2,1] 38*2 ; f8e8m0fnu[] ff ; f8e8m0fnu[2,1] 7f*2",
     "f32[1,1] scaled-dot(p0, p1, p2, p3), lhs_contracting_dims={1}, "
     "rhs_contracting_dims={0}",
     "f32[1,1] 40000000"),
    ("nan_scale", "a NaN among the scales",
     "f8e4m3fn[1,2] 38*2 ; f8e4m3fn[2,2] 38*4 ; f8e8m0fnu[1,2] 7f*2 ; f8e8m0fnu[2,2] 7f ff 7f 7f",
     "f32[1,2] scaled-dot(p0, p1, p2, p3), lhs_contracting_dims={1}, rhs_contracting_dims={0}",
     "f32[1,2] 40000000 7fc00000"),
    ("no_terms", "nothing is added",
     "f8e4m3fn[1,0] ; f8e4m3fn[0,1] ; f8e8m0fnu[1,0] ; f8e8m0fnu[] 7f",
     "f32[1,1] scaled-dot(p0, p1, p2, p3), lhs_contracting_dims={1}, rhs_contracting_dims={0}",
     "f32[1,1] 00000000"),
]


def cases():
    for i in range(200):
        stream = Stream("scaled_dot", i)
        formats = FORMATS[i % len(FORMATS)]
        scalar = stream.choice(("", "", "l", "r"))
        yield case(f"random_{i:03}", stream, formats, scalar)
    for t in types.FLOATS:
        stream = Stream("scaled_dot", "type", t.name)
        if t.bits < 64:
            yield case(f"of_{t.name}", stream, (t.name, "f8e8m0fnu", "f32"))
            yield case(f"by_{t.name}", stream, ("f8e4m3fn", t.name, "f32"))
        yield case("few", stream, ("f8e5m2", "f8e8m0fnu", t.name), few=True)
    for i in range(6):
        stream = Stream("scaled_dot", "special", i)
        yield case(f"special_{i}", stream, FORMATS[4 + i % 2], special=True)
    for name in ("f16", "bf16", "f32"):
        yield once(BY[name])
    yield from refused.cases("scaled-dot", ROWS)
    yield from (stated.case(row) for row in STATED)
