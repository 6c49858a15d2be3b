"""batch-norm-inference: exact, rounded once (spec/ops/batch_norm_inference.md)."""

from fractions import Fraction

from assaygen import arrays, refused, types, values
from assaygen.elements import normalization
from assaygen.cases import Case, without
from assaygen.elements.normalization import INF, Arithmetic, Features, around, leaf, over_root
from assaygen.streams import Stream
from assaygen.values import Value

WHY = without(normalization.WHY, "Cancel") | refused.WHY
BY = types.BY_NAME
NAN, ZERO = values.NAN, values.ZERO
PLAIN = ("finite", "zero")


def unsigned(x: Value) -> Value:
    return ZERO if x.is_zero else x


def limit(x, scale, offset, mean, v):
    """With infinities, NaN or v <= 0: zeros have no sign."""
    a = values.multiply(values.add(x, mean.negated()), scale)
    if v.is_nan or (v.sign < 0 and not v.is_zero):
        return NAN
    root = ZERO if v.is_zero else v if v.is_inf else values.number(1)
    return unsigned(values.add(values.divide(unsigned(a), root), unsigned(offset)))


def element(t, a, x, vectors, eps):
    """(range, NaN) of one element."""
    scale, offset, mean, variance = vectors
    v = values.add(variance, values.number(eps))
    regular = all(z.kind in PLAIN for z in (x, *vectors)) and v.kind == "finite" and v.sign > 0
    if not regular:
        return around(t, types.encode(t, limit(x, scale, offset, mean, v)), INF)
    code = over_root(t, (x.exact - mean.exact) * scale.exact, v.exact, offset.exact)
    root = a.root(float(v.exact), 0, abs(float(variance.exact)) + abs(float(eps)))
    error = normalization.normalized_error(
        a, float(x.exact), float(mean.exact), 0, float(scale.exact), float(offset.exact),
        float(v.exact), root)
    return around(t, code, error)


def case(name, operands, d, eps, why, statement):
    x = operands[0]
    features, a = Features(x, d), Arithmetic(operands)
    small = normalization.epsilon(eps)
    found = {}
    for f in range(features.count):
        vectors = [types.decode(p.type, p.at((f,))) for p in operands[1:]]
        for i in features.indices[f]:
            found[i] = element(x.type, a, types.decode(x.type, x.at(i)), vectors, small)
    program = normalization.program("batch-norm-inference", operands, [x.shape], eps, d)
    return Case(f"{x.type.name}/{name}", statement, program,
                [leaf(x.type, x.dims, found)], why)


def drawn(t, dims, stream, scale=4, positive=False):
    positive = positive or t.specials == "e8m0"

    def code(_):
        x = Fraction(stream.below(1 << 12) - (0 if positive else 1 << 11), 1 << 11)
        return types.encode(t, values.number((x + (Fraction(1, 8) if positive else 0)) * scale))
    return arrays.build(t, dims, code)


def vectors(t, count, stream):
    return [drawn(t, (count,), stream, 4, positive=k == 3) for k in range(4)]


SHAPES = [((5, 3), 1), ((3, 5), 0), ((2, 3, 4), 1), ((2, 2, 2, 3), 3), ((1, 40), 1),
          ((7,), 0), ((0, 3), 1), ((3, 0), 1)]


def listed(t, rows):
    words = {"inf": values.INF, "-inf": Value("inf", -1), "nan": NAN, "-0": Value("zero", -1)}
    return arrays.of(t, [types.encode(t, words[x] if x in words else
                                      values.number(Fraction(x))) for x in rows])


# Columns of x, scale, offset, mean, variance.
SPECIAL = [("inf", 2, 3, 1, 1), ("-inf", 2, 3, 1, 1), ("inf", 0, 3, 1, 1), ("nan", 2, 3, 1, 1),
           (1, "inf", 3, 1, 1), (2, "inf", 3, 1, 1), (2, 2, "inf", 1, 1), (2, 2, 3, "inf", 1),
           ("inf", 2, 3, "inf", 1), (2, 2, 3, 1, "inf"), ("inf", 2, 3, 1, "inf"),
           (2, 2, 3, 1, "nan"), (2, 2, 3, 1, 0), (1, 2, 3, 1, 0), (0, 2, 3, 1, 0),
           (2, 2, "-inf", 1, 0), (2, 2, 3, 1, -1), ("-0", 2, "-0", "-0", 1), (1, -1, "-0", 1, 1),
           (1, 2, -2, 0, 1), (5, 3, 1, 2, 9), (5, 3, 1, 2, Fraction(1, 4))]


# Likewise, with variances in steps of the least subnormal number.
TINY = [(Fraction(3, 2), 1, 0, 1, 16), (3, 2, -1, 1, 24), (1, -1, Fraction(1, 2), 2, 64),
        (2, 1, 3, 2, 16), (0, Fraction(-3, 2), 0, 1, 100)]


def tiny_variances(t):
    least = types.decode(t, 1).exact
    rows = [(*row, steps * least) for *row, steps in TINY]
    x, *columns = (listed(t, column) for column in zip(*rows))
    operands = [arrays.Array(t, (1, len(rows)), x.codes), *columns]
    return case("tiny_variances", operands, 1, "0", ["Square", "Special"],
                "subnormal variances and no epsilon")


# Likewise: scale / sqrt(variance) is beyond the range of f64, the result is not.
WIDE = [(0, 1 << 600, 0, -Fraction(1, 1 << 1000), Fraction(1, 1 << 1000)),
        (0, Fraction(1, 1 << 600), 0, -(1 << 1000), 1 << 1000)]


def wide_factors(t):
    x, *columns = zip(*WIDE)
    operands = [arrays.Array(t, (1, len(WIDE)), listed(t, x).codes),
                *(listed(BY["f64"], column) for column in columns)]
    return case("wide_factors", operands, 1, "0", ["Special"],
                "quotients of vectors of f64 that leave its range")


ROWS = [
    ("C1", "the operand holds integers", "s32[2,3,4] ; s32[3]",
     "s32[2,3,4] batch-norm-inference(p0, p1, p1, p1, p1), epsilon=0.5, feature_index=1"),
    ("C1", "the feature index is the rank", "f32[2,3,4] ; f32[3]",
     "f32[2,3,4] batch-norm-inference(p0, p1, p1, p1, p1), epsilon=0.5, feature_index=3"),
    ("C1", "the feature index is negative", "f32[2,3,4] ; f32[3]",
     "f32[2,3,4] batch-norm-inference(p0, p1, p1, p1, p1), epsilon=0.5, feature_index=-1"),
    ("C2", "the features are another dimension", "f32[2,3,4] ; f32[3]",
     "f32[2,3,4] batch-norm-inference(p0, p1, p1, p1, p1), epsilon=0.5, feature_index=2"),
    ("C2", "the scale is a matrix", "f32[2,3,4] ; f32[3,1]",
     "f32[2,3,4] batch-norm-inference(p0, p1, p1, p1, p1), epsilon=0.5, feature_index=1"),
    ("C2", "the scale holds integers", "f32[2,3,4] ; s32[3]",
     "f32[2,3,4] batch-norm-inference(p0, p1, p1, p1, p1), epsilon=0.5, feature_index=1"),
    ("C2", "the last operand is longer", "f32[2,3,4] ; f32[3] ; f32[4]",
     "f32[2,3,4] batch-norm-inference(p0, p1, p1, p1, p2), epsilon=0.5, feature_index=1"),
]


def cases():
    for dims, d in SHAPES:
        stream = Stream("batch_norm_inference", dims, d)
        operands = [drawn(BY["f32"], dims, stream), *vectors(BY["f32"], dims[d], stream)]
        name = "x".join(map(str, dims))
        yield case(f"shape_{name}_feature_{d}", operands, d, "0.001", ["Shape"],
                   f"features along dimension {d} of {list(dims)}")
    for t in types.FLOATS:
        stream = Stream("batch_norm_inference", t.name)
        operands = [drawn(t, (12, 4), stream), *vectors(t, 4, stream)]
        yield case("values", operands, 1, "1e-5", ["Type", "Random"], f"a batch of {t.name}")
    stream = Stream("batch_norm_inference", "mixed")
    yield case("mixed", [drawn(BY["bf16"], (6, 2), stream), *vectors(BY["f32"], 2, stream)],
               1, "0.01", ["Type"], "vectors of a wider type")
    for t in (BY["f32"], BY["f64"], BY["f16"]):
        columns = [listed(t, column) for column in zip(*SPECIAL)]
        x = arrays.Array(t, (1, len(SPECIAL)), columns[0].codes)
        yield case("special", [x, *columns[1:]], 1, "0", ["Special", "Square"],
                   "infinities, NaN, variances of 0 and below, rational roots")
        yield tiny_variances(t)
    for t in (BY["f32"], BY["f64"]):
        yield wide_factors(t)
    yield from refused.cases("batch-norm-inference", ROWS)
