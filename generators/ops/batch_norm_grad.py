"""batch-norm-grad: exact, rounded once (spec/ops/batch_norm_grad.md)."""

from fractions import Fraction

from assaygen import arrays, refused, stated, types, values
from assaygen.elements import normalization
from assaygen.cases import Case, without
from assaygen.elements.normalization import INF, Arithmetic, Features, around, leaf, over_root
from assaygen.streams import Stream

WHY = stated.WHY | without(normalization.WHY, "Cancel") | refused.WHY
BY = types.BY_NAME
NAN = values.NAN


class Grad:
    """The leaves of the result: of operand, scale and offset."""

    def __init__(self, operands, d, eps):
        self.operands = operands
        self.eps = normalization.epsilon(eps)
        self.features = Features(operands[0], d)
        self.a = Arithmetic(operands)
        self.found = {}, {}, {}

    def run(self):
        for f in range(self.features.count):
            self.feature(f)
        shapes = self.operands[0], self.operands[1], self.operands[1]
        return [leaf(s.type, s.dims, found) for s, found in zip(shapes, self.found)]

    def feature(self, f):
        x, dy = (self.features.values(p, f) for p in (self.operands[0], self.operands[4]))
        vector = [types.decode(p.type, p.at((f,))) for p in self.operands[1:4]]
        if all(v.kind in ("finite", "zero") for v in [*x, *dy, *vector]) and (
                vector[2].exact + self.eps > 0):
            self.regular(f, *([v.exact for v in z] for z in (x, dy, vector)))
        else:
            self.special(f, dy)

    def special(self, f, dy):
        """Only cases in which all but the gradient of the offset are NaN."""
        offset = values.ZERO
        for v in dy:
            offset = values.add(offset, v)
        t = self.operands[1].type
        self.found[1][(f,)] = around(t, types.encode(t, NAN), INF)
        code = types.encode(t, offset)
        error = self.offset_error([v.exact for v in dy]) if offset.kind == "finite" else INF
        self.found[2][(f,)] = around(t, code, error)
        t = self.operands[0].type
        for i in self.features.indices[f]:
            self.found[0][i] = around(t, types.encode(t, NAN), INF)

    def offset_error(self, dy):
        given = float(sum(map(abs, dy), Fraction(0)))
        n = len(dy)
        return self.a.within(given, (n + 2) * self.a.unit * given + n * self.a.least)

    def regular(self, f, x, dy, vector):
        scale, mean, variance = vector
        a, n, v = self.a, len(x), variance + self.eps
        g = sum(dy, Fraction(0))
        s = sum((p * (q - mean) for p, q in zip(dy, x)), Fraction(0))
        inverse, relative = a.root(float(v), 0, abs(float(variance)) + abs(float(self.eps)))
        moved = float(sum((abs(p) * (abs(q) + abs(mean)) for p, q in zip(dy, x)), Fraction(0)))
        given = float(sum(map(abs, dy), Fraction(0)))
        spread = (n + 16) * a.unit + relative
        size_of_scale, size_of_mean, w = abs(float(scale)), abs(float(mean)), float(v)
        h = (8 * (n + 8) * a.least * (1 + inverse) * (1 + inverse / w)
             * (1 + size_of_scale) * (1 + size_of_mean))
        reached = max(moved, given, inverse, moved * inverse, w)
        t = self.operands[1].type
        self.found[1][(f,)] = around(t, over_root(t, s, v, Fraction(0)),
                                     a.within(reached, moved * inverse * spread + h))
        self.found[2][(f,)] = around(t, types.encode(t, values.number(g)),
                                     self.offset_error(dy))
        t = self.operands[0].type
        for i, q, p in zip(self.features.indices[f], x, dy):
            exact = scale * (p - g / n - (q - mean) * s / (n * v))
            size = abs(float(q)) + size_of_mean
            terms = n * abs(float(p)) + given + size * moved / w
            error = size_of_scale * inverse * terms / n * 3 * spread + h * (1 + size + terms)
            most = max(reached, terms * max(1, size_of_scale),
                       size_of_scale * inverse * terms, moved / w, size)
            self.found[0][i] = around(t, over_root(t, exact, v, Fraction(0)),
                                      a.within(most, error))


def case(name, operands, d, eps, why, statement):
    x, vector = operands[0], operands[1]
    expect = Grad(operands, d, eps).run()
    program = normalization.program("batch-norm-grad", operands,
                                    [x.shape, vector.shape, vector.shape], eps, d)
    return Case(f"{x.type.name}/{name}", statement, program, expect, why)


def drawn(t, dims, stream, positive=False):
    positive = positive or t.specials == "e8m0"

    def code(_):
        x = Fraction(stream.below(1 << 12) - (0 if positive else 1 << 11), 1 << 11)
        return types.encode(t, values.number(2 * x + (Fraction(1, 4) if positive else 0)))
    return arrays.build(t, dims, code)


def operands_of(t, dims, d, stream, vector=None):
    vector = vector or t
    return [drawn(t, dims, stream), drawn(vector, (dims[d],), stream),
            drawn(vector, (dims[d],), stream), drawn(vector, (dims[d],), stream, positive=True),
            drawn(t, dims, stream)]


SHAPES = [((5, 3), 1), ((3, 5), 0), ((2, 3, 4), 1), ((2, 2, 2, 3), 3), ((1, 4), 1),
          ((7,), 0), ((3, 0), 1), ((30, 20), 1)]


def listed(t, rows):
    words = {"inf": values.INF, "-inf": values.Value("inf", -1), "nan": NAN}
    return [types.encode(t, words[x] if x in words else values.number(Fraction(x)))
            for x in rows]


# x, dy, scale, mean, variance: exact results, zeros, and what is NaN.
SPECIAL = {
    "zero_gradient": ([1, 2, 5], [0, 0, 0], 2, 1, 3),
    "equal_gradients": ([1, 2, 3], [1, 1, 1], 2, 2, 4),
    "one_element": ([3], [5], 2, 1, 4),
    "rational_root": ([1, 2, 6, 3], [1, 0, 2, 1], 3, 2, Fraction(1, 4)),
    "no_scale": ([1, 2, 6], [1, 0, 2], 0, 2, 3),
    "negative_variance": ([1, 2, 6], [1, 0, 2], 1, 2, -3),
    "nan": ([1, "nan", 6], [1, 3, 2], 1, 2, 3),
    "nan_variance": ([1, 2, 6], [1, 3, 2], 1, 2, "nan"),
}


ROWS = [
    ("C1", "the operand holds integers", "s32[2,3,4] ; s32[3]",
     "(s32[2,3,4], s32[3], s32[3]) batch-norm-grad(p0, p1, p1, p1, p0), epsilon=0.5, "
     "feature_index=1"),
    ("C1", "the feature index is the rank", "f32[2,3,4] ; f32[3]",
     "(f32[2,3,4], f32[3], f32[3]) batch-norm-grad(p0, p1, p1, p1, p0), epsilon=0.5, "
     "feature_index=3"),
    ("C1", "the feature index is negative", "f32[2,3,4] ; f32[3]",
     "(f32[2,3,4], f32[3], f32[3]) batch-norm-grad(p0, p1, p1, p1, p0), epsilon=0.5, "
     "feature_index=-1"),
    ("C2", "the features are another dimension", "f32[2,3,4] ; f32[3]",
     "(f32[2,3,4], f32[3], f32[3]) batch-norm-grad(p0, p1, p1, p1, p0), epsilon=0.5, "
     "feature_index=2"),
    ("C2", "the scale is a matrix", "f32[2,3,4] ; f32[3,1]",
     "(f32[2,3,4], f32[3], f32[3]) batch-norm-grad(p0, p1, p1, p1, p0), epsilon=0.5, "
     "feature_index=1"),
    ("C2", "the scale holds integers", "f32[2,3,4] ; s32[3]",
     "(f32[2,3,4], f32[3], f32[3]) batch-norm-grad(p0, p1, p1, p1, p0), epsilon=0.5, "
     "feature_index=1"),
    ("C3", "the gradient is smaller", "f32[2,3,4] ; f32[3] ; f32[2,3,1]",
     "(f32[2,3,4], f32[3], f32[3]) batch-norm-grad(p0, p1, p1, p1, p2), epsilon=0.5, "
     "feature_index=1"),
    ("C3", "the gradient has another rank", "f32[2,3,4] ; f32[3] ; f32[24]",
     "(f32[2,3,4], f32[3], f32[3]) batch-norm-grad(p0, p1, p1, p1, p2), epsilon=0.5, "
     "feature_index=1"),
]


GRADIENTS = ("(f32[2,1], f32[1], f32[1]) batch-norm-grad(p0, p1, p2, p3, p4), "
             "epsilon=0, feature_index=1")
STATED = [
    ("no_variance", "variance + epsilon is 0, and the scaled sum is 2",
     "f32[2,1] 3f800000 40400000 ; f32[1] 3f800000 ; f32[1] 40000000 ; f32[1] 00000000 ; "
     "f32[2,1] 3f800000 40400000",
     GRADIENTS,
     "f32[2,1] 7f800000 ff800000 from ff800000*2 to 7f800000*2 or NaN ; "
     "f32[1] 7f800000 from ff800000 to 7f800000 or NaN ; f32[1] 40800000"),
    ("infinite_gradient", "infinities meet by the formula",
     "f32[2,1] 3f800000 40400000 ; f32[1] 3f800000 ; f32[1] 40000000 ; f32[1] 3f800000 ; "
     "f32[2,1] 7f800000 40400000",
     GRADIENTS,
     "f32[2,1] 7fc00000*2 from ff800000*2 to 7f800000*2 or NaN ; "
     "f32[1] ff800000 from ff800000 to 7f800000 or NaN ; "
     "f32[1] 7f800000 from ff800000 to 7f800000 or NaN"),
    ("nan_gradient",
     "NaN in an element of grad_output reaches all three",
     "f32[2,1] 3f800000 40400000 ; f32[1] 3f800000 ; f32[1] 40000000 ; f32[1] 3f800000 ; "
     "f32[2,1] 3f800000 7fc00000",
     "(f32[2,1], f32[1], f32[1]) batch-norm-grad(p0, p1, p2, p3, p4), epsilon=0, feature_index=1",
     "f32[2,1] 7fc00000*2 from ff800000*2 to 7f800000*2 or NaN ; f32[1] 7fc00000 from ff800000 "
     "to 7f800000 or NaN ; f32[1] 7fc00000 from ff800000 to 7f800000 or NaN"),
    ("no_elements",
     "features without elements have gradients of 0",
     "f32[0,2] ; f32[2] 3f800000*2 ; f32[2] 40000000*2 ; f32[2] 3f800000*2 ; f32[0,2]",
     "(f32[0,2], f32[2], f32[2]) batch-norm-grad(p0, p1, p2, p3, p4), epsilon=0, feature_index=1",
     "f32[0,2] ; f32[2] 00000000*2 ; f32[2] 00000000*2"),
]


def cases():
    for dims, d in SHAPES:
        stream = Stream("batch_norm_grad", dims, d)
        name = "x".join(map(str, dims))
        yield case(f"shape_{name}_feature_{d}", operands_of(BY["f32"], dims, d, stream), d,
                   "0.001", ["Shape"], f"features along dimension {d} of {list(dims)}")
    for t in types.FLOATS:
        stream = Stream("batch_norm_grad", t.name)
        yield case("values", operands_of(t, (6, 3), 1, stream), 1, "1e-5",
                   ["Type", "Random"], f"a batch of {t.name}")
    stream = Stream("batch_norm_grad", "mixed")
    yield case("mixed", operands_of(BY["bf16"], (6, 2), 1, stream, BY["f32"]), 1, "0.01",
               ["Type"], "vectors of a wider type")
    for name, (x, dy, *vector) in SPECIAL.items():
        for t in (BY["f32"], BY["f64"]):
            columns = [arrays.Array(t, (len(z), 1), tuple(listed(t, z))) for z in (x, dy)]
            vectors = [arrays.of(t, listed(t, [v])) for v in vector]
            yield case(name, [columns[0], *vectors, columns[1]], 1, "0",
                       ["Special", "Square"], f"{name.replace('_', ' ')} in a batch")
    yield from refused.cases("batch-norm-grad", ROWS)
    yield from (stated.case(row) for row in STATED)
