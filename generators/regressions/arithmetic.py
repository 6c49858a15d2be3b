"""Reports about arithmetic and conversions, which have one right answer."""

from fractions import Fraction
from itertools import islice

import mpmath

from assaygen import arrays, functions, types, values
from assaygen.arrays import Array
from assaygen.cases import bits
from assaygen.program import Program
from assaygen.streams import Stream
from assaygen.types import BY_NAME
from ops import convert, dot
from regressions.common import (BF16, F16, F32, F64, PRED, S8, S32, S64, U8, U32, apply, code,
                                exact, one_value, report, rounded_value, vector)

FP8 = [t for t in types.FLOATS if t.bits == 8 and t.specials != "e8m0"]


def converted(number, name, statement, target, operand):
    result = Array(target, operand.dims, tuple(
        convert.rule(operand.type, target, c) for c in operand.codes))
    return one_value(number, name, statement, [operand], "convert(p0)", result)


def random_numbers(t, *words):
    """Random codes of either sign with exponents near that of 1."""
    stream = Stream("regressions", t.name, *words)
    while True:
        yield (t.bias - 8 << t.mantissa) + stream.below(16 << t.mantissa) | (
            t.sign_mask if stream.bits(1) else 0)


def scaled_complement():
    """exp(x^2) erfc(x) at 26.6: the second factor is subnormal."""
    with mpmath.workprec(300):
        parts = [(mpmath.erfc(mpmath.mpf(x)), mpmath.exp(mpmath.mpf(x) ** 2))
                 for x in (26.6, 26.55, 26.64)]
    pairs = [[types.encode(F64, values.number(functions.fraction(y))) for y in pair]
             for pair in parts]
    small, large = (arrays.of(F64, column) for column in zip(*pairs))
    yield one_value(14, "multiply", "a subnormal factor is not flushed before a large one",
                    [small, large], "multiply(p0, p1)",
                    apply(values.multiply, F64, small, large))


def subnormal_operands():
    for t in (F32, F64, F16, BF16):
        sub = [1, (1 << t.mantissa) - 1]
        left = arrays.of(t, [*sub, *(c | t.sign_mask for c in sub), code(t, "inf"), 1, 1])
        right = vector(t, *["inf"] * 4, "-0", 0, "nan")
        right = Array(t, right.dims, (*right.codes[:4], 1, *right.codes[5:]))
        yield one_value(16, "multiply", "a subnormal number times infinity is infinite",
                        [left, right], "multiply(p0, p1)",
                        apply(values.multiply, t, left, right))
        left = arrays.of(t, [*sub, t.sign_mask | 1, 0, t.sign_mask])
        right = vector(t, 0, "-0", 0, "-0", 0)
        yield one_value(16, "compare", "a subnormal number is not equal to zero", [left, right],
                        "compare(p0, p1), direction=EQ", Array(PRED, (5,), (0, 0, 0, 1, 1)))


def by_reciprocal(t, a, b):
    """a/b as a product with the rounded reciprocal of b."""
    return rounded_value(t, exact(t, a) * rounded_value(t, 1 / exact(t, b)))


def divisions():
    """Quotients that a product with a reciprocal misses."""
    def is_missed(pair):
        a, b = pair
        return by_reciprocal(F32, a, b) != rounded_value(F32, exact(F32, a) / exact(F32, b))
    same = ((c, c) for c in random_numbers(F32, "same"))
    other = zip(random_numbers(F32, "numerator"), random_numbers(F32, "denominator"))
    first = code(F32, "3163.328613")
    for name, pairs, statement in (
            ("itself", [(first, first), *islice(filter(is_missed, same), 60)],
             "x/x is 1"),
            ("another", list(islice(filter(is_missed, other), 60)),
             "a quotient is rounded once")):
        inputs = [arrays.of(F32, column) for column in zip(*pairs)]
        yield one_value(25, f"divide_by_{name}", statement, inputs, "divide(p0, p1)",
                        apply(values.divide, F32, *inputs))


def inverse_roots():
    """1/sqrt(x), where two roundings and one do not agree."""
    def composed(x):
        return types.encode(F64, values.number(1 / exact(F64, functions.square_root(F64, x))))

    def once(x):
        return functions.round_real(F64, lambda y: 1 / mpmath.sqrt(y), exact(F64, x))[0]
    codes = [code(F64, n) for n in range(2, 200) if int(n ** 0.5) ** 2 != n]
    found = [c for c in codes if composed(c) != once(c)]
    operand = arrays.of(F64, found)
    shape = operand.shape
    program = Program("m", [operand]).line("one = f64[] constant(1)")
    program.line(f"ones = {shape} broadcast(one), dimensions={{}}")
    program.line(f"root = {shape} sqrt(p0)").root(shape, "divide(ones, root)")
    yield report(26, F64, "one_over_sqrt", "1/sqrt(x) is rounded twice, not once as rsqrt",
                 program, [bits(arrays.of(F64, map(composed, found)))])


def excess_precision():
    x = arrays.of(F32, list(islice(random_numbers(F32, "excess"), 32)))
    narrow = convert.rule
    result = Array(F32, x.dims, tuple(
        narrow(BF16, F32, narrow(F32, BF16, c)) for c in x.codes))
    program = (Program("m", [x]).line("n = bf16[32] convert(p0)").root("f32[32]", "convert(n)"))
    yield report(28, F32, "there_and_back", "a conversion to bf16 and back rounds", program,
                 [bits(result)])
    for t in (BF16, F16):
        a, b = (arrays.of(t, list(islice(random_numbers(t, word), 32))) for word in "xy")
        total = apply(values.add, t, a, b)
        negative = Array(t, a.dims, tuple(c ^ t.sign_mask for c in a.codes))
        program = (Program("m", [a, b]).line(f"s = {t.name}[32] add(p0, p1)")
                   .root(a.shape, "subtract(s, p0)"))
        yield report(28, t, "error_of_a_sum", "(x + y) - x rounds after each operation", program,
                     [bits(apply(values.add, t, total, negative))])


def double_rounding():
    """Operands next to a midpoint, so near that a format between takes them for it."""
    for source, shift in ((F32, 20), (F64, 40)):
        for target in FP8:
            codes = []
            for c in range(target.max_finite):
                middle = (exact(target, c) + exact(target, c + 1)) / 2
                # The even neighbour takes the tie: lean towards the odd one.
                nudge = Fraction(1 if c % 2 == 0 else -1, 1 << shift)
                x = code(source, middle * (1 + nudge))
                codes.append(x | (source.sign_mask if c % 3 == 0 else 0))
            yield converted(29, f"to_{target.name}", "a conversion rounds once, not by way of "
                            "a format between", target, arrays.of(source, codes))
    wall = ("448", "463.9", "464", "464.1", "465", "480", "-464", "-465", "1e4")
    for source in (F32, F16):
        yield converted(29, "past_f8e4m3fn", "464 is a tie that goes to 448; above it is NaN",
                        BY_NAME["f8e4m3fn"], vector(source, *wall))


def out_of_range():
    numbers = ("nan", "-nan", "inf", "-inf", "-0", "-0.5", "-0.99", "-1", "-1.5", "127.9", "128",
               "-128.9", "-129", "255.5", "256", "300", "-300", "2147483520", "2147483648",
               "-2147483904", "4294967296", "1e19", "-1e19", "3e38")
    for source in (F32, F64, F16, BF16):
        for target in (S32, U8, S8, U32, S64):
            yield converted(30, f"to_{target.name}", "what an integer type cannot hold becomes "
                            "its nearest end, and NaN becomes 0", target,
                            vector(source, *numbers))


def remainder(a, b):
    x, y = a.exact, b.exact
    return values.number(x - y * int(x / y), a.sign)


def remainders():
    pairs = {
        F32: [("1e9", "3.14159265"), ("-1e9", "3.14159265"), ("2749682432", "36"), ("-4", "2"),
              ("4", "-2"), ("-0", "1"), ("3.4e38", "1e-45"), ("3e38", "7e-40"), ("5", "-3"),
              ("-5", "3"), ("1e-45", "1")],
        F64: [("1e9", "3.141592653589793"), ("1e308", "3"), ("1.7e308", "5e-324"),
              ("-6", "1.5"), ("1e22", "0.1")]}
    for t, rows in pairs.items():
        inputs = [vector(t, *column) for column in zip(*rows)]
        yield one_value(31, "remainder", "a remainder is exact however large the quotient is, "
                        "and has the sign of the dividend", inputs, "remainder(p0, p1)",
                        apply(remainder, t, *inputs))


def integer_power(t, base, exponent):
    if exponent >= 0:
        return t.wrap(base ** exponent)
    if abs(base) != 1:
        return 0
    return t.wrap(base ** (exponent % 2))


def integer_powers():
    rows = {
        S8: [(2, 64), (2, 7), (3, 100), (-2, 7), (-1, 127), (0, 64), (0, 0), (-3, 5), (2, -1),
             (5, -128)],
        S64: [(10, -1), (10, 18), (10, 19), (0, 64), (0, -1), (-1, -1), (-1, -2), (1, -5),
              (3, 64), (2, 63), (2, 64), (-2, 63)]}
    for t, pairs in rows.items():
        inputs = [vector(t, *column) for column in zip(*pairs)]
        result = arrays.of(t, [integer_power(t, b, e) for b, e in pairs])
        yield one_value(33, "power", "an integer power wraps, and truncates where the exponent "
                        "is negative", inputs, "power(p0, p1)", result)


def truncated(t, x):
    """x rounded towards zero."""
    nearest = rounded_value(t, x)
    return nearest if abs(nearest) <= abs(x) else None


def bf16_products():
    a, b = random_numbers(BF16, "a"), random_numbers(BF16, "b")
    pairs = [p for p in islice(zip(a, b), 200)
             if truncated(BF16, exact(BF16, p[0]) * exact(BF16, p[1])) is None][:64]
    inputs = [arrays.of(BF16, column) for column in zip(*pairs)]
    yield one_value(36, "multiply", "products of bf16 are rounded to nearest, not towards zero",
                    inputs, "multiply(p0, p1)", apply(values.multiply, BF16, *inputs))
    numbers = ((4, 8), (8, 4), [], [], [1], [0])
    stream = Stream("regressions", "bf16_dot")
    sides = [arrays.build(BF16, dims, lambda _: arrays.from_number(BF16, stream.below(5) - 2))
             for dims in numbers[:2]]
    out, rows = dot.terms(numbers, *sides)
    sums = (sum(exact(BF16, x) * exact(BF16, y) for x, y in row) for row in rows)
    result = Array(BF16, out, tuple(code(BF16, x) for x in sums))
    yield report(36, BF16, "dot", "a dot of bf16 multiplies numbers, not their bits",
                 dot.program(sides, BF16, out, numbers), [bits(result)])


def casts():
    numbers = ("0", "-0", "nan", "-nan", "inf", "-inf", "1e10", "-1e10", "0.479", "0.4", "-0.8",
               "1.05", "1e-7", "-3e-6", "0.0009765625", "239", "248", "249", "464", "57344",
               "61440", "61441", "-61440")
    for target in FP8:
        for source in (F32, F16):
            yield converted(42, f"to_{target.name}", "infinities, NaN, zeros and ties come to "
                            "their places in 8 bits", target, vector(source, *numbers))


def cases():
    for rows in (scaled_complement, subnormal_operands, divisions, inverse_roots,
                 excess_precision, double_rounding, out_of_range, remainders, integer_powers,
                 bf16_products, casts):
        yield from rows()
