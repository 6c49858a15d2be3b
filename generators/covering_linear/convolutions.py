"""Convolutions with strides, dilations, groups and labels, and values of every class."""

from __future__ import annotations

import math

from assaygen import contractions, types
from assaygen.arrays import Array
from assaygen.cases import Case
from assaygen.covering import sum_sets, sum_values
from assaygen.covering.pairs import rows
from assaygen.program import Program
from assaygen.streams import Stream
from covering_folds import common
from covering_folds.common import EVERY
from covering_linear.dots import FLOATS, beside, line, numbers_of
from ops.convolution import PLAIN, attributes, operand_dims, sums_of

# Sizes in the order batch/feature/space and in/out/space; window dimensions as
# (stride, low, high, base dilation, window dilation, reversal).
FORMS = {
    "row": dict(batch=1, features=3, space=[129], out=2, size=[5], window=[(8, 2, 2, 1, 1, 0)],
                labels="b0f_0io->b0f"),
    "long": dict(batch=1, features=1, space=[262], out=1, size=[257], window=[PLAIN],
                 labels="bf0_oi0->bf0"),
    "deep": dict(batch=1, features=257, space=[2], out=2, size=[1], window=[PLAIN],
                 labels="b0f_0io->b0f"),
    "image": dict(batch=2, features=2, space=[9, 8], out=3, size=[3, 3],
                  window=[(3, 1, 1, 1, 1, 0), (2, 0, 1, 1, 1, 0)], labels="b01f_01io->b01f"),
    "spread": dict(batch=1, features=2, space=[5, 6], out=2, size=[3, 2],
                   window=[(2, 2, 1, 2, 2, 0), (1, 1, 0, 1, 3, 0)], labels="bf01_oi01->bf01"),
    "turned": dict(batch=1, features=2, space=[7, 3], out=2, size=[3, 2],
                   window=[(1, -1, -1, 1, 1, 1), (1, 1, 1, 1, 1, 1)], labels="01bf_io01->fb10"),
    "groups": dict(batch=1, features=6, space=[4, 3], out=4, size=[2, 2], groups=2,
                   window=[PLAIN, (1, 1, 0, 1, 1, 0)], labels="bf01_oi01->bf01"),
    "depthwise": dict(batch=2, features=8, space=[9], out=8, size=[3], groups=8,
                      window=[(1, 1, 1, 1, 1, 0)], labels="b0f_0io->b0f"),
    "batch_groups": dict(batch=4, features=2, space=[5], out=4, size=[2], batch_groups=2,
                         window=[(1, 0, 1, 1, 1, 0)], labels="0fb_0io->f0b"),
    "space3": dict(batch=1, features=1, space=[3, 4, 5], out=2, size=[2, 1, 3],
                   window=[(1, 1, 0, 1, 1, 0), PLAIN, (2, 0, 2, 1, 1, 0)],
                   labels="bf012_oi012->b012f"),
    "matrix": dict(batch=3, features=33, space=[], out=2, size=[], window=[], labels="bf_io->bf"),
    "nowhere": dict(batch=1, features=2, space=[2], out=3, size=[2],
                    window=[(1, 4, 4, 1, 1, 0)], labels="b0f_0io->b0f"),
    "rank6": dict(batch=1, features=2, space=[2, 3, 1, 3], out=2, size=[2, 1, 1, 2],
                  window=[(1, 1, 0, 1, 1, 0), (2, 0, 1, 1, 1, 0), PLAIN, (1, 0, 0, 1, 2, 1)],
                  labels="b0123f_0123io->bf0123"),
    "page": dict(batch=1, features=1, space=[4099], out=1, size=[5],
                 window=[(64, 1, 1, 1, 1, 0)], labels="b0f_0io->b0f"),
    "grain": dict(batch=1, features=1, space=[257, 256], out=2, size=[3, 4],
                  window=[(64, 1, 0, 1, 1, 0), (32, 0, 1, 1, 1, 0)], labels="b01f_01io->b01f"),
    "empty": dict(batch=0, features=2, space=[4], out=3, size=[2], window=[PLAIN],
                  labels="b0f_0io->b0f"),
}

FURTHER = ["rank6", "page", "grain"]  # few cases each
PAIRED = [name for name in FORMS if name not in FURTHER]


def left_fits(row) -> bool:
    return common.fits(row["left"], row["kinds"][0], operand_dims(FORMS[row["form"]])[0])


def right_fits(row) -> bool:
    return common.fits(row["right"], row["kinds"][1], operand_dims(FORMS[row["form"]])[1])


def result_fits(row) -> bool:
    return common.fits(row["result"], row["kinds"][2], operand_dims(FORMS[row["form"]])[0])


def values_fit(row) -> bool:
    n = math.prod(operand_dims(FORMS[row["form"]])[0])
    return n == 0 or sum_values.fits(row["kinds"][0], row["values"], n)


RULES = [left_fits, right_fits, result_fits]


def float_cases():
    kinds = [k for k in FLOATS if k[0] in common.SOME]
    factors = {"kinds": kinds, "values": list(sum_values.CLASSES), "left": EVERY,
               "right": EVERY, "result": EVERY, "form": PAIRED}
    further = common.turns(kinds=kinds[:3] + kinds[-1:], values=["near_ones", "cancelled", "ones"],
                           left=["t4_128", "permuted", "default"], result=["nested", "permuted"],
                           right=["combining", "nested"], form=FURTHER)
    for row in rows(factors, [values_fit, *RULES], "convolution") + further:
        kinds, dims = row["kinds"], operand_dims(FORMS[row["form"]])
        what = named(row, row["values"])
        stream = Stream("covering", "convolution", kinds[2].name, what)
        lhs = Array(kinds[0], dims[0], tuple(line(kinds[0], row["values"], math.prod(dims[0]),
                                                  stream)))
        rhs = Array(kinds[1], dims[1], tuple(beside(kinds[1], math.prod(dims[1]), "powers",
                                                    stream)))
        yield one(row, what, lhs, rhs)


def integer_cases():
    kinds = [t for t in common.SOME if t.kind != "float"]
    factors = {"kinds": [(t, t, t) for t in kinds] + [tuple(common.named_types(names)) for names
                                                     in ("s8 s8 s32", "u4 s4 s16")],
               "left": EVERY, "right": EVERY, "result": EVERY, "form": PAIRED}
    for row in rows(factors, RULES, "convolution of integers"):
        yield of_integers(row)
    for row in common.turns(kinds=[(t, t, t) for t in common.named_types("s16 u4 s32 u8")],
                            left=["nested", "packed_tiled", "combining", "permuted"],
                            right=["permuted", "tail"], form=FURTHER,
                            result=["t8_128", "combining", "permuted"]):
        yield of_integers(row)


def of_integers(row) -> Case:
    what = named(row, "whole")
    stream = Stream("covering", "convolution", row["kinds"][2].name, what)
    operands = [Array(t, dims, tuple(numbers_of(t, math.prod(dims), stream)))
                for t, dims in zip(row["kinds"], operand_dims(FORMS[row["form"]]))]
    return one(row, what, *operands)


def named(row, values: str) -> str:
    return common.named("convolution", *(t.name for t in row["kinds"][:2]), values, row["form"],
                        row["left"], row["right"], row["result"])


def one(row, what: str, lhs: Array, rhs: Array) -> Case:
    kinds, c = row["kinds"], FORMS[row["form"]]
    t = kinds[2]
    dims, found = sums_of(c, lhs, rhs)
    if t.kind == "float":
        ranges = [sum_sets.of_products(kinds, pairs) for pairs in found]
        expect = sum_sets.expectation(t, dims, ranges)
    else:
        expect = contractions.expectation(kinds, dims, found)
    inputs = [common.laid(lhs, row["left"]), common.laid(rhs, row["right"])]
    result = common.laid(Array(t, dims, ()), row["result"])
    program = Program("m", inputs).root(result.shape, f"convolution(p0, p1){attributes(c)}")
    return Case(f"{t.name}/{what}", f"{row['form'].replace('_', ' ')}: {c['labels']}", program,
                [expect], ["Values", "Type", "Layout"])


def cases():
    for part in (float_cases, integer_cases):
        yield from part()
