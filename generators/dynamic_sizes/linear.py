"""Matrices and transforms with exact results, and normalization."""

from assaygen import arrays, types
from assaygen.arrays import Array
from assaygen.cases import Case, bits
from assaygen.program import Program
from assaygen.streams import Stream
from dynamic_sizes.common import ADD, Operand, Sized, indices, marked

F32, S32 = types.F32, types.S32


def triangle(n: int, stream: Stream):
    """A lower triangle of small integers with powers of two on its diagonal."""
    return [[stream.below(4) if j < i else (1 << stream.below(2)) * (j == i)
             for j in range(n)] for i in range(n)]


def times(a, b):
    return [[sum(x * y for x, y in zip(row, column)) for column in zip(*b)] for row in a]


def given(matrix, sizes) -> Operand:
    """The matrix as an operand of its bounds."""
    operand = Operand([len(matrix), len(matrix[0])], sizes, Stream("dynamic_sizes"))
    operand.array = Array(S32, operand.dims, tuple(S32.wrap(x) for row in matrix for x in row))
    return operand


def lower(sized: Sized, name: str, n: int) -> None:
    """The numbers of a lower triangle, as integers."""
    rows = ", ".join("{" + ", ".join(str(int(j <= i)) for j in range(n)) + "}" for i in range(n))
    sized.line(f"i = s32[<={n},<={n}] convert({name})")
    sized.line(f"k = s32[{n},{n}] constant({{{rows}}})")
    sized.line(f"y = s32[<={n},<={n}] multiply(i, k)")


def cholesky(number: int):
    """The factor of the leading block that exists."""
    bound, size = 4, 1 + number
    factor = triangle(bound, Stream("dynamic_sizes", "cholesky", number))
    a = given(times(factor, list(zip(*factor))), [size, size])
    sized = Sized([a]).line("f = f32[<=4,<=4] convert(d0)")
    sized.line("c = f32[<=4,<=4] cholesky(f), lower=true")
    lower(sized, "c", bound)
    found = {(i, j): factor[i][j] if j <= i else 0 for i, j in indices(a.sizes)}
    return sized.case(f"cholesky_{number}", f"a block of {size} by {size}",
                      [("y", a.dims, a.sizes, found)])


def triangular_solve(number: int):
    """Systems of as many equations as exist, from the first or from the last one."""
    size = 1 + number
    stream = Stream("dynamic_sizes", "triangular-solve", number)
    rows = triangle(4, stream)
    upper = number % 2 == 1
    matrix = [list(row) for row in zip(*rows)] if upper else rows
    block = [row[:size] for row in matrix[:size]]
    solution = [[stream.below(5)] for _ in range(size)]
    right = times(block, solution) + [[99]] * (4 - size)
    a, b = given(matrix, [size, size]), given(right, [size, None])
    sized = Sized([a, b]).line("f = f32[<=4,<=4] convert(d0)").line("g = f32[<=4,1] convert(d1)")
    sized.line("s = f32[<=4,1] triangular-solve(f, g), left_side=true, "
               f"lower={str(not upper).lower()}, unit_diagonal=false, transpose_a=NO_TRANSPOSE")
    sized.line("y = s32[<=4,1] convert(s)")
    found = {i: solution[i[0]][0] for i in indices(b.sizes)}
    return sized.case(f"triangular_solve_{number}", f"{size} equations of 4",
                      [("y", b.dims, b.sizes, found)])


def fft(number: int):
    """Pairs of real numbers: the spectrum is the sum and the difference."""
    x = Operand([4, 2], [number, None], Stream("dynamic_sizes", "fft", number))
    sized = Sized([x]).line("f = f32[<=4,2] convert(d0)")
    sized.line("c = c64[<=4,2] fft(f), fft_type=RFFT, fft_length={2}")
    sized.line("e = f32[<=4,2] real(c)").line("y = s32[<=4,2] convert(e)")
    found = {}
    for i in range(number):
        a, b = x.at((i, 0)), x.at((i, 1))
        found |= {(i, 0): a + b, (i, 1): a - b}
    return sized.case(f"fft_{number}", f"{number} transforms of 4",
                      [("y", x.dims, x.sizes, found)])


def batch_norm(number: int):
    """Mean and variance of a power of two of elements: exact."""
    size, features = [(1, 3), (2, 2), (4, 1)][number]
    x = Operand([5, 3], [size, features], Stream("dynamic_sizes", "batch-norm", number))
    columns = [[x.at((i, f)) for i in range(size)] for f in range(features)]
    mean = {(f,): sum(column) for f, column in enumerate(columns)}
    spread = {(f,): size * sum(v * v for v in column) - sum(column) ** 2
              for f, column in enumerate(columns)}
    sized = Sized([x]).line("f = f32[<=5,<=3] convert(d0)")
    sized.line("u = f32[] constant(1)").line("o = f32[3] broadcast(u), dimensions={}")
    sized.line("t = (f32[<=5,<=3], f32[<=3], f32[<=3]) batch-norm-training(f, o, o), "
               "epsilon=0.5, feature_index=1")
    for name, index, factor in (("q", 1, size), ("y", 2, size * size)):
        sized.line(f"v_{name} = f32[<=3] get-tuple-element(t), index={index}")
        sized.line(f"a_{name} = f32[] constant({factor})")
        sized.line(f"b_{name} = f32[3] broadcast(a_{name}), dimensions={{}}")
        sized.line(f"c_{name} = f32[<=3] multiply(v_{name}, b_{name})")
        sized.line(f"{name} = s32[<=3] convert(c_{name})")
    return sized.case(f"batch_norm_{number}", f"{size} elements of {features} features",
                      [("q", [3], [features], mean), ("y", [3], [features], spread)],
                      ["Cut", "Least"])


def infinite(op: str) -> Case:
    """Infinities and NaN past the sizes: 0 times them would be NaN."""
    numbers = [1, 2, 3, "inf", "nan"]
    codes = [types.encode(F32, types.values.number(x)) if isinstance(x, int)
             else F32.nan if x == "nan" else types.encode(F32, types.values.INF)
             for x in numbers]
    program = Program("m", [Array(F32, (5,), tuple(codes)), arrays.of(F32, codes)])
    program.region(ADD.replace("s32", "f32")).line("n = s32[] constant(3)")
    for k in range(2):
        program.line(f"d{k} = {marked([5], [True], 'f32')} set-dimension-size(p{k}, n), "
                     "dimensions={0}")
    program.root("f32[]", "dot(d0, d1), lhs_contracting_dims={0}, rhs_contracting_dims={0}")
    expect = Array(F32, (), (types.encode(F32, types.values.number(14)),))
    return Case(f"f32/{op}_infinite", "infinity past the sizes is no factor", program,
                [bits(expect)], ["Cut"])


def cases():
    yield from map(cholesky, range(4))
    yield from map(triangular_solve, range(4))
    yield from map(fft, range(5))
    yield from map(batch_norm, range(3))
    yield infinite("dot")
