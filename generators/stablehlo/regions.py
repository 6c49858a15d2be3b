"""Regions that use scalars of outside, which are not constant."""

from __future__ import annotations

import functools

from assaygen.arrays import Array
from assaygen.types import BY_NAME
from sequences.elements import matrix, vector
from stablehlo.calls import scalar
from stablehlo.forms import F32, S32, form

WHY = {
    "Outside": "regions that use a scalar of outside, where HLO's instruction has no place for it",
    "WideRegions": "regions of wider types than the operands",
}
F16 = BY_NAME["f16"]
X = [4, 1, -2, 0, 7, 3]


def limited(k: int):
    """The greater of two, but k at most."""
    return lambda a, b: min(max(a, b), k)


LIMITED = """%m = stablehlo.maximum %x, %y : tensor<i32>
  %s = stablehlo.minimum %m, %b : tensor<i32>
  stablehlo.return %s : tensor<i32>"""
PAIR = "^bb0(%x: tensor<i32>, %y: tensor<i32>):"
ZERO = "%z = stablehlo.constant dense<0> : tensor<i32>\n"


def reductions():
    for k in (3, 9):
        rows = [X[:3], X[3:]]
        for d, found in ((1, [functools.reduce(limited(k), row, 0) for row in rows]),
                         (0, [functools.reduce(limited(k), col, 0) for col in zip(*rows)])):
            yield form(f"reduce_outside_{k}_{d}", "a limit of outside", "Outside",
                       [matrix(S32, *rows), scalar(k)], f"""{ZERO}%r = stablehlo.reduce(%a init: \
%z) across dimensions = [{d}] : ($A, tensor<i32>) -> $R
                       reducer(%x: tensor<i32>, %y: tensor<i32>) {{
                       {LIMITED}
                       }}""", [vector(S32, *found)])
        windows = [functools.reduce(limited(k), X[i:i + 3], 0) for i in range(0, 4)]
        yield form(f"reduce_window_outside_{k}", "a limit of outside", "Outside",
                   [vector(S32, *X), scalar(k)], f"""{ZERO}%r = "stablehlo.reduce_window"(%a, %z) \
<{{window_dimensions = array<i64: 3>}}> ({{
                   {PAIR}
                   {LIMITED}
                   }}) : ($A, tensor<i32>) -> $R""", [vector(S32, *windows)])
    yield form("reduce_two_outside", "two arrays, of which each has a limit", "Outside",
               [vector(S32, *X), scalar(3), vector(S32, *(5 * x for x in X)), scalar(-4)],
               f"""{ZERO}%r0, %r1 = stablehlo.reduce(%a init: %z), (%c init: %z) across \
dimensions = [0] : ($A, $C, tensor<i32>, tensor<i32>) -> ($B, $D)
               reducer(%x: tensor<i32>, %y: tensor<i32>) (%v: tensor<i32>, %w: tensor<i32>) {{
               %m = stablehlo.maximum %x, %y : tensor<i32>
               %s = stablehlo.minimum %m, %b : tensor<i32>
               %n = stablehlo.minimum %v, %w : tensor<i32>
               %t = stablehlo.maximum %n, %d : tensor<i32>
               stablehlo.return %s, %t : tensor<i32>, tensor<i32>
               }}""", [scalar(3), scalar(-4)])


def elementwise():
    for k in (3, -2):
        yield form(f"map_outside_{abs(k)}", "a factor of outside, and a constant", "Outside",
                   [vector(S32, *X), scalar(k)], """%c = stablehlo.constant dense<100> : tensor<i32>
                   %r = "stablehlo.map"(%a) ({
                   ^bb0(%x: tensor<i32>):
                   %s = stablehlo.multiply %x, %b : tensor<i32>
                   %t = stablehlo.add %s, %c : tensor<i32>
                   stablehlo.return %t : tensor<i32>
                   }) {dimensions = array<i64: 0>} : ($A) -> $R""",
                   [vector(S32, *(x * k + 100 for x in X))])
        yield form(f"sort_outside_{abs(k)}", "by the product with a number of outside", "Outside",
                   [vector(S32, *X), scalar(k)], f"""%r = "stablehlo.sort"(%a) ({{
                   {PAIR}
                   %s = stablehlo.multiply %x, %b : tensor<i32>
                   %t = stablehlo.multiply %y, %b : tensor<i32>
                   %l = stablehlo.compare LT, %s, %t : (tensor<i32>, tensor<i32>) -> tensor<i1>
                   stablehlo.return %l : tensor<i1>
                   }}) : ($A) -> $R""", [vector(S32, *sorted(X, key=lambda x: x * k))])
    sums = [sum(X[:i + 1]) * 10 for i in range(len(X))]
    yield form("scan_of_outside", "a running sum of products", "Outside",
               [vector(S32, *X), scalar(10)], f"""{ZERO}%r0, %r1 = chlo.scan(%a) inits(%z) \
dimension=0 {{
               {PAIR}
               %s = stablehlo.multiply %x, %b : tensor<i32>
               %t = stablehlo.add %s, %y : tensor<i32>
               stablehlo.return %t, %t : tensor<i32>, tensor<i32>
               }} : ($A, tensor<i32>) -> ($R, $B)""", [vector(S32, *sums), scalar(sums[-1])])


def scatters():
    rows, k = [[1, 2], [3, 4], [5, 6]], 10
    at, updates = [2, 0], [[7, 8], [9, -1]]
    found = [list(row) for row in rows]
    for i, update in zip(at, updates):
        found[i] = [x + k * u for x, u in zip(found[i], update)]
    yield form("scatter_of_outside", "updates times a number of outside", "Outside",
               [matrix(S32, *rows), scalar(k), matrix(S32, *([i] for i in at)),
                matrix(S32, *updates)], f"""%r = "stablehlo.scatter"(%a, %c, %d) \
<{{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = \
[0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}}> ({{
               {PAIR}
               %s = stablehlo.multiply %y, %b : tensor<i32>
               %t = stablehlo.add %x, %s : tensor<i32>
               stablehlo.return %t : tensor<i32>
               }}) : ($A, $C, $D) -> $R""", [matrix(S32, *found)])


def chosen(values, key, window, stride, low):
    """The place that each window chooses: the first with the greatest key; padding counts not."""
    places = []
    for start in range(-low, len(values) - window + 1, stride):
        inside = [i for i in range(start, start + window) if 0 <= i < len(values)]
        places.append(max(inside, key=lambda i: (key(values[i]), -i)))
    return places


def selections():
    for name, k, stride, low in (("greatest", 2, 2, 0), ("least", -1, 2, 0), ("padded", 1, 2, 1),
                                 ("overlapping", 1, 1, 0)):
        places = chosen(X, lambda x: x * k, 2, stride, low)
        source = [10 * (i + 1) for i in range(len(places))]
        found = [0] * len(X)
        for place, update in zip(places, source):
            found[place] += update * k
        yield form(f"select_and_scatter_outside_{name}", "a number of outside in both regions",
                   "Outside", [vector(S32, *X), scalar(k), vector(S32, *source)],
                   f"""{ZERO}%r = "stablehlo.select_and_scatter"(%a, %c, %z) <{{window_dimensions \
= array<i64: 2>, window_strides = array<i64: {stride}>, padding = dense<[[{low}, 0]]> : \
tensor<1x2xi64>}}> ({{
                   {PAIR}
                   %s = stablehlo.multiply %x, %b : tensor<i32>
                   %t = stablehlo.multiply %y, %b : tensor<i32>
                   %p = stablehlo.compare GE, %s, %t : (tensor<i32>, tensor<i32>) -> tensor<i1>
                   stablehlo.return %p : tensor<i1>
                   }}, {{
                   {PAIR}
                   %s = stablehlo.multiply %y, %b : tensor<i32>
                   %t = stablehlo.add %x, %s : tensor<i32>
                   stablehlo.return %t : tensor<i32>
                   }}) : ($A, $C, tensor<i32>) -> $R""", [vector(S32, *found)])


def wide():
    """What is right in f32 is not in f16: 2048 + 1."""
    x = vector(F16, 1, 5, 3)
    region = """%s = stablehlo.add %x, %y : tensor<f32>
               stablehlo.return %s : tensor<f32>"""
    pair = "^bb0(%x: tensor<f32>, %y: tensor<f32>):"
    half = "%z = stablehlo.constant dense<0.0> : tensor<f16>\n"
    yield form("select_and_scatter_wide", "windows that overlap at the greatest, added in f32",
               "WideRegions", [x, vector(F16, 2048, 1)], f"""{half}%r = \
"stablehlo.select_and_scatter"(%a, %b, %z) <{{window_dimensions = array<i64: 2>}}> ({{
               ^bb0(%x: tensor<f16>, %y: tensor<f16>):
               %p = stablehlo.compare GE, %x, %y : (tensor<f16>, tensor<f16>) -> tensor<i1>
               stablehlo.return %p : tensor<i1>
               }}, {{
               {pair}
               {region}
               }}) : ($A, $B, tensor<f16>) -> $R""", [vector(F32, 0, 2049, 0)])
    y = vector(F16, 2048, 1, "0.5")
    yield form("reduce_wide", "a sum of f16 in f32", "WideRegions", [y],
               f"""{half}%r = "stablehlo.reduce"(%a, %z) <{{dimensions = array<i64: 0>}}> ({{
               {pair}
               {region}
               }}) : ($A, tensor<f16>) -> $R""", [Array(F32, (), vector(F32, "2049.5").codes)])
    yield form("reduce_window_wide", "sums of f16 in f32", "WideRegions", [y],
               f"""{half}%r = "stablehlo.reduce_window"(%a, %z) <{{window_dimensions = \
array<i64: 2>}}> ({{
               {pair}
               {region}
               }}) : ($A, tensor<f16>) -> $R""", [vector(F32, 2049, "1.5")])
    yield form("scatter_wide", "updates of f16 added in f32", "WideRegions",
               [y, matrix(S32, [0], [2]), vector(F16, 1, 2048)], f"""%r = "stablehlo.scatter"(%a, \
%b, %c) <{{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], \
scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}}> ({{
               {pair}
               {region}
               }}) : ($A, $B, $C) -> $R""", [vector(F32, 2049, 1, "2048.5")])


def cases():
    for part in (reductions, elementwise, scatters, selections, wide):
        yield from part()
