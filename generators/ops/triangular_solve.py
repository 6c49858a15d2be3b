"""triangular-solve: exact solutions, and how far a backend may be from them
(spec/ops/triangular_solve.md)."""

import math
from fractions import Fraction

from assaygen import arrays, refused, sums, types, values
from assaygen.arrays import Array
from assaygen.cases import Case, interval
from assaygen.program import Program
from assaygen.streams import Stream
from assaygen.values import Value

WHY = refused.WHY | {
    "Variant": "each side, triangle, transposition and diagonal",
    "Batch": "several matrices, several right-hand sides, none at all",
    "Hidden": "NaN in the triangle that is not read, and on a unit diagonal",
    "Cancel": "solutions that lose all digits in the element type",
    "Narrow": "formats of 8 bits and fewer, which few systems fit",
    "Range": "numbers near the ends of the range",
    "Special": "zero diagonals, infinities and NaN",
    "Long": "systems longer than a block of a blocked algorithm",
}
F16, BF16, F32, F64 = (types.BY_NAME[n] for n in ("f16", "bf16", "f32", "f64"))
C64, C128 = types.COMPLEX
TRANSPOSES = ("NO_TRANSPOSE", "TRANSPOSE", "ADJOINT")
Pair = tuple[Value, Value]


def parts(t, code) -> Pair:
    """The value of a code as a complex number."""
    if t.kind == "complex":
        return tuple(types.decode(types.component(t), c) for c in code)
    return types.decode(t, code), values.ZERO


def substitute_real(matrix, b):
    """Row after row, in real numbers with infinities and NaN."""
    x: list[Value] = []
    for row, right in zip(matrix, b):
        rest = right[0]
        for j, known in enumerate(x):
            rest = values.add(rest, values.multiply(row[j][0], known).negated())
        x.append(values.divide(rest, row[len(x)][0]))
    return [(v, values.ZERO) for v in x]


def is_number(z: Pair) -> bool:
    return all(v.kind in ("zero", "finite") for v in z)


def product(a, b):
    return a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]


def quotient(a, b):
    size = b[0] * b[0] + b[1] * b[1]
    re, im = product(a, (b[0], -b[1]))
    return re / size, im / size


def substitute_complex(matrix, b):
    """The same; what is not finite makes NaN of all that follows from it."""
    x: list[Pair] = []
    for row, right in zip(matrix, b):
        k = len(x)
        if not all(map(is_number, [right, *row[:k + 1], *x])) or all(
                v.is_zero for v in row[k]):
            x.append((values.NAN, values.NAN))
            continue
        rest = tuple(v.exact for v in right)
        for j, known in enumerate(x):
            term = product(*(tuple(v.exact for v in z) for z in (row[j], known)))
            rest = rest[0] - term[0], rest[1] - term[1]
        found = quotient(rest, tuple(v.exact for v in row[k]))
        x.append(tuple(values.number(v) for v in found))
    return x


def up(x: Fraction) -> Fraction:
    """x to 60 bits, not smaller."""
    if not x:
        return x
    unit = Fraction(2) ** (types.floor_log2(x) - 60)
    return -(-x // unit) * unit


def modulus(z: Pair) -> Fraction:
    """|z|, at most 2^-60 of it too large."""
    re, im = (v.exact for v in z)
    if not re or not im:
        return abs(re or im)
    square = re * re + im * im
    shift = 2 * max(0, 70 - types.floor_log2(square) // 2)
    whole = square * (1 << shift)
    return Fraction(math.isqrt(math.ceil(whole)) + 1, 1 << shift // 2)


class Bound:
    """The bound of the page's section Accuracy, rounded up."""

    def __init__(self, t, matrix):
        self.size = [[modulus(z) for z in row[:i + 1]] for i, row in enumerate(matrix)]
        part = types.component(t) if t.kind == "complex" else t
        factor = 8 if t.kind == "complex" else 1
        self.n = len(matrix)
        self.unit = sums.unit(part) * factor
        self.least = types.decode(part, 1).exact * factor
        self.most = types.decode(part, part.max_finite).exact / 4

    def times(self, v):
        return [up(sum((a * b for a, b in zip(row, v)), Fraction(0))) for row in self.size]

    def solve(self, v):
        s: list[Fraction] = []
        for row, right in zip(self.size, v):
            rest = right + sum((a * b for a, b in zip(row, s)), Fraction(0))
            s.append(up(rest / row[len(s)]))
        return s

    def grow(self, v):
        return self.solve(self.times(v))

    def error(self, y, extra, underflow):
        large = self.grow(self.grow(self.solve(y)))
        factor = 2 * self.n * self.least * (extra + sum(y))
        return [4 * (self.n + 2) * self.unit * a + factor * c
                for a, c in zip(large, underflow)]

    def of(self, b, x):
        """For |b| and |x|: the bound of each component, or None."""
        inverse = self.solve([Fraction(1)] * self.n)
        underflow = self.grow([v + 1 for v in inverse])
        y = [p + q for p, q in zip(self.times(x), b)]
        first = self.error(y, 1, underflow)
        if any(2 * q > p for p, q in zip(first, self.error(self.times(first), 0, underflow))):
            return None
        twice = [2 * (1 + Fraction(1, 1 << 20)) * v for v in first]
        reached = max(*y, *inverse, *self.solve(y), *(p + q for p, q in zip(x, twice)))
        return twice if reached < self.most else None


def component_range(t, value, error):
    """(code, low, high) of one part of x."""
    if value.is_zero or not error:
        value = values.ZERO if value.is_zero else value
    nearest = types.encode(t, value)
    if error is None:
        return (nearest, types.encode(t, Value("inf", -1)), types.encode(t, values.INF)), True
    exact = types.decode(t, nearest).exact
    _, low, high = sums.around(t, exact, error)
    return (nearest, low, high), False


def system(t, matrix, b):
    """For each component: the ranges of its parts, and whether NaN will do."""
    solve = substitute_complex if t.kind == "complex" else substitute_real
    x = solve(matrix, b)
    if not x:
        return []
    used = [z for i, row in enumerate(matrix) for z in row[:i + 1]]
    regular = all(map(is_number, [*used, *b, *x])) and not any(
        all(v.is_zero for v in row[i]) for i, row in enumerate(matrix))
    part = types.component(t) if t.kind == "complex" else t
    error = None
    if regular and all(types.decode(part, types.encode(part, v)).kind != "inf"
                       for z in x for v in z):
        error = Bound(t, matrix).of([modulus(z) for z in b], [modulus(z) for z in x])
    count = 2 if t.kind == "complex" else 1
    return [[component_range(part, v, error and error[i]) for v in z[:count]]
            for i, z in enumerate(x)]


class Solve:
    """One instruction: its attributes and which element is which."""

    def __init__(self, left, lower, transpose, unit):
        self.left, self.lower, self.transpose, self.unit = left, lower, transpose, unit

    def attributes(self):
        words = {"left_side": self.left, "lower": self.lower, "unit_diagonal": self.unit}
        given = [f"{name}=true" for name, on in words.items() if on]
        return ", ".join([*given, f"transpose_a={self.transpose}"])

    def entry(self, i, j):
        """op(a)(i, j) is the element (row, column) of a, or a known zero or one."""
        row, column = (i, j) if self.transpose == "NO_TRANSPOSE" else (j, i)
        if row == column and self.unit:
            return 1
        return (row, column) if row == column or (row > column) == self.lower else 0

    def matrix(self, a, batch):
        """The rows of the system, and the order of unknowns that makes it lower."""
        n = a.dims[-1]
        upper = self.lower != (self.transpose == "NO_TRANSPOSE")
        # x op(a) = b has the columns of op(a) for rows.
        order = list(range(n))[::-1] if upper == self.left else list(range(n))

        def value(i, j):
            where = self.entry(i, j) if self.left else self.entry(j, i)
            if not isinstance(where, tuple):
                return values.number(where), values.ZERO
            re, im = parts(a.type, a.at((*batch, *where)))
            return (re, im.negated()) if self.transpose == "ADJOINT" else (re, im)
        return [[value(i, j) for j in order] for i in order], order

    def sets(self, a, b):
        """The result, its ends and whether NaN is admitted, element by element."""
        found = {}
        sides = b.dims[-1] if self.left else b.dims[-2]
        for batch in Array(a.type, b.dims[:-2], ()).indices():
            matrix, order = self.matrix(a, batch)
            for side in range(sides):
                where = [(*batch, i, side) if self.left else (*batch, side, i) for i in order]
                right = [parts(b.type, b.at(i)) for i in where]
                found.update(zip(where, system(b.type, matrix, right)))
        return found


def expectation(t, dims, found):
    def codes(index, k):
        ranges = tuple(r[k] for r, _ in found[index])
        return ranges if t.kind == "complex" else ranges[0]
    three = [arrays.build(t, dims, lambda i, k=k: codes(i, k)) for k in range(3)]
    nans = "".join("01"[free] for i in three[0].indices() for _, free in found[i])
    return interval(*three, nans)


def one(solve, a, b, name, statement, why):
    program = Program("m", [a, b]).root(
        b.shape, f"triangular-solve(p0, p1), {solve.attributes()}")
    return Case(f"{b.type.name}/{name}", statement, program,
                [expectation(b.type, b.dims, solve.sets(a, b))], why)


def small(t, stream, low=-16, high=16, scale=8):
    def real(part):
        x = Fraction(low + stream.below(high - low + 1), scale)
        return types.encode(part, values.number(x))
    if t.kind == "complex":
        return real(types.component(t)), real(types.component(t))
    return real(t)


def quiet_nan(t):
    return (types.component(t).nan,) * 2 if t.kind == "complex" else t.nan


def operands(t, solve, batch, n, sides, stream):
    """Small numbers; NaN where nothing may be read; a diagonal that is not 0."""
    def entry(index):
        row, column = index[-2:]
        if row == column:
            return quiet_nan(t) if solve.unit else small(t, stream, 4, 24)
        return small(t, stream) if (row > column) == solve.lower else quiet_nan(t)
    a = arrays.build(t, (*batch, n, n), entry)
    dims = (*batch, n, sides) if solve.left else (*batch, sides, n)
    return a, arrays.build(t, dims, lambda _: small(t, stream))


def variants():
    for t in (F32, F64, F16, BF16, C64, C128):
        for code in range(24):
            solve = Solve(code % 2 == 0, code // 2 % 2 == 0, TRANSPOSES[code // 8],
                          code // 4 % 2 == 1)
            stream = Stream("triangular_solve", t.name, code)
            a, b = operands(t, solve, (), 4, 2, stream)
            yield one(solve, a, b, f"variant_{code:02}", "the exact solution, rounded once: "
                      + solve.attributes(), ["Variant", "Hidden"])


def batches():
    solves = [Solve(True, True, "NO_TRANSPOSE", False), Solve(False, True, "ADJOINT", False)]
    for t in (F32, C64):
        for k, solve in enumerate(solves):
            for dims in ((2, 3, 3, 2), (3, 1, 1), (1, 5, 0), (0, 3, 2), (2, 0, 3)):
                *batch, n, sides = dims
                stream = Stream("triangular_solve", t.name, k, dims)
                a, b = operands(t, solve, tuple(batch), n, sides, stream)
                yield one(solve, a, b, f"batch_{k}_{'x'.join(map(str, dims))}",
                          f"{batch} matrices of {n} rows with {sides} right-hand sides each",
                          ["Batch"])


def random_cases():
    """Any variant, type, batch and sizes."""
    for number in range(72):
        stream = Stream("triangular_solve", "random", number)
        t = (F32, F64, F16, BF16, C64, C128)[number % 6]
        solve = Solve(*(bool(stream.bits(1)) for _ in range(2)), stream.choice(TRANSPOSES),
                      bool(stream.bits(1)))
        batch = tuple(1 + stream.below(2) for _ in range(1 + stream.below(2)))
        n, sides = 1 + stream.below(4), 1 + stream.below(3)
        a, b = operands(t, solve, batch, n, sides, stream)
        yield one(solve, a, b, f"random_{number:02}", f"{list(batch)} matrices of {n} rows with "
                  f"{sides} right-hand sides each: {solve.attributes()}", ["Batch", "Hidden"])


def lower(t, rows, right):
    """A lower system of decimals, with NaN above its diagonal."""
    def code(x):
        words = {"nan": values.NAN, "inf": values.INF, "-inf": Value("inf", -1),
                 "-0": Value("zero", -1)}
        return types.encode(t, words[x] if x in words else values.number(Fraction(x)))
    n = len(rows)
    hidden = t.max_finite if t.nan is None else t.nan
    a = arrays.build(t, (n, n), lambda i: code(rows[i[0]][i[1]]) if i[1] <= i[0] else hidden)
    return a, arrays.build(t, (n, 1), lambda i: code(right[i[0]]))


def cancelling():
    solve = Solve(True, True, "NO_TRANSPOSE", False)
    for t in (F32, F64, BF16):
        unit = Fraction(1, 1 << t.mantissa)
        rows = [[3], [1, 3], [-1 - unit, 1, 7], [1, -3, 1, Fraction(1, 1024)]]
        a, b = lower(t, rows, [1, Fraction(1, 3), Fraction(-1, 3), 1 + unit])
        yield one(solve, a, b, "cancels", "a solution whose terms cancel is exact", ["Cancel"])
        big, tiny = Fraction(2) ** (t.bias - 1), types.decode(t, 3).exact
        a, b = lower(t, [[big / 4], [big, big], [tiny, -tiny, tiny]], [big, big, tiny * 3])
        yield one(solve, a, b, "range", "nothing over- or underflows on the way", ["Range"])
        a, b = lower(t, [[tiny], [1, 1]], [big, big])
        yield one(solve, a, b, "overflow", "a solution out of range is infinite", ["Range"])


NARROW = {
    "one": ([[2]], [1]),
    "whole": ([[2], [1, 1]], [4, 4]),
    "thirds": ([[3], [1, Fraction(1, 2)]], [1, 2]),
    "three": ([[1], [Fraction(1, 2), 2], [1, 1, 4]], [2, 3, 4]),
}


def narrow_cases():
    solve = Solve(True, True, "NO_TRANSPOSE", False)
    for t in (t for t in types.FLOATS if t.bits <= 8):
        for name, (rows, right) in NARROW.items():
            a, b = lower(t, rows, right)
            yield one(solve, a, b, name, f"a system of {len(rows)} unknowns", ["Narrow"])


SPECIALS = {
    "zero_diagonal": ([[1], [1, 0], [1, 1, 1]], [1, 2, 3]),
    "negative_zero_diagonal": ([[1], [1, "-0"], [-1, 1, 1]], [1, 2, 3]),
    "zero_over_zero": ([[1], [2, 0], [0, 1, 1]], [1, 2, 3]),
    "zero_times_infinity": ([["-0"], [0, 1], [1, 0, 2]], [1, 2, 3]),
    "opposite_infinities": ([[0], [1, 1], [1, 1, 1]], [1, 2, 3]),
    "infinite_diagonal": ([["inf"], [5, 2], [0, 1, "-inf"]], [7, 3, 1]),
    "infinite_entry": ([[2], ["inf", 2], [1, 0, 4]], [-2, 3, 1]),
    "infinite_entry_of_zero": ([[2], ["inf", 2], [1, 0, 4]], [0, 3, 1]),
    "infinite_over_infinite": ([["inf"], [1, 2]], ["-inf", 1]),
    "infinite_side": ([[-2], [1, 2], [0, -1, 1]], ["inf", 3, 1]),
    "nan_entry": ([[2], ["nan", 2], [1, 0, 4]], [0, 3, 1]),
    "nan_side": ([[2], [0, 2], [1, 0, 4]], [1, "nan", 1]),
    "negative_zeros": ([[2], [-1, -2]], ["-0", "-0"]),
}


def specials():
    solve = Solve(True, True, "NO_TRANSPOSE", False)
    for t in (F32, F64, F16):
        for name, (rows, right) in SPECIALS.items():
            a, b = lower(t, rows, right)
            yield one(solve, a, b, name, "special values go by the rules of arithmetic",
                      ["Special"])
    for k, code in enumerate(("inf", "nan", "zero")):
        number = {"inf": values.INF, "nan": values.NAN, "zero": values.ZERO}[code]
        stream = Stream("triangular_solve", "complex", k)
        a, b = operands(C64, solve, (), 3, 2, stream)
        codes = list(a.codes)
        codes[4] = (types.encode(F32, number),) * 2
        yield one(solve, Array(C64, a.dims, tuple(codes)), b, f"{code}_on_diagonal",
                  "a special complex number makes NaN of what follows from it", ["Special"])


def long_system(t, n, batch, sides, name):
    """Small entries below a diagonal of 3, 5 and 7: the exact denominators stay small."""
    stream = Stream("triangular_solve", t.name, name)

    def entry(index):
        row, column = index[-2:]
        if row <= column:
            number = values.number((3, 5, 7)[stream.below(3)])
            return types.encode(t, number) if row == column else t.nan
        near = row - column <= 4 or stream.below(32) == 0
        return types.encode(t, values.number(Fraction(stream.below(3) - 1, 4) * near))
    a = arrays.build(t, (*batch, n, n), entry)
    return a, arrays.build(t, (*batch, n, sides), lambda _: small(t, stream))


def long_cases():
    for t in (F32, F64):
        a, b = long_system(t, 70, (), 1, "long")
        yield one(Solve(True, True, "NO_TRANSPOSE", False), a, b, "long",
                  "a system of 70 unknowns", ["Long"])


ROWS = [
    ("C1", "integers", "s32[2,2] ; s32[2,1]",
     "s32[2,1] triangular-solve(p0, p1), left_side=true"),
    ("C2", "other types", "f32[2,2] ; c64[2,1]",
     "c64[2,1] triangular-solve(p0, p1), left_side=true"),
    ("C3", "a vector", "f32[2] ; f32[2]", "f32[2] triangular-solve(p0, p1), left_side=true"),
    ("C3", "the matrix is not square", "f32[2,3] ; f32[2,1]",
     "f32[2,1] triangular-solve(p0, p1), left_side=true"),
    ("C4", "other batches", "f32[2,2,2] ; f32[3,2,1]",
     "f32[3,2,1] triangular-solve(p0, p1), left_side=true"),
    ("C4", "a batch on the right only", "f32[2,2] ; f32[3,2,1]",
     "f32[3,2,1] triangular-solve(p0, p1), left_side=true"),
    ("C5", "too many rows", "f32[2,2] ; f32[3,1]",
     "f32[3,1] triangular-solve(p0, p1), left_side=true"),
    ("C5", "too many columns from the right", "f64[2,2] ; f64[1,3]",
     "f64[1,3] triangular-solve(p0, p1), left_side=false"),
]


def cases():
    for rows in (variants, batches, random_cases, cancelling, specials, narrow_cases, long_cases):
        yield from rows()
    yield from refused.cases("triangular-solve", ROWS)
