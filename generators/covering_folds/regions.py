"""Computations that call others over arrays in every class of layouts: map, while,
conditional, call, scan."""

from __future__ import annotations

import importlib
import math

from assaygen import arrays, types
from assaygen.arrays import Array
from assaygen.cases import Case, bits
from assaygen.covering.pairs import rows
from assaygen.program import Program
from assaygen.programs import regions
from assaygen.programs.regions import PRED, Region, S32, scalar, shape
from assaygen.streams import Stream
from covering_folds import common
from covering_folds.common import EVERY
from covering_folds.orders import keys
from ops import add, scan
from ops.map import mapped

counted = importlib.import_module("ops.while").counted  # the name is a word of Python
SHAPES = {
    "scalar": (), "empty": (2, 0, 3), "one": (1,), "ones": (1, 7, 1), "vector": (33,),
    "tile": (129,), "matrix": (9, 129), "column": (129, 2), "rank3": (3, 8, 9),
    "rank4": (2, 3, 2, 5), "rank6": (2, 1, 2, 3, 1, 2), "rank8": (2, 1, 2, 1, 3, 1, 2, 1),
    "piece": (1025,), "page": (17, 241), "rank5": (2, 1, 3, 2, 5), "grain": (257, 256),
}
FURTHER = ["rank5", "grain"]  # few cases each


def bits_of(t, dims, stream: Stream) -> Array:
    n = math.prod(dims)
    if t.kind == "complex":
        part = types.component(t)
        return Array(t, dims, tuple(zip(*(keys(part, n, "bits", stream) for _ in range(2)))))
    return Array(t, dims, tuple(keys(t, n, "bits", stream)))


def operand_fits(row) -> bool:
    return common.fits(row["operand"], row["type"], SHAPES[row["shape"]])


def other_fits(row) -> bool:
    return common.fits(row["other"], row["type"], SHAPES[row["shape"]])


def result_fits(row) -> bool:
    return common.fits(row["result"], row["type"], SHAPES[row["shape"]])


def copied(region: Region, name: str, form: Array) -> str:
    """The same elements in the layout of a shape."""
    return region.step(form, "copy", (name,), lambda x: x.with_layout(form.layout))


def turned(main: Region, forms, result: Array) -> None:
    """Three turns in which two arrays change places."""
    plain = Array(result.type, result.dims, ())

    def turn(body, i, rest):
        return body.tuple(*(body.element(rest, k) for k in (1, 0)))
    rest = main.tuple(*(copied(main, f"p{k}", forms[0]) for k in (0, 1)))
    state = main.tuple(main.constant(S32, 0), main.constant(S32, 3), rest)
    pair = counted("w", (shape(S32), shape(S32), (forms[0], forms[0])), turn)
    loop = main.loop(state, *pair)
    copied(main, copied(main, main.element(main.element(loop, 2), 0), plain), result)


def called(main: Region, forms, result: Array) -> None:
    second = Region("second", *forms)
    copied(second, "p1", result)
    main.call(second, "p0", "p1")


def chosen(main: Region, forms, result: Array) -> None:
    """The second of two branches, which have operands in other layouts."""
    branches = [Region(f"b{k}", form) for k, form in enumerate(forms)]
    for branch in branches:
        copied(branch, "p0", result)
    main.branch(main.constant(PRED, 0), branches, ["p0", "p1"])


def applied(main: Region, forms, result: Array) -> None:
    """The second of two scalars, of each pair of elements."""
    t = result.type
    region = Region("second", shape(t), shape(t))
    mapped(main, region, ("p0", "p1"), result.dims, result)
    name, operands, rule = main.steps[-1]
    main.steps[-1] = name, operands, lambda *x: rule(*x).with_layout(result.layout)


def tupled(main: Region, forms, result: Array) -> None:
    """Tuples in tuples, taken apart again."""
    pair = main.tuple("p0", main.tuple("p1", main.tuple()))
    copied(main, main.element(main.element(pair, 1), 0), result)


CALLERS = {"while": turned, "call": called, "conditional": chosen, "map": applied,
           "tuple": tupled}


def moved():
    factors = {"type": types.ALL, "operand": EVERY, "other": EVERY, "result": EVERY,
               "shape": [name for name in SHAPES if name not in FURTHER],
               "caller": list(CALLERS)}
    for row in rows(factors, [operand_fits, other_fits, result_fits, is_small], "regions"):
        yield one(row)
    for dims in FURTHER:
        for row in common.turns(shape=[dims], caller=list(CALLERS),
                                type=common.named_types("u8 s4 bf16 pred c64"),
                                operand=["nested", "packed_tiled", "tail", "permuted"],
                                other=["permuted", "t8_128", "combining", "default"],
                                result=["t2_128", "permuted", "permuted_tiled"]):
            yield one(row)


def one(row) -> Case:
    t, dims = row["type"], SHAPES[row["shape"]]
    what = common.named(row["caller"], row["shape"], row["operand"], row["other"],
                        row["result"])
    stream = Stream("covering", "regions", t.name, what)
    x, y = (common.laid(bits_of(t, dims, stream), row[name]) for name in ("operand", "other"))
    main = Region("main", *regions.shape_of((x, y)))
    CALLERS[row["caller"]](main, regions.shape_of((x, y)),
                           common.laid(Array(t, dims, ()), row["result"]))
    return regions.case(f"{t.name}/{what}", f"any bits of {t.name}{list(dims)}", main,
                        ["Type", "Shape", "Layout"], x, y)


# Name -> (dimensions, which of them the steps go along).
STEPS = {
    "alone": lambda n: ((n,), 0),
    "minor": lambda n: ((2, n), 1),
    "major": lambda n: ((n, 3), 0),
    "middle": lambda n: ((2, n, 2), 1),
    "rank4": lambda n: ((2, n, 1, 3), 1),
    "rank5": lambda n: ((1, 2, 1, n, 2), 3),
    "rank6": lambda n: ((2, 1, 1, 2, n, 1), 4),
}
FEW = ["rank4", "rank5", "rank6"]
COUNTS = [0, 1, 2, 7, 31, 33, 127, 129, 257, 1025]


def input_fits(row) -> bool:
    return common.fits(row["operand"], row["type"], STEPS[row["steps"]](1)[0])


def output_fits(row) -> bool:
    return common.fits(row["result"], row["type"], STEPS[row["steps"]](1)[0])


def is_short(row) -> bool:
    return row["count"] * row["type"].bits <= 257 * 32


def is_small(row) -> bool:
    return math.prod(SHAPES[row["shape"]]) * row["type"].bits <= 4097 * 8


def scans():
    factors = {"type": common.SOME, "operand": EVERY, "result": EVERY,
               "steps": [name for name in STEPS if name not in FEW],
               "count": COUNTS, "reverse": [False, True]}
    for row in rows(factors, [input_fits, output_fits, is_short], "scan"):
        yield running_sum(row)
    for row in common.turns(type=common.named_types("bf16 s4 f32 s32"),
                            steps=[*FEW, "alone"], count=[7, 33, 8, 65537],
                            operand=["nested", "packed_tiled", "permuted", "default"],
                            result=["permuted", "tail", "t8_128", "nested"],
                            reverse=[False, True]):
        yield running_sum(row)


def running_sum(row) -> Case:
    """Each step rounds to the type, or wraps."""
    t, (dims, d) = row["type"], STEPS[row["steps"]](row["count"])
    what = common.named("scan", row["count"], row["steps"], "down" if row["reverse"] else "up",
                        row["operand"], row["result"])
    stream = Stream("covering", "scan", t.name, what)
    x = common.from_lines(t, dims, (d,), lambda _, n: common.quiet(
        t, n, [scan.summand(t, stream) for _ in range(min(n, 32))], types_zero(t), stream))
    rest = dims[:d] + dims[d + 1:]
    init = arrays.build(t, rest, lambda _: scan.summand(t, stream))
    last, found = {i: init.at(i) for i in init.indices()}, {}
    for k in reversed(range(dims[d])) if row["reverse"] else range(dims[d]):
        for i in last:
            index = (*i[:d], k, *i[d:])
            last[i] = found[index] = add.RULE(t, x.at(index), last[i])
    text = ("body {\n  x = # parameter(0)\n  c = # parameter(1)\n  s = # add(x, c)\n"
            "  ROOT r = (#, #) tuple(s, s)\n}").replace("#", init.shape)
    laid = common.laid(x, row["operand"])
    result = common.laid(x, row["result"])
    flag = ", is_reverse=true" * row["reverse"]
    program = Program("m", [laid, init]).region(text).root(
        f"({result.shape}, {init.shape})",
        f"scan(p0, p1), dimensions={{{d}}}, num_carries=1{flag}, to_apply=body")
    return Case(f"{t.name}/{what}", f"running sums along {d} of {list(dims)}", program,
                [bits(arrays.build(t, dims, lambda i: found[i])),
                 bits(arrays.build(t, rest, lambda i: last[i]))], ["Type", "Depth", "Layout"])


def types_zero(t):
    """What changes a sum the least: zero, of f8e8m0fnu the least number."""
    return (0, 0) if t.kind == "complex" else 0


def cases():
    for part in (moved, scans):
        yield from part()
