"""batch-norm-training: exact moments and one rounding
(spec/ops/batch_norm_training.md)."""

from fractions import Fraction

from assaygen import arrays, refused, types, values
from assaygen.elements import normalization
from assaygen.cases import Case
from assaygen.elements.normalization import INF, Arithmetic, Features, around, leaf, over_root
from assaygen.streams import Stream

WHY = normalization.WHY | refused.WHY
BY = types.BY_NAME
NAN = values.NAN


def moments(x):
    n = len(x)
    if not n:
        return None
    mean = sum(x, Fraction(0)) / n
    return mean, sum(((v - mean) ** 2 for v in x), Fraction(0)) / n


class Norm:
    """The leaves of the result, feature by feature."""

    def __init__(self, operands, d, eps):
        self.operands, self.d = operands, d
        self.eps = normalization.epsilon(eps)
        self.features = Features(operands[0], d)
        self.arithmetic = Arithmetic(operands)
        self.found = {}, {}, {}

    def run(self):
        for f in range(self.features.count):
            x = self.features.values(self.operands[0], f)
            if all(v.kind in ("finite", "zero") for v in x) and x:
                self.regular(f, [v.exact for v in x])
            else:
                self.special(f, x)
        shapes = self.operands[0], self.operands[1], self.operands[1]
        return [leaf(s.type, s.dims, found) for s, found in zip(shapes, self.found)]

    def special(self, f, x):
        """Infinities of one sign have an infinite mean; all else is NaN."""
        mean = values.ZERO if x else NAN
        for v in x:
            mean = values.add(mean, v)
        vector = self.operands[1].type
        for k, value in ((1, mean), (2, NAN)):
            self.found[k][(f,)] = around(vector, types.encode(vector, value), INF)
        t = self.operands[0].type
        for i in self.features.indices[f]:
            self.found[0][i] = around(t, types.encode(t, NAN), INF)

    def errors(self, x):
        """Of mean and variance, once."""
        a, n = self.arithmetic, len(x)
        total = float(sum(map(abs, x), Fraction(0)))
        squares = float(sum((v * v for v in x), Fraction(0)))
        if (n + 16) * a.unit > 0.25 or squares >= a.most or total >= a.most:
            return INF, INF, squares
        h = n * a.least
        return ((n + 2) * a.unit * total / n + h,
                (4 * n + 16) * a.unit * squares / n + h * (2 + float(max(map(abs, x)))),
                squares)

    def regular(self, f, x):
        mean, variance = moments(x)
        mean_error, variance_error, squares = self.errors(x)
        vector = self.operands[1].type
        for k, value, error in ((1, mean, mean_error), (2, variance, variance_error)):
            code = types.encode(vector, values.number(value))
            self.found[k][(f,)] = around(vector, code, 2 * error)
        scale, offset = (types.decode(p.type, p.at((f,))).exact for p in self.operands[1:])
        v = variance + self.eps
        root = self.arithmetic.root(float(v), variance_error,
                                    squares / len(x) + abs(float(self.eps)))
        t = self.operands[0].type
        for i, value in zip(self.features.indices[f], x):
            a = (value - mean) * scale
            code = (over_root(t, a, v, offset) if v > 0 else
                    degenerate(t, a, v, offset))
            error = normalization.normalized_error(
                self.arithmetic, float(value), float(mean), mean_error, float(scale),
                float(offset), float(v), root)
            self.found[0][i] = around(t, code, error)


def degenerate(t, a, v, offset):
    if v < 0 or a == 0:
        return types.encode(t, NAN)
    return types.encode(t, values.add(values.Value("inf", 1 if a > 0 else -1),
                                      values.number(offset)))


def case(name, operands, d, eps, why, statement):
    x, vector = operands[0], operands[1]
    expect = Norm(operands, d, eps).run()
    program = normalization.program("batch-norm-training", operands,
                                    [x.shape, vector.shape, vector.shape], eps, d)
    return Case(f"{x.type.name}/{name}", statement, program, expect, why)


def drawn(t, dims, stream, scale=16, shift=0):
    shift += scale * (t.specials == "e8m0")  # which has positive numbers only
    return arrays.build(t, dims, lambda _: types.encode(t, values.number(
        Fraction(stream.below(1 << 12) - (1 << 11), (1 << 11)) * scale + shift)))


def vectors(t, count, stream):
    return [drawn(t, (count,), stream, 4) for _ in range(2)]


SHAPES = [((5, 3), 1), ((3, 5), 0), ((2, 3, 4), 1), ((2, 2, 2, 3), 3), ((1, 4), 1),
          ((7,), 0), ((6, 1), 1), ((0, 3), 1), ((3, 0), 1), ((40, 20), 1)]


def shapes():
    for dims, d in SHAPES:
        stream = Stream("batch_norm_training", dims, d)
        x = drawn(BY["f32"], dims, stream)
        operands = [x, *vectors(BY["f32"], dims[d], stream)]
        name = "x".join(map(str, dims))
        yield case(f"shape_{name}_feature_{d}", operands, d, "0.001", ["Shape"],
                   f"features along dimension {d} of {list(dims)}")


def kinds():
    for t in types.FLOATS:
        stream = Stream("batch_norm_training", t.name)
        operands = [drawn(t, (6, 2), stream, 2), *vectors(t, 2, stream)]
        yield case("values", operands, 1, "1e-5", ["Type", "Random"],
                   f"a batch of {t.name}")
    stream = Stream("batch_norm_training", "mixed")
    operands = [drawn(BY["bf16"], (6, 2), stream), *vectors(BY["f32"], 2, stream)]
    yield case("mixed", operands, 1, "0.01", ["Type"], "vectors of a wider type")


def cancelling():
    for name, shift in (("f32", 1 << 14), ("f64", 1 << 40), ("f16", 1 << 9)):
        stream = Stream("batch_norm_training", "cancel", name)
        operands = [drawn(BY[name], (8, 2), stream, 16, shift), *vectors(BY[name], 2, stream)]
        yield case("large_mean", operands, 1, "0.001", ["Cancel"],
                   "the variance is small beside the square of the mean")


def listed(t, rows):
    words = {"inf": values.INF, "-inf": values.Value("inf", -1), "nan": NAN}
    codes = [types.encode(t, words[x] if x in words else values.number(Fraction(x)))
             for x in rows]
    return arrays.of(t, codes)


SQUARES = {  # x, scale, offset, epsilon
    "rational_root": ([1, 3, 1, 3], 3, Fraction(1, 2), "3"),
    "half_way": ([-1, 1], Fraction(1, 1 << 24), 1, "0"),
    "exact_zero": ([-1, 1], 5, -5, "0"),
    "constant": ([7, 7, 7], 2, 3, "0.5"),
    "constant_without_epsilon": ([7, 7, 7], 2, 3, "0"),
    "negative_epsilon": ([1, 2, 3], 2, 3, "-2"),
    "variance_cancelled": ([-1, 1], 2, 3, "-1"),
    "no_scale": ([1, 2, 4], 0, 3, "0.001"),
    "tiny": ([Fraction(1, 1 << 140), Fraction(3, 1 << 141)], 1, 0, "0"),
    "infinity": ([1, "inf", 2], 2, 3, "0.001"),
    "infinities": ([1, "inf", "-inf"], 2, 3, "0.001"),
    "nan": ([1, "nan", 2], 2, 3, "0.001"),
}


def squares():
    for name, (x, scale, offset, eps) in SQUARES.items():
        for t in (BY["f32"], BY["f64"]):
            column = listed(t, x)
            operands = [arrays.Array(t, (len(x), 1), column.codes), listed(t, [scale]),
                        listed(t, [offset])]
            yield case(name, operands, 1, eps, ["Square", "Special"],
                       f"a batch {[str(v) for v in x]} with epsilon {eps}")


ROWS = [
    ("C1", "the operand holds integers", "s32[2,3,4] ; s32[3]",
     "(s32[2,3,4], s32[3], s32[3]) batch-norm-training(p0, p1, p1), epsilon=0.5, "
     "feature_index=1"),
    ("C1", "the feature index is the rank", "f32[2,3,4] ; f32[3]",
     "(f32[2,3,4], f32[3], f32[3]) batch-norm-training(p0, p1, p1), epsilon=0.5, "
     "feature_index=3"),
    ("C1", "the feature index is negative", "f32[2,3,4] ; f32[3]",
     "(f32[2,3,4], f32[3], f32[3]) batch-norm-training(p0, p1, p1), epsilon=0.5, "
     "feature_index=-1"),
    ("C2", "the features are another dimension", "f32[2,3,4] ; f32[3]",
     "(f32[2,3,4], f32[3], f32[3]) batch-norm-training(p0, p1, p1), epsilon=0.5, "
     "feature_index=2"),
    ("C2", "the scale is a matrix", "f32[2,3,4] ; f32[3,1]",
     "(f32[2,3,4], f32[3], f32[3]) batch-norm-training(p0, p1, p1), epsilon=0.5, "
     "feature_index=1"),
    ("C2", "the scale holds integers", "f32[2,3,4] ; s32[3]",
     "(f32[2,3,4], f32[3], f32[3]) batch-norm-training(p0, p1, p1), epsilon=0.5, "
     "feature_index=1"),
    ("C2", "the last operand is longer", "f32[2,3,4] ; f32[3] ; f32[4]",
     "(f32[2,3,4], f32[3], f32[3]) batch-norm-training(p0, p1, p2), epsilon=0.5, "
     "feature_index=1"),
]


def cases():
    for rows in (shapes, kinds, cancelling, squares):
        yield from rows()
    yield from refused.cases("batch-norm-training", ROWS)
