"""cholesky: exact factors by fractions, and how far a backend may be from them
(spec/ops/cholesky.md)."""

import itertools
import math
from fractions import Fraction

from assaygen import arrays, refused, sums, types, values
from assaygen.elements import normalization
from assaygen.arrays import Array
from assaygen.cases import Case, interval
from assaygen.program import Program
from assaygen.streams import Stream

WHY = refused.WHY | {
    "Random": "random positive definite matrices, either triangle",
    "Exact": "factors with whole numbers, which leave no rounding",
    "Batch": "several matrices, of one element, of none",
    "Hidden": "NaN in the triangle that is not read, imaginary parts on the diagonal",
    "Indefinite": "pivots that are zero or negative, infinities and NaN",
    "Ill": "a matrix that is nearly singular for its type",
    "Narrow": "formats of 8 bits and fewer, which few matrices fit",
    "Range": "numbers near the ends of the range",
}
BY = types.BY_NAME
KINDS = [BY[n] for n in ("f32", "f64", "f16", "bf16", "c64", "c128")]


def part_of(t):
    return types.component(t) if t.kind == "complex" else t


def conj(z):
    return z[0], -z[1]


def times(a, b):
    return a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]


def factor(a):
    """Rows of (N, D): the element is N / sqrt(D); None where not definite."""
    n = len(a)
    m = [[None] * n for _ in range(n)]  # of M D M^H = A
    d = []
    rows = [[None] * (i + 1) for i in range(n)]
    for j in range(n):
        for i in range(j, n):
            re, im = a[i][j]
            for k in range(j):
                p = times(m[i][k], conj(m[j][k]))
                re, im = re - p[0] * d[k], im - p[1] * d[k]
            rows[i][j] = re, im
        pivot = rows[j][j][0]
        if pivot <= 0:
            return None
        d.append(pivot)
        for i in range(j, n):
            m[i][j] = rows[i][j][0] / pivot, rows[i][j][1] / pivot
    return [[(*rows[i][j], d[j]) for j in range(i + 1)] for i in range(n)]


def product(a, b, transposed=False):
    n = range(len(a))
    return [[sum(a[i][k] * (b[j][k] if transposed else b[k][j]) for k in n) for j in n]
            for i in n]


def inverse_magnitudes(size):
    n = len(size)
    inverse = [[0.0] * n for _ in range(n)]
    for c in range(n):
        for i in range(c, n):
            total = float(i == c) + sum(size[i][k] * inverse[k][c] for k in range(c, i))
            inverse[i][c] = total / size[i][i]
    return inverse


def bound(t, size):
    """The page's bound for |L| = size; None where there is none."""
    n, part, factor_ = len(size), part_of(t), 8 if t.kind == "complex" else 1
    steps = 4 * (n + 2) * factor_
    least = steps * float(types.decode(part, 1).exact)
    most = float(types.decode(part, part.max_finite).exact) / 4
    inverse = inverse_magnitudes(size)
    across = [list(row) for row in zip(*size)]
    all_ = product(product(size, product(across, inverse, True)), size, True)
    greatest = max(map(max, size))
    e = [[steps * float(sums.unit(part)) * x + least * (1 + greatest) for x in row]
         for row in all_]
    w = product(product(inverse, e), inverse, True)
    f = math.sqrt(sum(x * x for row in w for x in row))
    if not (f <= 0.25 and max(map(max, all_)) < most and max(map(max, inverse)) < most):
        return None
    g = [[w[i][j] + f * f if j <= i else 0.0 for j in range(n)] for i in range(n)]
    return product(size, g)


def anything(part, code):
    return code, *sums.everything(part)


def around(part, code, error):
    x = types.decode(part, code).exact
    slack = (Fraction(error) + abs(x) * sums.unit(part)) * (1 + Fraction(1, 1 << 20))
    return code, *sums.around(part, x, slack)[1:]


def matrix_ranges(t, a):
    """For (i, j): the ranges of the parts, and whether NaN will do."""
    n, part, count = len(a), part_of(t), 2 if t.kind == "complex" else 1
    found = factor(a) if all(v is not None for row in a for z in row for v in z) else None
    nan, zero = types.encode(part, values.NAN), types.encode(part, values.ZERO)
    if found is None:
        one = [anything(part, c) for c in (nan, zero)[:count]], True
        return {(i, j): one for i in range(n) for j in range(n)}
    codes = [[[normalization.over_root(part, v, d, Fraction(0)) for v in z[:count]]
              for *z, d in row] for row in found]
    error = errors_of(t, codes)
    ranges = {}
    for i in range(n):
        for j in range(n):
            if j > i or error is None:
                own = codes[i][j] if j <= i else [zero] * count
                ranges[i, j] = [anything(part, c) for c in own], True
            else:
                ranges[i, j] = [around(part, c, error[i][j]) for c in codes[i][j]], False
    return ranges


def errors_of(t, codes):
    part = part_of(t)
    parts = [[[types.decode(part, c) for c in z] for z in row] for row in codes]
    if any(v.is_inf for row in parts for z in row for v in z):
        return None
    n = len(codes)
    size = [[math.hypot(*(float(v.exact) for v in parts[i][j])) if j <= i else 0.0
             for j in range(n)] for i in range(n)]
    if any(size[i][i] == 0 for i in range(n)):
        return None
    return bound(t, size) if n else None


def read(t, array, batch, lower):
    """The lower triangle as exact complex numbers; None for what is none."""
    n = array.dims[-1]

    def value(i, j):
        code = array.at((*batch, i, j) if lower else (*batch, j, i))
        if t.kind != "complex":
            code = code, 0
        parts = [types.decode(part_of(t), c) for c in code]
        exact = [v.exact if v.kind in ("finite", "zero") else None for v in parts]
        return (exact[0], Fraction(0)) if i == j else tuple(exact)
    return [[value(i, j) for j in range(i + 1)] for i in range(n)]


def expectation(array, lower):
    t, dims = array.type, array.dims
    found = {}
    for batch in Array(t, dims[:-2], ()).indices():
        ranges = matrix_ranges(t, read(t, array, batch, lower))
        for (i, j), value in ranges.items():
            found[(*batch, *((i, j) if lower else (j, i)))] = value
    def code(index, k):
        ends = tuple(r[k] for r in found[index][0])
        return ends if t.kind == "complex" else ends[0]
    three = [arrays.build(t, dims, lambda i, k=k: code(i, k)) for k in range(3)]
    count = 2 if t.kind == "complex" else 1
    nans = "".join("01"[found[i][1]] * count for i in three[0].indices())
    return interval(*three, nans)


def case(name, array, lower, why, statement):
    program = Program("m", [array]).root(
        array.shape, "cholesky(p0)" + ", lower=true" * lower)
    return Case(f"{array.type.name}/{name}", statement, program,
                [expectation(array, lower)], why)


def encoded(t, z):
    part = part_of(t)
    codes = tuple(types.encode(part, values.number(v)) for v in z)
    return codes if t.kind == "complex" else codes[0]


def hidden(t):
    """NaN in every part."""
    nan = part_of(t).nan
    return (nan, nan) if t.kind == "complex" else nan


def definite(t, n, stream, shift):
    """B B^H of small whole numbers B, plus a multiple of the unit matrix."""
    complex_ = t.kind == "complex"
    b = [[(Fraction(stream.below(9) - 4), Fraction(stream.below(9) - 4) * complex_)
          for _ in range(n)] for _ in range(n)]

    def element(i, j):
        terms = [times(b[i][k], conj(b[j][k])) for k in range(n)]
        re = sum((p[0] for p in terms), shift if i == j else Fraction(0))
        return re, sum((p[1] for p in terms), Fraction(0))
    return [[element(i, j) for j in range(n)] for i in range(n)]


def as_array(t, matrices, batch, n, lower, imaginary=0):
    """One triangle of each matrix, with NaN in the other one, and this code as imaginary
    parts of the diagonal."""
    everything = iter(matrices)
    codes = []
    for matrix in everything:
        for i in range(n):
            for j in range(n):
                code = encoded(t, matrix[i][j])
                if i == j and t.kind == "complex":
                    codes.append((code[0], imaginary))
                else:
                    codes.append(code if i == j or (i > j) == lower else hidden(t))
    return Array(t, (*batch, n, n), tuple(codes))


def random_cases():
    for t in KINDS:
        for n in (1, 2, 3, 5):
            for lower in (False, True):
                stream = Stream("cholesky", t.name, n, lower)
                matrix = definite(t, n, stream, Fraction(n, 4))
                array = as_array(t, [matrix], (), n, lower)
                yield case(f"{'lower' if lower else 'upper'}_{n}", array, lower,
                           ["Random", "Hidden"], f"a matrix of {n} rows")
    for t, lower, batch in itertools.product(KINDS, (False, True), ((2,), (1, 3))):
        n = 2 + lower
        stream = Stream("cholesky", "batches", t.name, lower, batch)
        matrices = [definite(t, n, stream, Fraction(1)) for _ in range(math.prod(batch))]
        yield case(f"{'lower' if lower else 'upper'}_{'x'.join(map(str, batch))}x{n}",
                   as_array(t, matrices, batch, n, lower), lower, ["Batch", "Hidden"],
                   f"{list(batch)} matrices of {n} rows")
    for t in (BY["f32"], BY["c64"]):
        for batch, n in (((2, 3), 2), ((0,), 2), ((2,), 0), ((3,), 1)):
            stream = Stream("cholesky", "batch", t.name, batch, n)
            matrices = [definite(t, n, stream, Fraction(1)) for _ in range(math.prod(batch))]
            array = as_array(t, matrices, batch, n, True)
            name = "x".join(map(str, (*batch, n)))
            yield case(f"batch_{name}", array, True, ["Batch", "Hidden"],
                       f"{list(batch)} matrices of {n} rows")


def imaginary_cases():
    """Upstream says nothing of such matrices, which are not Hermitian; one case a type."""
    for t in KINDS:
        if t.kind == "complex":
            matrix = definite(t, 3, Stream("cholesky", "imaginary", t.name), Fraction(1))
            yield case("imaginary_diagonal",
                       as_array(t, [matrix], (), 3, True, part_of(t).nan), True, ["Hidden"],
                       "NaN as imaginary parts of the diagonal")


def rows_of(t, rows):
    words = {"nan": values.NAN, "inf": values.INF}
    n = len(rows)
    part = part_of(t)

    def code(index):
        x = rows[index[0]][index[1]]
        c = types.encode(part, words[x] if x in words else values.number(Fraction(x)))
        return (c, 0) if t.kind == "complex" else c
    return arrays.build(t, (n, n), code)


TINY, HUGE = Fraction(1, 1 << 140), Fraction(1 << 120)
LISTED = {
    "whole": ([[4, 0, 0], [12, 37, 0], [-16, -43, 98]], "Exact"),
    "diagonal": ([[4, 0, 0], [0, Fraction(9, 4), 0], [0, 0, 2]], "Exact"),
    "unit": ([[1, 0], [0, 1]], "Exact"),
    "indefinite": ([[1, 0], [2, 3]], "Indefinite"),
    "singular": ([[1, 0], [2, 4]], "Indefinite"),
    "zero": ([[0, 0], [0, 1]], "Indefinite"),
    "negative": ([[-1]], "Indefinite"),
    "nan": ([[1, 0], ["nan", 4]], "Indefinite"),
    "infinite": ([[1, 0], [0, "inf"]], "Indefinite"),
    "nan_not_read": ([[4, "nan"], [2, 10]], "Hidden"),
    "nearly_singular": ([[1, 0], [1, 1 + Fraction(1, 1 << 20)]], "Ill"),
    "wide_range": ([[HUGE, 0], [1, TINY + 1 / HUGE]], "Range"),
    "subnormal": ([[TINY, 0], [TINY / 2, TINY]], "Range"),
}


def listed_cases():
    for name, (rows, why) in LISTED.items():
        for t in (BY["f32"], BY["f64"], BY["c64"]):
            yield case(name, rows_of(t, rows), True, [why],
                       f"a matrix of {len(rows)} rows: {name.replace('_', ' ')}")


NARROW = {
    "root": [[Fraction(1, 2)]],
    "whole": [[4, 0], [2, 2]],
    "mixed": [[2, 0], [1, 3]],
    "three": [[4, 0, 0], [2, 2, 0], [1, 1, 4]],
}


def narrow_cases():
    for t in (t for t in types.FLOATS if t.bits <= 8):
        for name, rows in NARROW.items():
            yield case(name, rows_of(t, rows), True, ["Narrow"], f"a matrix of {len(rows)} rows")


def long_case():
    stream = Stream("cholesky", "long")
    t, n = BY["f32"], 24
    matrix = definite(t, n, stream, Fraction(400))
    yield case("long", as_array(t, [matrix], (), n, True), True, ["Random"],
               "a matrix of 24 rows")


ROWS = [
    ("C1", "the elements are pred", "pred[2,2]", "pred[2,2] cholesky(p0), lower=true"),
    ("C1", "the elements are unsigned", "u32[2,2]", "u32[2,2] cholesky(p0)"),
    ("C2", "a vector", "f32[4]", "f32[4] cholesky(p0), lower=true"),
    ("C2", "the last dimensions differ", "c64[3,3,2]", "c64[3,3,2] cholesky(p0)"),
]


def cases():
    for rows in (random_cases, imaginary_cases, listed_cases, narrow_cases, long_case):
        yield from rows()
    yield from refused.cases("cholesky", ROWS)
