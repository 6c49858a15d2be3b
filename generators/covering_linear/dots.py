"""Dots: values of every class along long depths, batches, mixed types, and the
discriminators of narrow multipliers."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

from assaygen import arrays, contractions, types, values
from assaygen.arrays import Array
from assaygen.cases import Case
from assaygen.covering import sum_sets, sum_values
from assaygen.covering.pairs import rows
from assaygen.program import Program
from assaygen.streams import Stream
from covering_folds import common
from covering_folds.common import EVERY, named_types
from ops.dot import attributes, terms

# Types of the operands and of the result, which has all numbers of the operands.
FLOATS = [(t, t, t) for t in types.FLOATS if t.specials != "e8m0"] + [
    tuple(named_types(names)) for names in (
        "bf16 bf16 f32", "f16 f16 f32", "f8e4m3fn f8e5m2 f32", "f8e4m3fn f8e4m3fn bf16",
        "f4e2m1fn f6e3m2fn f16", "f32 f32 f64", "f8e5m2fnuz f8e4m3b11fnuz f32", "f16 bf16 f32")]
DEPTHS = [0, 1, 2, 3, 8, 31, 33, 127, 129, 256, 257, 1025, 4097]


def wide(n: int) -> int:
    """How many rows or columns stand beside a depth: 17 pass the few that are kept apart."""
    return 5 if n <= 33 else 2 if n <= 257 else 1


def even(n: int) -> int:
    """Of a batch; long lines beside each other would be long in text too."""
    return 2 if n <= 129 else 1


# Name -> dimensions of both operands, batch and contracting dimensions of each.
NUMBERS = {
    "vectors": lambda n: ((n,), (n,), [], [], [0], [0]),
    "plain": lambda n: ((wide(n), n), (n, wide(n + 1)), [], [], [1], [0]),
    "turned": lambda n: ((n, wide(n)), (wide(n), n), [], [], [0], [1]),
    "rows": lambda n: ((9 if n <= 33 else wide(n), n), (n,), [], [], [1], [0]),
    "columns": lambda n: ((n,), (n, 17 if n <= 33 else wide(n)), [], [], [0], [0]),
    "batch": lambda n: ((2, wide(n), n), (2, n, wide(n)), [0], [0], [2], [1]),
    "last_batch": lambda n: ((wide(n), n, even(n)), (n, even(n), wide(n)), [2], [1], [1], [0]),
    "two_depths": lambda n: ((common.halves(n)[0], wide(n), common.halves(n)[1]),
                             (common.halves(n)[1], common.halves(n)[0]), [], [], [0, 2], [1, 0]),
    "rank6": lambda n: ((1, wide(n), common.halves(n)[1], 1, common.halves(n)[0], even(n)),
                        (common.halves(n)[0], 1, even(n), common.halves(n)[1], 1), [5], [2], [2, 4],
                        [3, 0]),
}
# What stands beside a class of values.
OTHERS = ["ones", "signs", "powers", "same"]


def left_fits(row) -> bool:
    return common.fits(row["left"], row["kinds"][0], NUMBERS[row["numbers"]](1)[0])


def right_fits(row) -> bool:
    return common.fits(row["right"], row["kinds"][1], NUMBERS[row["numbers"]](1)[1])


def result_fits(row) -> bool:
    numbers = NUMBERS[row["numbers"]](1)
    out = len(numbers[0]) + len(numbers[1]) - len(numbers[2]) - 2 * len(numbers[4])
    return common.fits(row["result"], row["kinds"][2], (1,) * out)


RULES = [left_fits, right_fits, result_fits]


def values_fit(row) -> bool:
    left, right, t = row["kinds"]
    if row["values"] == "negative_zeros" and right.specials in ("fnuz", "e8m0"):
        return False
    return row["depth"] == 0 or sum_values.fits(left, row["values"], row["depth"])


def beside(t, n: int, name: str, stream: Stream) -> list[int]:
    """Factors that are written in few words: runs of powers of two."""
    picks = {"ones": [1], "signs": [1, -1], "powers": [Fraction(1, 2), 1, 2, -1], "same": [1]}
    line: list[int] = []
    while len(line) < n:
        x = stream.choice(picks[name])
        line += [types.encode(t, values.number(x))] * (1 + stream.below(max(n // 2, 1)))
    return line[:n]


def line(t, name: str, n: int, stream: Stream) -> list[int]:
    return sum_values.CLASSES[name](t, n, stream) if n else []


def sums_of_products():
    factors = {"kinds": FLOATS, "values": list(sum_values.CLASSES), "depth": DEPTHS,
               "left": EVERY, "right": EVERY, "result": EVERY, "numbers": list(NUMBERS),
               "other": OTHERS}
    for row in rows(factors, [values_fit, *RULES], "dot"):
        yield one(row)
    for row in common.turns(kinds=[tuple(named_types(names)) for names in (
                                "f32 f32 f32", "bf16 bf16 f32", "f64 f64 f64")],
                            values=["near_ones", "absorbed", "cancelled"], depth=[65537],
                            left=["default", "permuted_tiled", "nested"],
                            right=["t128", "nested", "t2_128"], result=["default"],
                            numbers=["vectors", "plain", "turned"], other=["ones", "powers"]):
        yield one(row)


def one(row) -> Case:
    kinds, n = row["kinds"], row["depth"]
    numbers = NUMBERS[row["numbers"]](n)
    what = common.named("dot", *(t.name for t in kinds[:2]), row["values"], row["other"], n,
                        row["numbers"], row["left"], row["right"], row["result"])
    stream = Stream("covering", "dot", kinds[2].name, what)
    lhs = common.from_lines(kinds[0], numbers[0], tuple(numbers[4]), lambda _, m: line(
        kinds[0], row["values"], m, stream))
    if row["other"] == "same" and kinds[0] is kinds[1] and row["values"] in sum_values.SAFE and (
            row["values"] != "cancelled"):
        rhs = common.from_lines(kinds[1], numbers[1], tuple(numbers[5]), lambda _, m: line(
            kinds[1], row["values"], m, stream))
    else:
        rhs = common.from_lines(kinds[1], numbers[1], tuple(numbers[5]), lambda _, m: beside(
            kinds[1], m, row["other"], stream))
    return dot(what, kinds, numbers, lhs, rhs, (row["left"], row["right"], row["result"]),
               f"{row['values'].replace('_', ' ')} along {n}")


def dot(what, kinds, numbers, lhs: Array, rhs: Array, layouts, statement: str) -> Case:
    t = kinds[2]
    out, found = terms(numbers, lhs, rhs)
    if t.kind == "float":
        expect = sum_sets.expectation(t, out, [sum_sets.of_products(kinds, row) for row in found])
    else:
        expect = contractions.expectation(kinds, out, found)
    inputs = [common.laid(x, name) for x, name in zip((lhs, rhs), layouts)]
    result = common.laid(Array(t, out, ()), layouts[2])
    program = Program("m", inputs).root(result.shape, f"dot(p0, p1){attributes(numbers)}")
    return Case(f"{t.name}/{what}", statement, program, [expect], ["Values", "Depth", "Layout"])


def integers():
    """Integers that wrap, truth values, and complex numbers with whole parts."""
    kinds = [types.PRED, *types.INTS, *types.COMPLEX]
    factors = {"kinds": [(t, t, t) for t in kinds] + [tuple(named_types(names)) for names in (
                   "s8 s8 s32", "u8 s8 s32", "s4 u4 s16", "u2 s8 s64", "s32 s32 s8")],
               "left": EVERY, "right": EVERY, "result": EVERY, "depth": DEPTHS,
               "numbers": list(NUMBERS)}
    for row in rows(factors, RULES, "dot of integers"):
        kinds, n = row["kinds"], row["depth"]
        numbers = NUMBERS[row["numbers"]](n)
        what = common.named("dot", *(t.name for t in kinds[:2]), n, row["numbers"], row["left"],
                            row["right"], row["result"])
        stream = Stream("covering", "dot", kinds[2].name, what)
        lhs, rhs = (common.from_lines(t, dims, tuple(depth), lambda _, m, t=t: numbers_of(
            t, m, stream)) for t, dims, depth in zip(kinds, numbers[:2], numbers[4:]))
        yield dot(what, kinds, numbers, lhs, rhs, (row["left"], row["right"], row["result"]),
                  f"{kinds[0].name} and {kinds[1].name} along {n}")


def numbers_of(t, n: int, stream: Stream) -> list:
    one = contractions.source(t, t, stream) if t.kind != "pred" else (
        lambda: int(stream.below(8) == 0))
    filler = (0 if t.kind == "pred" else arrays.from_number(t, 3))
    return common.quiet(t, n, [one() for _ in range(min(n, 24))], filler, stream)


# Two factors, which a multiplier with fewer digits rounds, and what is taken from the
# product so that the rest shows.
DISCRIMINATORS = {
    "tf32": (1 + Fraction(1, 1 << 11), 1 + Fraction(1, 1 << 12)),
    "bf16": (1 + Fraction(1, 1 << 9), 1 + Fraction(1, 1 << 10)),
    "bf16_twice": (1 + Fraction(1, 1 << 17), 1 - Fraction(1, 1 << 17)),
    "f16": (1 + Fraction(1, 1 << 12), 3 + Fraction(1, 1 << 11)),
    "fused": (1 + Fraction(1, 1 << 23), 1 - Fraction(1, 1 << 23)),
    "f32": (1 + Fraction(1, 1 << 24), 1 + Fraction(1, 1 << 25)),
}


def discriminators():
    """A product alone, and beside its own integer part, at ends and edges of a depth."""
    kinds = [(t, t, t) for t in named_types("f32 f64 f16 bf16")] + [
        tuple(named_types(names)) for names in ("f32 f32 f64", "f16 f16 f32")]
    for (left, right, t), (name, pair) in itertools.product(kinds, DISCRIMINATORS.items()):
        a, b = (types.encode(x, values.number(y)) for x, y in zip((left, right), pair))
        for n, place in ((1, 0), (9, 8), (129, 128), (257, 256), (1025, 512)):
            for whole in (False, True):
                lines = [[0] * n, [types.encode(right, values.number(1))] * n]
                lines[0][place], lines[1][place] = a, b
                if whole and n > 1:
                    lines[0][0] = types.encode(left, values.number(-math.floor(
                        pair[0] * pair[1])))
                elif whole:
                    continue
                what = common.named("dot", left.name, "discriminates", name, n,
                                    "rest" if whole else "product")
                yield dot(what, (left, right, t), ((n,), (n,), [], [], [0], [0]),
                          arrays.of(left, lines[0]), arrays.of(right, lines[1]),
                          ("default",) * 3, f"a product that fewer digits round, at {place}")


def zeros_times_infinity():
    """No term may be skipped because one factor is zero."""
    for t in types.FLOATS:
        if t.specials == "e8m0" or t.nan is None:
            continue
        bad = {"nan": t.nan} | ({"inf": t.max_finite + 1} if t.specials == "ieee" else {})
        for (name, code), n, place in itertools.product(bad.items(), (1, 33, 256, 257, 1025),
                                                        (0, -1)):
            line = [0] * n
            line[place] = code
            what = common.named("dot_zero_times", name, n, "first" if place == 0 else "last")
            yield dot(what, (t, t, t), ((n,), (n,), [], [], [0], [0]), arrays.of(t, [0] * n),
                      arrays.of(t, line), ("default",) * 3, f"zeros and {name} among {n}")


def large_products():
    """448 * 448 many times, of a type that ends at 448."""
    for names in ("f8e4m3fn f8e4m3fn f32", "f8e4m3fn f8e4m3fn bf16", "f8e4m3fn f8e4m3fn f16",
                  "f8e4m3fn f8e4m3fn f8e4m3fn", "f16 f16 f32", "bf16 bf16 f32"):
        kinds = tuple(named_types(names))
        for n in (1, 16, 256, 4097):
            lhs, rhs = (arrays.splat(t, (n,), t.max_finite) for t in kinds[:2])
            yield dot(common.named("dot", *(t.name for t in kinds[:2]), "largest", n), kinds,
                      ((n,), (n,), [], [], [0], [0]), lhs, rhs, ("default",) * 3,
                      f"the largest numbers, {n} times")


def cases():
    for part in (sums_of_products, integers, discriminators, zeros_times_infinity,
                 large_products):
        yield from part()
