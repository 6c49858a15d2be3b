"""Reports about mathematical functions."""

from fractions import Fraction

import mpmath

from assaygen.elements import complex_functions as complex_by
from assaygen import functions, sums, types, values
from assaygen.arrays import Array
from assaygen.cases import bits, interval
from assaygen.program import Program
from assaygen.values import Value
from ops import exponential, log, rsqrt, tanh
from regressions.common import (BF16, F16, F32, F64, PRED, U32, apply, code, function,
                                one_value, report, vector)

UNIT = ("-1", "1")  # the range of tanh, erf, sine and cosine


def error_function_specials(value):
    if value.is_inf:
        return values.number(value.sign)
    if value.is_nan or value.is_zero:
        return value
    if abs(value.exact) > 30:  # erfc(30) < 2^-1000: no format tells it from 0
        return values.number(value.sign * (1 - Fraction(1, 1 << 3000)))
    return None


def log1p_specials(value):
    if value.is_nan or value.is_zero:
        return value
    if value.is_inf or value.exact <= -1:
        below = value.sign < 0
        minus_one = not value.is_inf and value.exact == -1
        return Value("inf", -1) if minus_one else values.NAN if below else value
    return None


def wave_specials(value):
    return values.NAN if value.is_nan or value.is_inf else None


def nothing(_):
    return None


ERF = functions.function(error_function_specials, nothing, mpmath.erf)
LOG1P = functions.function(log1p_specials, nothing, mpmath.log1p)
SINE = functions.function(wave_specials, nothing, mpmath.sin)
COSINE = functions.function(wave_specials, nothing, mpmath.cos)


def saturating():
    far = vector(F32, *(x for y in ("7", "7.25", "7.5", "7.90531", "8", "8.5", "9", "9.0109",
                                    "9.02", "10", "20", "88", "3e38") for x in (y, "-" + y)))
    yield function(1, "tanh_saturates", "tanh does not exceed 1 where it comes close to it",
                   "tanh", tanh.RULE, 3, far, UNIT)
    near = code(F32, "3.9004288")
    tail = [near + k for k in range(-4, 5)] + [code(F32, x) for x in (
        "3.832506", "3.92", "4", "4.5", "9", "11", "1e30", "inf")]
    both = Array(F32, (2 * len(tail),), tuple(tail + [c | F32.sign_mask for c in tail]))
    yield function(2, "erf_saturates", "erf does not exceed 1 where it comes close to it",
                   "erf", ERF, 2, both, UNIT)
    for dims in ((), (1,), (2,), (7, 1), (3, 5), (8,)):
        name = "x".join(map(str, dims)) or "scalar"
        operand = Array(F32, dims, (code(F32, "4.5"),) * Array(F32, dims, ()).size)
        yield function(3, f"erf_shape_{name}", f"erf(4.5) is 1 in an array of shape {list(dims)}",
                       "erf", ERF, 2, operand, UNIT)


def log1p_interval():
    """Between about -0.53 and -0.28, where a range reduction was poor."""
    grid = [Fraction(-53, 100) + Fraction(k, 160) for k in range(41)]
    operand = vector(F64, "-0.4141892", "-0.41421356237309503", *grid)
    yield function(4, "log_plus_one", "log-plus-one is exact to a step around 1 - sqrt(2)",
                   "log-plus-one", LOG1P, 1, operand)


def complex_parts(t, parts, evaluate):
    """The components of evaluate(z), 5,000 bits of them, and the modulus."""
    with mpmath.workprec(5000):
        w = evaluate(mpmath.mpc(*(mpmath.mpf(types.decode(t, p).exact.numerator)
                                  / types.decode(t, p).exact.denominator for p in parts)))
        return [functions.fraction(x) for x in (w.real, w.imag)], functions.fraction(abs(w))


def complex_case(number, name, statement, op, steps, kind, evaluate, points):
    """Each component within 2 steps + 1 units of 2^-p times the modulus."""
    whole = types.BY_NAME[kind]
    t = types.component(whole)
    operand = Array(whole, (len(points),), tuple(
        tuple(code(t, x) for x in point) for point in points))
    rows = []
    for parts in operand.codes:
        components, modulus = complex_parts(t, parts, evaluate)
        bound = (2 * steps + 1) * sums.unit(t) * modulus + types.decode(t, 1).exact
        rows.append([sums.around(t, x, bound) for x in components])
    sets = [Array(whole, operand.dims, tuple((re[k], im[k]) for re, im in rows))
            for k in range(3)]
    program = Program("m", [operand]).root(operand.shape, f"{op}(p0)")
    return report(number, whole, name, statement, program, [interval(*sets)])


def complex_waves():
    """Functions whose formulas overflow, cancel or vanish on the way."""
    rows = (
        (5, "log_plus_one", "log(1 + z) is finite where the square of |z| is not", "log-plus-one",
         1, 1, complex_by.UNARY["log1p"], [("5e19", "1e19"), ("-3e38", "2e38")],
         [("1e200", "1e160"), ("-1e308", "1e308")]),
        (6, "log_plus_one", "log(1 + z) is z where z is small", "log-plus-one",
         1, 1, complex_by.UNARY["log1p"], [("1e-5", "1e-9"), ("-1e-20", "1e-30")],
         [("1e-5", "1e-9"), ("-1e-200", "1e-210")]),
        (7, "sine", "the imaginary part of a small sine is not lost", "sine", 2, 2,
         complex_by.UNARY["sin"], [("1e-30", "-1e-20"), ("0.5", "1e-20")],
         [("1e-30", "-1e-20"), ("0.5", "1e-200")]),
        (8, "sine", "the sine is finite where the exponential is not", "sine", 2, 2,
         complex_by.UNARY["sin"], [("0.1", "89"), ("1.5", "-88"), ("0.001", "89.4")],
         [("0.1", "710"), ("1.5", "-709.9")]),
        (9, "asinh", "the inverse hyperbolic sine of numbers of mixed sizes", "asinh", 2, 2,
         complex_by.UNARY["asinh"], [("-1", "-101999"), ("-1e30", "1e-30"), ("3e38", "2e38")],
         [("-1", "-101999"), ("-1e200", "1e-200")]),
        (9, "asin", "the inverse sine next to its cuts", "asin", 3, 2, complex_by.UNARY["asin"],
         [("-3e38", "-5.9e-39"), ("-2", "1e-30"), ("1.5", "-1e-40")],
         [("-2", "1e-300"), ("1e300", "-1e-300")]))
    for number, name, statement, op, narrow_steps, wide_steps, evaluate, single, double in rows:
        yield complex_case(number, name, statement, op, narrow_steps, "c64", evaluate, single)
        yield complex_case(number, name, statement, op, wide_steps, "c128", evaluate, double)


def complex_functions():
    single = [("-2.97e38", "1.70e38"), ("3e38", "-3e38"), ("1e-45", "1e-45"), ("-1e-40", "3e-41"),
              ("1e-30", "1e-38"), ("2e-20", "-1e25"), ("-2.7e-38", "5.9e-39")]
    double = [("-1.6e308", "1.7e308"), ("5e-324", "-5e-324"), ("1e-200", "1e-220"),
              ("1e160", "-1e170")]
    for kind, steps, points in (("c64", 2, single), ("c128", 1, double)):
        yield complex_case(10, "log", "the logarithm is finite where the square of the modulus "
                           "is not", "log", steps, kind, mpmath.log, points)
    single = [("89", "0.785"), ("89", "-0.785"), ("89", "2.356"), ("89.05", "-2.3561"),
              ("88.7", "0.001"), ("88.72", "1.5707"), ("-100", "1"), ("-95", "-3")]
    double = [("710", "0.785"), ("710", "-2.356"), ("709.7", "0.001"), ("-740", "1")]
    for kind, steps, points in (("c64", 2, single), ("c128", 1, double)):
        yield complex_case(11, "exponential", "the exponential is finite where that of the real "
                           "part alone is not", "exponential", steps, kind, mpmath.exp, points)


def narrow():
    """erf of half-precision operands whose square overflows in their type."""
    for t in (F16, BF16):
        start, end = code(t, "1.5"), code(t, "inf")
        step = (end - start) // 150
        codes = [*range(start, end, step), code(t, "256"), t.max_finite, end]
        operand = Array(t, (2 * len(codes),), tuple(codes + [c | t.sign_mask for c in codes]))
        yield function(12, "erf", "erf goes to 1 where its operand is large", "erf", ERF,
                       "faithful", operand, UNIT)


def subnormal():
    """Functions of subnormal operands, which are no zeros."""
    for t, limits in ((F32, (2, 2, 1)), (F64, (1, 1, 1)), (BF16, ("faithful",) * 3)):
        normal = 1 << t.mantissa
        codes = (1, 2, 3, normal // 3, normal // 2, normal - 1)
        operand = Array(t, (len(codes),), codes)
        yield function(15, "log", "the logarithm of a subnormal number is finite", "log",
                       log.RULE, limits[0], operand)
        yield function(15, "rsqrt", "a subnormal number has a finite inverse root", "rsqrt",
                       rsqrt.RULE, limits[1], operand)
        yield function(15, "log_plus_one", "log-plus-one of a subnormal number is that number",
                       "log-plus-one", LOG1P, limits[2], operand)
        roots = Array(t, operand.dims, tuple(functions.square_root(t, c) for c in codes))
        yield one_value(15, "sqrt", "the root of a subnormal number is not zero", [operand],
                        "sqrt(p0)", roots)


def flags():
    """What fast-math assumes away."""
    yield function(24, "exponential", "exp overflows to infinity", "exponential",
                   exponential.RULE, 2, vector(F32, "100", "89", "88.8", "inf", "-104", "-inf"))
    zero = vector(F32, 0, "-0")
    program = (Program("m", [zero, vector(F32, "-0", 0)]).line("q = f32[2] divide(p0, p1)")
               .root("pred[2]", "compare(q, q), direction=NE"))
    yield report(24, F32, "quotient_of_zeros", "0/0 is NaN, which is not equal to itself", program,
                 [bits(Array(PRED, (2,), (1, 1)))])
    inputs = [vector(F32, "inf", "nan", "nan", "inf", "-inf"),
              vector(F32, "nan", "inf", "nan", "inf", "inf")]
    yield one_value(24, "compare", "infinity is equal to itself and not to NaN", inputs,
                    "compare(p0, p1), direction=EQ", Array(PRED, (5,), (0, 0, 0, 1, 0)))


def folding():
    """The angle of two zeros that no compiler may take for others."""
    b = Array(U32, (3,), (0, 7, 0xFFFFFFFF))
    program = (Program("m", [b]).line("x = u32[3] xor(p0, p0)").line("e = f32[3] convert(x)")
               .root("f32[3]", "atan2(e, e)"))
    yield report(23, F32, "atan2", "atan2(+0, +0) is +0 where both zeros are computed", program,
                 [bits(Array(F32, (3,), (0, 0, 0)))])


def powers():
    base = vector(F32, "-0", "-0", "-inf", 0, 0, "-0", "-0")
    exponent = vector(F32, "0.5", "1.5", "0.5", "0.5", "-0.5", "-0.5", 3)
    result = vector(F32, 0, 0, "inf", 0, "inf", "inf", "-0")
    yield one_value(27, "power", "(-0) ** 0.5 is +0, unlike the root of -0", [base, exponent],
                    "power(p0, p1)", result)
    zeros = vector(F32, "-0", 0)
    yield one_value(27, "sqrt", "the root of -0 is -0", [zeros], "sqrt(p0)", zeros)
    numbers = vector(F32, 2, 3, 5, "0.1", "1e-40"), vector(F32, 3, 2, 7, "0.2", "1e38")
    roots = [Array(F32, x.dims, tuple(functions.square_root(F32, c) for c in x.codes))
             for x in numbers]
    for name, pair in (("two_roots", (0, 1)), ("one_root", (0, 0))):
        program = Program("m", list(numbers)).line("a = f32[5] sqrt(p0)")
        program.line("b = f32[5] sqrt(p1)")
        left, right = ("ab"[k] for k in pair)
        program.root("f32[5]", f"multiply({left}, {right})")
        result = apply(values.multiply, F32, *(roots[k] for k in pair))
        yield report(27, F32, name, "a product of roots is rounded after each operation", program,
                     [bits(result)])


def huge_angles():
    for t, texts in ((F32, ("1e10", "1e30", "3.4e38", "-1e22", "12345678")),
                     (F64, ("1e10", "1e22", "1e300", "-1.7e308"))):
        operand = Array(t, (len(texts) + 1,), (*vector(t, *texts).codes, t.max_finite))
        for op, rule in (("sine", SINE), ("cosine", COSINE)):
            yield function(32, op, f"the {op} of a huge angle is reduced by all digits of pi", op,
                           rule, 2, operand, UNIT)


def cases():
    for rows in (saturating, log1p_interval, complex_waves, complex_functions, narrow, subnormal, flags, folding,
                 powers, huge_angles):
        yield from rows()
