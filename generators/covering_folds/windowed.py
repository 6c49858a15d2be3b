"""Windows over arrays in every class of layouts: reduce-window and select-and-scatter."""

from __future__ import annotations

import math

from assaygen import arrays, combiners, types, windows
from assaygen.arrays import Array
from assaygen.cases import Case
from assaygen.covering import sum_sets, sum_values
from assaygen.covering.pairs import rows
from assaygen.program import Program, scalar_region
from assaygen.streams import Stream
from covering_folds import common
from covering_folds.common import EVERY, named_types
from covering_folds.reduces import SUMMED, reducers, whole_or_bits
from ops.select_and_scatter import few, meetings

ONE = (1, 1, 0, 0, 1, 1)
# Dimensions, and of each: size, stride, low, high, base and window dilation.
WINDOWS = {
    "wide": ((262,), [(129, 1, 0, 0, 1, 1)]),  # summed by what enters and leaves
    "just_wide": ((200,), [(128, 9, 3, 3, 1, 1)]),
    "narrow": ((257,), [(127, 64, 1, 1, 1, 1)]),
    "column": ((131, 3), [(127, 2, 1, 0, 1, 1), ONE]),
    "tile": ((9, 129), [(3, 4, 1, 1, 1, 1), (5, 16, 0, 2, 1, 1)]),
    "spread": ((17, 33), [(2, 5, 0, 0, 1, 5), (3, 7, 2, 1, 2, 1)]),
    "cropped": ((31,), [(3, 2, -2, -1, 1, 1)]),
    "image": ((1, 8, 9, 3), [ONE, (3, 2, 1, 0, 1, 1), (3, 3, 1, 1, 1, 1), ONE]),
    "rank6": ((1, 2, 3, 2, 2, 5), [ONE, (2, 1, 0, 1, 1, 1), ONE, ONE, (2, 2, 1, 1, 2, 1),
                                   (3, 2, 0, 1, 1, 2)]),
    "nowhere": ((3,), [(2, 1, 5, 5, 1, 1)]),
    "empty": ((0, 5), [(1, 1, 0, 0, 1, 1), (2, 1, 0, 0, 1, 1)]),
    "scalar": ((), []),
    "rank5": ((2, 1, 5, 3, 4), [ONE, ONE, (2, 2, 0, 1, 1, 1), (3, 1, 1, 1, 1, 1),
                                (2, 2, 0, 0, 1, 1)]),
    "edge": ((3, 128), [(2, 1, 0, 0, 1, 1), (5, 3, 1, 1, 1, 1)]),
    "page": ((17, 241), [(3, 2, 1, 0, 1, 1), (5, 16, 0, 0, 1, 1)]),
    "grain": ((257, 256), [(3, 64, 1, 1, 1, 1), (5, 32, 0, 2, 1, 1)]),
}
FURTHER = ["rank5", "edge", "page", "grain"]  # few cases each
FOLDED = [name for name in WINDOWS if name not in ("scalar", *FURTHER)]
SCATTERED = [name for name in WINDOWS
             if name not in ("wide", "just_wide", "narrow", "tile", *FURTHER)]


def operand_fits(row) -> bool:
    return common.fits(row["operand"], row["type"], WINDOWS[row["window"]][0])


def result_fits(row) -> bool:
    return common.fits(row["result"], row["type"], WINDOWS[row["window"]][0])


def values_fit(row) -> bool:
    n = math.prod(WINDOWS[row["window"]][0])
    return n == 0 or sum_values.fits(row["type"], row["values"], n)


def is_reducer(row) -> bool:
    return row["reducer"] in reducers(row["type"])


def cells_of(operand: Array, window) -> tuple[tuple[int, ...], list]:
    out = windows.result_dims(operand.dims, window)
    return out, [windows.cells(operand, window, index)
                 for index in Array(types.PRED, out, ()).indices()]


def fold(t, name: str, operand: Array, init: int, window, result: Array) -> Program:
    return Program("m", [operand, arrays.splat(t, (), init)]).region(
        combiners.region([(t, name)])).root(
            result.shape, f"reduce-window(p0, p1), {windows.attribute(window)}, to_apply=f")


def sums_of_windows():
    factors = {"values": list(sum_values.CLASSES), "type": SUMMED, "operand": EVERY,
               "result": EVERY, "window": FOLDED}
    for row in rows(factors, [values_fit, operand_fits, result_fits], "reduce-window add"):
        t, (dims, window) = row["type"], WINDOWS[row["window"]]
        what = common.named(row["values"], row["window"], row["operand"], row["result"])
        stream = Stream("covering", "reduce-window", t.name, what)
        n = math.prod(dims)
        line = sum_values.CLASSES[row["values"]](t, n, stream) if n else []
        operand = Array(t, dims, tuple(line))
        init = t.sign_mask if row["values"] == "negative_zeros" else 0
        out, found = cells_of(operand, window)
        ranges = [sum_sets.of_elements(t, [init, *codes]) for codes in found]
        text = fold(t, "add", common.laid(operand, row["operand"]), init, window,
                    common.laid(Array(t, out, ()), row["result"]))
        yield Case(f"{t.name}/reduce-window_add_{what}",
                   f"{row['values'].replace('_', ' ')} in windows over {list(dims)}", text,
                   [sum_sets.expectation(t, out, ranges)], ["Values", "Layout"])


def exact_windows():
    factors = {"type": common.SOME, "operand": EVERY, "result": EVERY, "window": FOLDED,
               "reducer": [*combiners.INTEGER]}
    for row in rows(factors, [is_reducer, operand_fits, result_fits], "reduce-window exact"):
        yield exact_window(row)
    for row in common.turns(window=FURTHER, type=named_types("f16 u4 s32 u8"),
                            operand=["nested", "packed_tiled", "permuted", "permuted_tiled"],
                            result=["t2_128", "permuted", "tail"],
                            reducer=["maximum", "add", "minimum", "xor"]):
        yield exact_window(row)


def exact_window(row) -> Case:
    t, name, (dims, window) = row["type"], row["reducer"], WINDOWS[row["window"]]
    what = common.named(name, row["window"], row["operand"], row["result"])
    stream = Stream("covering", "reduce-window", t.name, what)
    n = math.prod(dims)
    operand = Array(t, dims, tuple(whole_or_bits(t, n, stream) if n else ()))
    init = combiners.identity(t, name)
    out, found = cells_of(operand, window)
    triples = [combiners.joined(t, name, [init, *codes]) for codes in found]
    text = fold(t, name, common.laid(operand, row["operand"]), init, window,
                common.laid(Array(t, out, ()), row["result"]))
    return Case(f"{t.name}/reduce-window_{what}", f"{name} in windows over {list(dims)}",
                text, [combiners.expectation(t, out, triples)], ["Type", "Layout"])


def is_combiner(row) -> bool:
    t = row["type"]
    return row["combiner"] in combiners.names(t) and row["combiner"] != "multiply"


def source_fits(row) -> bool:
    dims, window = WINDOWS[row["window"]]
    return common.fits(row["source"], row["type"], windows.result_dims(dims, window))


def scattered():
    factors = {"type": common.SOME, "operand": EVERY, "source": EVERY, "result": EVERY,
               "window": SCATTERED, "combiner": [*combiners.INTEGER],
               "direction": ["GE", "GT", "LE", "LT"]}
    rules = [is_combiner, operand_fits, result_fits, source_fits]
    for row in rows(factors, rules, "select-and-scatter"):
        yield scatter(row)
    for row in common.turns(window=FURTHER, type=named_types("bf16 u16 s32 u8"),
                            operand=["nested", "permuted", "t8_128", "permuted_tiled"],
                            source=["permuted", "tail", "combining"], combiner=["maximum", "add"],
                            result=["t4_128", "combining", "default"], direction=["GE", "LT"]):
        yield scatter(row)


def scatter(row) -> Case:
    t, name, (dims, window) = row["type"], row["combiner"], WINDOWS[row["window"]]
    direction = row["direction"] if t.kind != "complex" else "EQ"
    what = common.named(name, direction.lower(), row["window"], row["operand"], row["source"],
                        row["result"])
    stream = Stream("covering", "select-and-scatter", t.name, what)
    operand = few(t, dims, stream)
    if operand.size > 1025:
        operand = Array(t, dims, tuple(common.quiet(
            t, operand.size, list(operand.codes[:24]), operand.codes[24], stream)))
    found = meetings(operand, window, direction)
    source = combiners.drawn(t, name, windows.result_dims(dims, window), stream)
    init = combiners.drawn(t, name, (), stream)
    triples = [combiners.joined(t, name, [init.codes[0], *map(source.at, found.get(i, []))])
               for i in operand.indices()]
    several = any(len(meeting) > 1 for meeting in found.values())
    expect = (combiners.expectation(t, dims, triples) if several
              else combiners.once(t, dims, triples, "any"))
    inputs = [common.laid(operand, row["operand"]), common.laid(source, row["source"]), init]
    select = scalar_region("s", t.name, f"pred[] compare(a, b), direction={direction}")
    attribute = windows.attribute(window) if window else "window={}"
    text = Program("m", inputs).region(select).region(combiners.region([(t, name)])).root(
        common.laid(operand, row["result"]).shape,
        f"select-and-scatter(p0, p1, p2), {attribute}, select=s, scatter=f")
    return Case(f"{t.name}/select-and-scatter_{what}",
                f"{name} where {direction} selects of {list(dims)}", text, [expect],
                ["Type", "Layout"])


def cases():
    for part in (sums_of_windows, exact_windows, scattered):
        yield from part()
