"""Quantised numbers: what is stored stands for (stored - zero point) * scale."""

from __future__ import annotations

from fractions import Fraction

from assaygen import types
from assaygen.arrays import Array
from sequences.elements import code_of, matrix, vector
from stablehlo.forms import F32, S32, Text, element, form, refused, tensor

WHY = {"Quantised": "what is stored stands for (stored - zero point) * scale"}
S4, S8, U8, S16 = (types.BY_NAME[n] for n in ("s4", "s8", "u8", "s16"))


def kind(t, scale, zero=0, ends=None) -> str:
    """!quant.uniform<i8:f32, 0.5:-3>."""
    word = element(t).replace("ui", "u")
    word += f"<{ends[0]}:{ends[1]}>" if ends else ""
    return f"!quant.uniform<{word}:f32, {float(scale)}" + (f":{zero}" if zero else "") + ">"


def real(t, code, scale, zero) -> Fraction:
    return (t.integer(code) - zero) * Fraction(scale)


def stored(t, x: Fraction, scale, zero, ends=None) -> int:
    """x / scale + zero within the ends, to the nearest, ties to even."""
    low, high = ends or (t.low, t.high)
    return t.wrap(round(min(max(x / Fraction(scale) + zero, Fraction(low)), Fraction(high))))


def many(kind_: str, *dims) -> str:
    return "tensor<" + "".join(f"{n}x" for n in dims) + kind_ + ">"


def one_scale():
    for t, scale, zero, ends in ((S8, "0.5", -3, None), (U8, "0.25", 128, None),
                                 (S4, 2, 1, None), (S16, "0.125", 0, None),
                                 (S8, 1, 0, (-127, 127))):
        top = (ends or (t.low, t.high))[1]
        edge = (top - zero) * Fraction(scale)
        x = vector(F32, 0, Fraction(scale) * 5 / 2, Fraction(scale) * -7 / 2, edge + 40,
                   -edge - 900, 1, "inf")
        q = many(kind(t, scale, zero, ends), 7)
        codes = tuple(stored(t, types.decode(F32, c).exact, scale, zero, ends)
                      for c in x.codes[:-1]) + (t.wrap(top),)
        back = vector(F32, *(real(t, c, scale, zero) for c in codes))
        yield form(f"quantize_{t.name}" + "_narrow" * (ends is not None),
                   f"scale {scale}, zero point {zero}, to what is stored and back", "Quantised",
                   [x], f"""%0 = stablehlo.uniform_quantize %a : ($A) -> {q}
                   %r0 = stablehlo.bitcast_convert %0 : ({q}) -> $R
                   %1 = "stablehlo.uniform_quantize"(%a) : ($A) -> {q}
                   %r1 = "stablehlo.uniform_dequantize"(%1) : ({q}) -> {tensor(back)}""",
                   [Array(t, (7,), codes), back])


def one_for_each_place():
    scales, zeros = ("0.5", 2, "0.25"), (-1, 0, 7)
    x = matrix(F32, [1, 1, 1], [-3, "2.5", 40])
    said = ", ".join(f"{float(Fraction(s))}" + f":{z}" * (z != 0) for s, z in zip(scales, zeros))
    q = many(f"!quant.uniform<i8:f32:1, {{{said}}}>", 2, 3)
    codes = tuple(stored(S8, types.decode(F32, c).exact, scales[k % 3], zeros[k % 3])
                  for k, c in enumerate(x.codes))
    back = Array(F32, (2, 3), tuple(code_of(F32, real(S8, c, scales[k % 3], zeros[k % 3]))
                                    for k, c in enumerate(codes)))
    yield form("quantize_columns", "a scale and a zero point for each column", "Quantised", [x],
               f"""%0 = "stablehlo.uniform_quantize"(%a) : ($A) -> {q}
               %r0 = "stablehlo.bitcast_convert"(%0) : ({q}) -> $R
               %r1 = stablehlo.uniform_dequantize %0 : ({q}) -> {tensor(back)}""",
               [Array(S8, (2, 3), codes), back])


P, Q, R = ("0.5", -3), ("0.25", 10), (2, 1)


def computed():
    """Operations of quantised operands, which arrive as what they store."""
    a, b = vector(S8, 1, -20, 100, 127), vector(S8, -4, 30, 5, -128)
    p, q, r = (many(kind(S8, *x), 4) for x in (P, Q, R))
    numbers = [[real(S8, c, *x) for c in y.codes] for x, y in ((P, a), (Q, b))]
    into = f"%x = stablehlo.bitcast_convert %a : ($A) -> {p}\n" \
           f"%y = stablehlo.bitcast_convert %b : ($B) -> {q}\n"
    for op, rule in (("add", lambda x, y: x + y), ("multiply", lambda x, y: x * y),
                     ("maximum", max)):
        yield form(f"quantised_{op}", f"{op} of the real numbers, in a third kind", "Quantised",
                   [a, b], f'{into}%z = "stablehlo.{op}"(%x, %y) : ({p}, {q}) -> {r}\n'
                   f"%r = stablehlo.bitcast_convert %z : ({r}) -> $R",
                   [Array(S8, (4,), tuple(stored(S8, rule(x, y), *R) for x, y in zip(*numbers)))])
    yield form("quantised_again", "from one kind to another", "Quantised", [a],
               f"%x = stablehlo.bitcast_convert %a : ($A) -> {p}\n"
               f"%z = stablehlo.uniform_quantize %x : ({p}) -> {r}\n"
               f"%r = stablehlo.bitcast_convert %z : ({r}) -> $R",
               [Array(S8, (4,), tuple(stored(S8, x, *R) for x in numbers[0]))])
    yield form("quantised_compare", "real numbers are compared", "Quantised", [a, b],
               f"{into}%r = stablehlo.compare LT, %x, %y : ({p}, {q}) -> $R",
               [Array(types.PRED, (4,), tuple(int(x < y) for x, y in zip(*numbers)))])
    w, v = matrix(S8, [1, 2], [3, 4]), matrix(S8, [-5, 0], [7, 9])
    p, q = (many(kind(S8, *x), 2, 2) for x in (P, Q))
    r = many("!quant.uniform<i32:f32, 0.125>", 2, 2)
    sums = [sum(real(S8, w.at((i, k)), *P) * real(S8, v.at((k, j)), *Q) for k in range(2))
            for i in range(2) for j in range(2)]
    yield form("quantised_dot", "a product of matrices, its sums stored in more bits", "Quantised",
               [w, v], f"%x = stablehlo.bitcast_convert %a : ($A) -> {p}\n"
               f"%y = stablehlo.bitcast_convert %b : ($B) -> {q}\n"
               "%z = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : "
               f"({p}, {q}) -> {r}\n%r = stablehlo.bitcast_convert %z : ({r}) -> $R",
               [Array(S32, (2, 2), tuple(stored(S32, x, "0.125", 0) for x in sums))])


def moved():
    """What only moves keeps what is stored; arguments and results may be quantised."""
    a = matrix(S8, [1, 2, 3], [-4, -5, -6])
    q, t = many(kind(S8, *P), 2, 3), many(kind(S8, *P), 3, 2)
    text = f"""\
func.func @main(%a: {q}) -> {t} {{
  %0 = stablehlo.reverse %a, dims = [0] : {q}
  %1 = stablehlo.transpose %0, dims = [1, 0] : ({q}) -> {t}
  %2 = stablehlo.reshape %a : ({q}) -> {t}
  %p = stablehlo.constant dense<[[true, false], [true, false], [false, true]]> : tensor<3x2xi1>
  %3 = stablehlo.select %p, %1, %2 : tensor<3x2xi1>, {t}
  return %3 : {t}
}}
"""
    yield Text("s8/quantised_moves", "quantised arguments and results, moved",
               text, [{"bits": matrix(S8, [-4, 2], [-5, -4], [-5, 3]).text(), "nan": "any"}],
               ["Quantised"], [a])
    yield refused("scales", "two scales for three places", f"""\
func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {{
  %0 = stablehlo.uniform_quantize %x : (tensor<3xf32>) -> tensor<3x!quant.uniform<i8:f32:0, \
{{0.5, 0.25}}>>
  %1 = stablehlo.uniform_dequantize %0 : (tensor<3x!quant.uniform<i8:f32:0, {{0.5, 0.25}}>>) \
-> tensor<3xf32>
  return %1 : tensor<3xf32>
}}
""", "stablehlo.quantized", [vector(F32, 1, 2, 3)])


def cases():
    for part in (one_scale, one_for_each_place, computed, moved):
        yield from part()
