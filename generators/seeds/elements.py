"""Operations on elements: clamp, signs, orders, roundings, conversions."""

from __future__ import annotations

from assaygen import arrays
from assaygen.arrays import Array
from seeds.common import (F32, F64, PRED, S32, U8, example, matrix, number, vector)

OPS = "002_operations"
C64 = arrays.types.C64


def clamps():
    yield example(OPS, "clamp.scalars", "-1, 5, 9 within 0 and 6",
                  [number(S32, 0), vector(S32, -1, 5, 9), number(S32, 6)],
                  "r = s32[3] clamp(p0, p1, p2)", [vector(S32, 0, 5, 6)])
    yield example(OPS, "clamp.formula", "clamp(a, x, b) is min(max(x, a), b), also where a > b",
                  [vector(F32, 0, 3, 5), vector(F32, -1, 2, 4), vector(F32, 6, 1, 4)],
                  """r = f32[3] clamp(p0, p1, p2)
                  m = f32[3] maximum(p1, p0)
                  n = f32[3] minimum(m, p2)
                  t = (f32[3], f32[3]) tuple(r, n)""", [vector(F32, 0, 1, 4)] * 2, why="Stated")


def conversions():
    yield example(OPS, "convert.integers", "0, 1, 2 as floats", [vector(S32, 0, 1, 2)],
                  "r = f32[3] convert(p0)", [vector(F32, 0, 1, 2)])
    yield example(OPS, "convert.to_nearest_even", "2^24 + 1 and 2^24 + 3 are ties",
                  [vector(S32, 16777217, 16777219, -16777217)], "r = f32[3] convert(p0)",
                  [vector(F32, 16777216, 16777220, -16777216)], why="Stated")
    yield example(OPS, "reduce_precision.half", "as in f16 and back: to even, and to infinity",
                  [vector(F32, "1.00048828125", "1.00146484375", 65519, 65520, "-1e9")],
                  "r = f32[5] reduce-precision(p0), exponent_bits=5, mantissa_bits=10",
                  [vector(F32, 1, "1.001953125", 65504, "inf", "-inf")], why="Stated")
    x = arrays.random_bits(F32, (8,), arrays.Stream("seeds", "reduce-precision"))
    yield example(OPS, "reduce_precision.more_bits", "more bits than the type has change nothing",
                  [x], "r = f32[8] reduce-precision(p0), exponent_bits=11, mantissa_bits=52", [x],
                  why="Stated")


def quotients():
    yield example(OPS, "rem.sign", "a remainder has the sign of the dividend, and is smaller "
                  "than the divisor", [vector(S32, 7, -7, 7, -7), vector(S32, 3, 3, -3, -3)],
                  """q = s32[4] divide(p0, p1)
                  r = s32[4] remainder(p0, p1)
                  t = (s32[4], s32[4]) tuple(q, r)""",
                  [vector(S32, 2, -2, -2, 2), vector(S32, 1, -1, 1, -1)], why="Stated")


def unary():
    x = vector(F32, "-2.5", "-0", "nan", 0, "2.5")
    yield example(OPS, "sign.cases", "-1, -0, NaN, +0, 1", [x], "r = f32[5] sign(p0)",
                  [vector(F32, -1, "-0", "nan", 0, 1)])
    half = vector(F32, "0.5", "1.5", "2.5", "-0.5", "-1.5", "-2.5")
    yield example(OPS, "round.away_and_even", "ties go away from zero, or to even", [half],
                  """a = f32[6] round-nearest-afz(p0)
                  e = f32[6] round-nearest-even(p0)
                  c = f32[6] ceil(p0)
                  f = f32[6] floor(p0)
                  t = (f32[6], f32[6], f32[6], f32[6]) tuple(a, e, c, f)""",
                  [vector(F32, 1, 2, 3, -1, -2, -3), vector(F32, 0, 2, 2, "-0", -2, -2),
                   vector(F32, 1, 2, 3, "-0", -1, -2), vector(F32, 0, 1, 2, -1, -2, -3)],
                  why="Stated")
    yield example(OPS, "real_imag.of_floats", "the real part of a float is itself, the other 0",
                  [vector(F32, 1, "-0", "-inf")], """a = f32[3] real(p0)
                  b = f32[3] imag(p0)
                  t = (f32[3], f32[3]) tuple(a, b)""",
                  [vector(F32, 1, "-0", "-inf"), vector(F32, 0, 0, 0)], why="Stated")
    z = Array(C64, (2,), tuple(zip(vector(F32, 1, 2).codes, vector(F32, 3, -4).codes)))
    yield example(OPS, "real_imag.of_complex", "the parts of complex numbers", [z],
                  """a = f32[2] real(p0)
                  b = f32[2] imag(p0)
                  t = (f32[2], f32[2]) tuple(a, b)""", [vector(F32, 1, 2), vector(F32, 3, -4)],
                  why="Stated")
    yield example(OPS, "is_finite.cases", "false of infinities and NaN",
                  [vector(F32, 0, "inf", "-inf", "nan", "3e38")], "r = pred[5] is-finite(p0)",
                  [Array(PRED, (5,), (1, 0, 0, 0, 1))], why="Stated")
    yield example(OPS, "population_count.bits", "how many bits are set",
                  [vector(U8, 0, 1, 255, 170)], "r = u8[4] popcnt(p0)", [vector(U8, 0, 1, 8, 4)],
                  why="Stated")
    yield example(OPS, "logical.not_and_or", "not, and, or of truth values",
                  [Array(PRED, (4,), (0, 0, 1, 1)), Array(PRED, (4,), (0, 1, 0, 1))],
                  """n = pred[4] not(p0)
                  a = pred[4] and(p0, p1)
                  o = pred[4] or(p0, p1)
                  t = (pred[4], pred[4], pred[4]) tuple(n, a, o)""",
                  [Array(PRED, (4,), c) for c in ((1, 1, 0, 0), (0, 0, 0, 1), (0, 1, 1, 1))],
                  why="Stated")


def orders():
    """-NaN < -Inf < -Finite < -0 < +0 < +Finite < +Inf < +NaN."""
    for t in (F32, F64):
        chain = vector(t, "-nan", "-inf", -1, "-0", 0, 1, "inf", "nan")
        low, high = (Array(t, (7,), chain.codes[k:k + 7]) for k in (0, 1))
        yield example(OPS, f"compare.total_order_{t.name}", "each is below the next", [low, high],
                      f"""a = pred[7] compare(p0, p1), direction=LT, type=TOTALORDER
                      b = pred[7] compare(p0, p0), direction=EQ, type=TOTALORDER
                      c = pred[7] compare(p0, p1), direction=LT
                      t = (pred[7], pred[7], pred[7]) tuple(a, b, c)""",
                      [Array(PRED, (7,), (1,) * 7), Array(PRED, (7,), (1,) * 7),
                       Array(PRED, (7,), (0, 1, 1, 0, 1, 1, 0))], why="Corrected")


def maps():
    yield example(OPS, "map.four_operands", "a function of an element of each operand",
                  [matrix(S32, [1, 2], [3, 4]), matrix(S32, [10, 20], [30, 40]),
                   matrix(S32, [5, 6], [7, 8])],
                  "r = s32[2,2] map(p0, p1, p2), dimensions={0,1}, to_apply=f",
                  [matrix(S32, [-4, -4], [-4, -4])], why="Stated", regions=[
                      "f {\n  a = s32[] parameter(0)\n  b = s32[] parameter(1)\n"
                      "  c = s32[] parameter(2)\n  t = s32[] constant(10)\n"
                      "  u = s32[] multiply(a, t)\n  v = s32[] subtract(b, u)\n"
                      "  w = s32[] subtract(a, c)\n  ROOT r = s32[] add(v, w)\n}"])


def cases():
    for part in (clamps, conversions, quotients, unary, orders, maps):
        yield from part()
