"""Reports about triangular solves."""

from fractions import Fraction

from assaygen import types, values
from assaygen.arrays import Array
from assaygen.program import Program
from ops.triangular_solve import Solve, expectation, system
from regressions.common import F32, F64, report, vector

LOWER = Solve(True, True, "NO_TRANSPOSE", False)


def entry(batch, i, j):
    """What the program makes of its counters."""
    if i == j:
        return Fraction(3)
    return Fraction((7 * i + 3 * j + batch) % 5 - 2, 64)


def counters(t, shape, n):
    """a[batch,i,j] of entry, and b[batch,i,0] = i % 11 - batch."""
    text = f"""
k = s32[{shape}] iota(), iota_dimension=0
i = s32[{shape}] iota(), iota_dimension=1
j = s32[{shape}] iota(), iota_dimension=2
s7 = s32[] constant(7)
s5 = s32[] constant(5)
s3 = s32[] constant(3)
two = s32[] constant(2)
a7 = s32[{shape}] broadcast(s7), dimensions={{}}
a5 = s32[{shape}] broadcast(s5), dimensions={{}}
a3 = s32[{shape}] broadcast(s3), dimensions={{}}
a2 = s32[{shape}] broadcast(two), dimensions={{}}
i7 = s32[{shape}] multiply(i, a7)
j3 = s32[{shape}] multiply(j, a3)
ij = s32[{shape}] add(i7, j3)
ijk = s32[{shape}] add(ij, k)
rest = s32[{shape}] remainder(ijk, a5)
centred = s32[{shape}] subtract(rest, a2)
whole = {t}[{shape}] convert(centred)
small = {t}[] constant(0.015625)
smalls = {t}[{shape}] broadcast(small), dimensions={{}}
off = {t}[{shape}] multiply(whole, smalls)
three = {t}[] constant(3)
threes = {t}[{shape}] broadcast(three), dimensions={{}}
same = pred[{shape}] compare(i, j), direction=EQ
a = {t}[{shape}] select(same, threes, off)
bi = s32[2,{n},1] iota(), iota_dimension=1
bk = s32[2,{n},1] iota(), iota_dimension=0
s11 = s32[] constant(11)
b11 = s32[2,{n},1] broadcast(s11), dimensions={{}}
bm = s32[2,{n},1] remainder(bi, b11)
bs = s32[2,{n},1] subtract(bm, bk)
b = {t}[2,{n},1] convert(bs)"""
    return text.strip().splitlines()


def long_batch():
    """Two matrices of more rows than a block of 256."""
    n = 257
    for t in (F32, F64):
        program = Program("m", [])
        for line in counters(t.name, f"2,{n},{n}", n):
            program.line(line)
        program.root(f"{t.name}[2,{n},1]", f"triangular-solve(a, b), {LOWER.attributes()}")
        found = {}
        for batch in range(2):
            matrix = [[(values.number(entry(batch, i, j)), values.ZERO) for j in range(i + 1)]
                      for i in range(n)]
            right = [(values.number(i % 11 - batch), values.ZERO) for i in range(n)]
            solved = system(t, matrix, right)
            found.update({(batch, i, 0): s for i, s in enumerate(solved)})
        yield report(37, t, "batch_of_257", "every matrix of a batch is solved to its last row",
                     program, [expectation(t, (2, n, 1), found)])


ROWS = ((280, 0, 0), (361, 145, 0), (197, 313, 229))
SIDE = (1021, 777, 4095)


def residual():
    """Entries that do not fit into the 8 bits of a bf16 significand."""
    a = Array(F32, (3, 3), vector(F32, *(x for row in ROWS for x in row)).codes)
    b = Array(F32, (3, 1), vector(F32, *SIDE).codes)
    program = Program("m", [a, b]).root(b.shape, f"triangular-solve(p0, p1), {LOWER.attributes()}")
    yield report(37, F32, "operands", "the operands of a solve are not rounded to fewer bits",
                 program, [expectation(F32, (3, 1), LOWER.sets(a, b))])


def rounded_solution(t):
    """The exact solution of the system whose numbers are rounded to t."""
    def near(x):
        return types.decode(t, types.encode(t, values.number(x)))
    x = []
    for row, right in zip(ROWS, SIDE):
        rest = near(right).exact - sum(near(c).exact * v for c, v in zip(row, x) if c)
        x.append(rest / near(row[len(x)]).exact)
    return x


def cases():
    yield from long_batch()
    yield from residual()
