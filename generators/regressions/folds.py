"""Reports about operations on whole arrays: order, sums, comparators, indices."""

from fractions import Fraction

from assaygen import arrays, functions, sums, types, values
from assaygen.arrays import Array
from assaygen.cases import bits
from assaygen.program import Program, scalar_region
from assaygen.streams import Stream
from ops import convolution, dot
from regressions.common import (BF16, F16, F32, F64, S32, U8, apply, code, exact, one_value,
                                report, vector)


def sorted_case(number, name, statement, keys, comparator, key):
    """A stable sort of keys with their places; `key` ranks a code."""
    places = arrays.build(S32, keys.dims, lambda i: i[0])
    t, n = keys.type.name, keys.size
    region = (f"f {{\n  a = {t}[] parameter(0)\n  b = {t}[] parameter(1)\n"
              f"  i = s32[] parameter(2)\n  j = s32[] parameter(3)\n{comparator}\n}}")
    program = Program("m", [keys, places]).region(region).root(
        f"({t}[{n}], s32[{n}])",
        "sort(p0, p1), dimensions={0}, is_stable=true, to_apply=f")
    order = sorted(range(n), key=lambda i: key(keys.codes[i]))
    results = [Array(x.type, x.dims, tuple(x.codes[i] for i in order)) for x in (keys, places)]
    return report(number, keys.type, name, statement, program,
                  [bits(x, "same") for x in results])


def sorting():
    less = "  ROOT c = pred[] compare(a, b), direction=LT"
    for t in (F32, F64):
        sub = [0, 1, 2, (1 << t.mantissa) - 1, code(t, 1)]
        keys = arrays.of(t, [s for c in (0, 1, 0, *sub[2:], 1) for s in (t.sign_mask | c, c)])
        yield sorted_case(17, "subnormal_keys", "subnormal keys are neither zero nor equal", keys,
                          less, lambda c, t=t: types.decode(t, c).exact)
        specials = vector(t, "-nan", "nan", "-inf", "inf", "-1", "1", 0, "-0")
        total = less + ", type=TOTALORDER"
        yield sorted_case(22, "total_order", "NaNs stand at both ends of the total order",
                          specials, total, lambda c, t=t: total_key(t, c))
    zeros = vector(F32, 0, "-0", "-0", 0, 1, "-0")
    yield sorted_case(22, "zeros", "zeros of both signs are equal and keep their order", zeros,
                      less, lambda c: exact(F32, c))
    same_zero = ("  z = f32[] constant(0)\n  p = pred[] compare(a, z), direction=EQ\n"
                 "  q = pred[] compare(b, z), direction=EQ\n  x = f32[] select(p, z, a)\n"
                 "  y = f32[] select(q, z, b)\n"
                 "  ROOT c = pred[] compare(x, y), direction=LT, type=TOTALORDER")
    yield sorted_case(22, "mended_zeros", "a comparator that gives zeros one sign makes them equal",
                      vector(F32, 0, "-0", "nan", "-0", "-inf", 0, "-nan"), same_zero,
                      lambda c: total_key(F32, c & 0x7FFFFFFF and c))


def total_key(t, c):
    magnitude = c & ~t.sign_mask
    return -magnitude - 1 if c & t.sign_mask else magnitude


def extreme(number, name, statement, operand, init, kind, result):
    """reduce of a vector with maximum or minimum."""
    t = operand.type
    start = arrays.splat(t, (), init)
    program = (Program("m", [operand, start])
               .region(scalar_region("f", t.name, f"{t.name}[] {kind}(a, b)"))
               .root(f"{t.name}[]", "reduce(p0, p1), dimensions={0}, to_apply=f"))
    return report(number, t, name, statement, program, [bits(arrays.splat(t, (), result))])


def nan_extremes():
    for t in (F32, F64, BF16):
        for kind, start in (("maximum", "-inf"), ("minimum", "inf")):
            for place, texts in (("first", ("nan", 1)), ("last", (1, 2, 3, 4, 5, 6, 7, "nan"))):
                yield extreme(18, f"{kind}_nan_{place}", "an extreme of NaN and numbers is NaN",
                              vector(t, *texts), code(t, start), kind, t.nan)
    program = (Program("m", []).line("x = f32[2] constant({nan, 1})")
               .line("i = f32[] constant(-inf)")
               .region(scalar_region("f", "f32", "f32[] maximum(a, b)"))
               .root("f32[]", "reduce(x, i), dimensions={0}, to_apply=f"))
    yield report(18, F32, "maximum_constant", "a constant operand gives what a parameter gives",
                 program, [bits(vector_scalar(F32, "nan"))])


def vector_scalar(t, x):
    return arrays.splat(t, (), code(t, x))


def nan_operands():
    a, b = vector(F32, 5, "nan", "nan", "inf"), vector(F32, "nan", 5, "nan", "nan")
    for op in ("maximum", "minimum"):
        yield one_value(19, op, f"the {op} of NaN and a number is NaN", [a, b], f"{op}(p0, p1)",
                        vector(F32, *["nan"] * 4))
    x = vector(F16, 2, "0.5", 0, "-0", -4, "-1e-7")
    minus = Array(F16, x.dims, tuple(c ^ 0x8000 for c in x.codes))
    roots = Array(F16, x.dims, tuple(functions.square_root(F16, c) for c in minus.codes))
    program = (Program("m", [x]).line("n = f16[6] negate(p0)").line("s = f16[6] sqrt(n)")
               .root("f16[6]", "maximum(p0, s)"))
    yield report(19, F16, "maximum_of_root", "the maximum keeps a NaN that a root made", program,
                 [bits(apply(values.maximum, F16, x, roots))])


def negative_zeros():
    for n in (1, 2, 1024, 8191, 8192, 8193, 16385):
        operand = Array(F32, (n,), (code(F32, "-0"),) * n)
        yield extreme(20, f"maximum_{n}", f"the maximum of {n} negative zeros is -0", operand,
                      code(F32, "-inf"), "maximum", code(F32, "-0"))


ARGUMENT = """f {
  a = f32[] parameter(0)
  i = s32[] parameter(1)
  b = f32[] parameter(2)
  j = s32[] parameter(3)
  an = pred[] compare(a, a), direction=NE
  bn = pred[] compare(b, b), direction=NE
  number = pred[] not(an)
  first = pred[] and(bn, number)
  beyond = pred[] compare(b, a), direction=DIRECTION
  better = pred[] or(first, beyond)
  equal = pred[] compare(b, a), direction=EQ
  both = pred[] and(an, bn)
  same = pred[] or(equal, both)
  before = pred[] compare(j, i), direction=LT
  tie = pred[] and(same, before)
  take = pred[] or(better, tie)
  v = f32[] select(take, b, a)
  k = s32[] select(take, j, i)
  ROOT t = (f32[], s32[]) tuple(v, k)
}"""


def arguments_of_extremes():
    """A comparator that ranks NaN before all numbers, ties by the lower place."""
    rows = [(1, "nan", 2, "nan"), ("inf", "-inf", "inf", "-inf"), (1, 2, 2, 0),
            ("nan", "nan", "nan", 1), ("-inf",) * 4, ("inf",) * 4]
    keys = Array(F32, (6, 4), tuple(code(F32, x) for row in rows for x in row))
    places = arrays.build(S32, (6, 4), lambda i: i[1])
    for name, direction, start, pick in (("argmax", "GT", "-inf", max),
                                         ("argmin", "LT", "inf", min)):
        init = vector_scalar(F32, start), vector_scalar(S32, S32.high)
        program = (Program("m", [keys, places, *init])
                   .region(ARGUMENT.replace("DIRECTION", direction))
                   .root("(f32[6], s32[6])",
                         "reduce(p0, p1, p2, p3), dimensions={1}, to_apply=f"))
        at = [row.index("nan" if "nan" in row else spelt(row, pick)) for row in rows]
        found = [keys.codes[4 * r + k] for r, k in enumerate(at)]
        yield report(21, F32, name, "NaN comes first, and its place is in the array", program,
                     [bits(arrays.of(F32, found)), bits(arrays.of(S32, at))])


def spelt(row, pick):
    """The extreme of a row without NaN, as it is spelt there."""
    return pick(row, key=float)


def wide_sums():
    """Sums between conversions: those of the wide type are exact in every order."""
    for t, wide, n, x in ((BF16, F32, 70000, 1), (F16, F32, 4096, 1), (F32, F64, 1000000, "0.1"),
                          (BF16, F32, 1000, "0.1")):
        element = code(t, x)
        total = n * exact(t, element)
        quantum = Fraction(1, total.denominator)
        assert total / quantum <= 2 ** (wide.mantissa + 1)  # exact in every order
        operand, init = Array(t, (n,), (element,) * n), vector_scalar(wide, 0)
        program = (Program("m", [operand, init])
                   .region(scalar_region("f", wide.name, f"{wide.name}[] add(a, b)"))
                   .line(f"w = {wide.name}[{n}] convert(p0)")
                   .line(f"s = {wide.name}[] reduce(w, p1), dimensions={{0}}, to_apply=f")
                   .root(f"{t.name}[]", "convert(s)"))
        yield report(34, t, f"sum_of_{n}", f"{n} times {x} is summed in {wide.name}", program,
                     [bits(arrays.splat(t, (), types.encode(t, values.number(total))))])
    for t in (BF16, F16, F32):
        n = min(1 << (t.mantissa + 1), 1 << 16)
        operand = Array(t, (n,), (code(t, 1),) * n)
        program = (Program("m", [operand, vector_scalar(t, 0)])
                   .region(scalar_region("f", t.name, f"{t.name}[] add(a, b)"))
                   .root(f"{t.name}[]", "reduce(p0, p1), dimensions={0}, to_apply=f"))
        yield report(34, t, f"ones_{n}", f"{n} ones have one sum in every order", program,
                     [bits(vector_scalar(t, n))])


def dot_precision():
    def case(name, lhs, rhs, numbers, extra=""):
        out, rows = dot.terms(numbers, lhs, rhs)
        terms = [[exact(F32, a) * exact(F32, b) for a, b in row] for row in rows]
        triples = [sums.codes(F32, row, True) for row in terms]
        sets = [Array(F32, out, tuple(column)) for column in zip(*triples)]
        program = Program("m", [lhs, rhs]).root(
            sets[0].shape, f"dot(p0, p1){dot.attributes(numbers)}{extra}")
        return report(35, F32, name, "a dot of f32 does not round its operands to fewer bits",
                      program, [dot.interval(*sets)])
    numbers = ((1, 2), (2, 1), [], [], [1], [0])
    lhs = Array(F32, (1, 2), vector(F32, "0.3744", "0.1656").codes)
    rhs = Array(F32, (2, 1), vector(F32, "0.3946", "0.1569").codes)
    highest = ", operand_precision={highest,highest}"
    yield case("two_products", lhs, rhs, numbers)
    yield case("two_products_highest", lhs, rhs, numbers, highest)
    stream = Stream("regressions", "dot")
    numbers = ((16, 4), (4, 16), [], [], [1], [0])
    lhs, rhs = (arrays.build(F32, dims, lambda _: 0x3E800000 + stream.below(1 << 24))
                for dims in numbers[:2])
    yield case("tile", lhs, rhs, numbers)
    yield case("tile_highest", lhs, rhs, numbers, highest)


def convolutions():
    """Large elements that meet zeros of the kernel: an algorithm that adds them
    to others before it multiplies loses those."""
    c = dict(batch=1, features=1, space=[6, 6], out=1, size=[3, 3],
             window=[convolution.PLAIN] * 2, labels="b01f_01io->b01f")
    for t in (F16, BF16, F32):
        stream = Stream("regressions", "convolution", t.name)

        def near_one(s=stream, t=t):
            return (t.bias - 1 << t.mantissa) + s.below(1 << t.mantissa)
        large = code(t, 1 << (t.mantissa + 1))
        # Columns 2, 3 and 5 are large; the kernel's other columns are zero.
        lhs = arrays.build(t, (1, 6, 6, 1), lambda i: large if i[2] in (2, 3, 5) else near_one())
        rhs = arrays.build(t, (3, 3, 1, 1), lambda i: 0 if i[1] else near_one())
        dims = (1, 4, 4, 1)
        rows = [convolution.pairs(c, lhs, rhs, i[0], i[3], i[1:3])
                for i in Array(t, dims, ()).indices()]
        program = Program("m", [lhs, rhs]).root(
            Array(t, dims, ()).shape, f"convolution(p0, p1){convolution.attributes(c)}")
        yield report(39, t, "large_neighbours", "an element that meets a zero of the kernel "
                     "leaves the sum alone", program, [convolution.expectation(t, dims, rows)])


def narrow_indices():
    for size, width in ((200, 1), (300, 1), (256, 4)):
        operand = arrays.build(S32, (size,), lambda i: 1000 + i[0])
        for start in (127, 128, 200, 255):
            at = min(start, size - width)
            inputs = [operand, Array(U8, (), (start,))]
            result = Array(S32, (width,), tuple(operand.codes[at:at + width]))
            program = Program("m", inputs).root(
                result.shape, f"dynamic-slice(p0, p1), dynamic_slice_sizes={{{width}}}")
            yield report(41, S32, f"{width}_of_{size}_at_{start}",
                         f"the u8 index {start} is {start}, whatever the sizes are", program,
                         [bits(result, "same")])


def cases():
    for rows in (sorting, nan_extremes, nan_operands, negative_zeros, arguments_of_extremes,
                 wide_sums, dot_precision, convolutions, narrow_indices):
        yield from rows()
