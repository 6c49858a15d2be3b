"""Reports about random numbers: programs that count what they draw."""

from assaygen.arrays import Array
from assaygen.cases import bits
from assaygen.program import Program, scalar_region
from regressions.common import BF16, F16, F32, F64, PRED, U8, report

N = 65536
TRUE = Array(PRED, (), (1,))


def drawn(t, a, b, distribution, lines):
    program = Program("m", [])
    program.region(scalar_region("both", "pred", "pred[] and(a, b)"))
    program.region(scalar_region("plus", "s32", "s32[] add(a, b)"))
    for line in (f"a = {t.name}[] constant({a})", f"b = {t.name}[] constant({b})",
                 f"x = {t.name}[{N}] rng(a, b), distribution={distribution}",
                 "yes = pred[] constant(true)", *lines):
        program.line(line)
    return program


def all_true(program):
    return program.root("pred[]", "reduce(good, yes), dimensions={0}, to_apply=both")


def below(t, limit, name):
    return [f"{name}_one = {t.name}[] constant({limit})",
            f"{name}_all = {t.name}[{N}] broadcast({name}_one), dimensions={{}}",
            f"{name} = pred[{N}] compare(x, {name}_all), direction=LT"]


def share(t, limit, low, high):
    """Whether the number of elements below the limit is in [low, high]."""
    return [*below(t, limit, "low"), f"ones = s32[{N}] convert(low)", "none = s32[] constant(0)",
            "count = s32[] reduce(ones, none), dimensions={0}, to_apply=plus",
            f"least = s32[] constant({low})", f"most = s32[] constant({high})",
            "clamped = s32[] clamp(least, count, most)"]


# Of 256 bytes modulo 100 the first 56 numbers come three times, others twice.
FAIR = 56 * N // 100
BIASED = 3 * 56 * N // 256
# Eight standard deviations, sqrt(N 0.56 0.44) = 127, and less than a sixth of
# the bias.
SLACK = 1024


def bytes_below_100():
    program = drawn(U8, 0, 100, "rng_uniform", share(U8, 56, FAIR - SLACK, FAIR + SLACK))
    program.root("pred[]", "compare(count, clamped), direction=EQ")
    yield report(40, U8, "unbiased", "bytes below 100 come equally often", program, [bits(TRUE)])
    program = all_true(drawn(U8, 0, 100, "rng_uniform", below(U8, 100, "good")))
    yield report(40, U8, "range", "bytes below 100 stay below", program, [bits(TRUE)])


def half_open():
    """[0, 1) in narrow types, where a rounded number would often be 1."""
    for t in (BF16, F16, F32, F64):
        program = all_true(drawn(t, 0, 1, "rng_uniform", below(t, 1, "good")))
        yield report(40, t, "below_one", "a number of [0, 1) is never 1", program, [bits(TRUE)])
    lines = below(F32, "3.00000048", "low")
    lines += [f"three = f32[{N}] broadcast(a), dimensions={{}}",
              f"over = pred[{N}] compare(x, three), direction=GE",
              f"good = pred[{N}] and(low, over)"]
    program = all_true(drawn(F32, 3, "3.00000048", "rng_uniform", lines))
    yield report(40, F32, "narrow_range", "an interval of two numbers is not left", program,
                 [bits(TRUE)])


def wide():
    """b - a is beyond the largest number."""
    for t, most in ((F16, "65504"), (F32, "3.40282347e38"), (F64, "1.7976931348623157e308")):
        program = all_true(drawn(t, "-" + most, most, "rng_uniform",
                                 [f"good = pred[{N}] is-finite(x)"]))
        yield report(40, t, "widest_range", "numbers of the widest interval are finite", program,
                     [bits(TRUE)])
        spread = drawn(t, "-" + most, most, "rng_uniform",
                       share(t, 0, N // 2 - SLACK, N // 2 + SLACK))
        spread.root("pred[]", "compare(count, clamped), direction=EQ")
        yield report(40, t, "widest_half", "half the numbers of the widest interval are negative",
                     spread, [bits(TRUE)])


def normal():
    for t in (BF16, F32, F64):
        program = all_true(drawn(t, 0, 1, "rng_normal", [f"good = pred[{N}] is-finite(x)"]))
        yield report(40, t, "finite_normal", "a normal number is finite", program, [bits(TRUE)])


def cases():
    for rows in (bytes_below_100, half_open, wide, normal):
        yield from rows()
