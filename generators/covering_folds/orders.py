"""Sorts, and the first of them, of lines of every length in every class of layouts."""

from __future__ import annotations

from assaygen import arrays, pools, types
from assaygen.arrays import Array
from assaygen.cases import Case, bits
from assaygen.covering.pairs import rows
from assaygen.program import Program
from assaygen.streams import Stream
from covering_folds import common
from covering_folds.common import EVERY
from ops import topk
from ops.sort import key_of, order, region

SOME = [t for t in common.SOME if t.kind != "complex"]
LENGTHS = [0, 1, 2, 31, 32, 33, 127, 128, 129, 255, 257, 1025, 4097]
PLACES = types.BY_NAME["u8"]  # of rows, as far as it goes
# Name -> (dimensions, which of them is sorted).
LINES = {
    "alone": lambda n: ((n,), 0),
    "minor": lambda n: ((common.across(n), n), 1),
    "major": lambda n: ((n, common.across(n)), 0),
    "middle": lambda n: ((2 if n <= 257 else 1, n, 2 if n <= 33 else 1), 1),
    "rank5": lambda n: ((1, 2 if n <= 33 else 1, 1, n, 1), 3),
    "rank6": lambda n: ((1, 1, common.across(n), 1, n, 2 if n <= 33 else 1), 4),
}
FURTHER = {"length": [33, 65537, 129, 65537, 4097], "lines": ["rank6", "alone", "rank6", "major"],
           "operand": ["combining", "default", "packed_tiled", "permuted_tiled"],
           "values": ["ties", "ties", "specials", "rising", "bits"], "extra": [1, 0]}


def keys(t, n: int, values: str, stream: Stream) -> list:
    """Any bits; equal keys; NaN of both signs and zeros of both signs among them; in
    order already, or in the opposite one."""
    special = pools.specials(t)
    if values == "bits":
        codes = [stream.bits(t.bits) for _ in range(min(n, 32))]
        return common.quiet(t, n, codes, special[0], stream)
    if values == "equal":
        return [special[-1]] * n
    few = special if values == "specials" else [arrays.from_number(t, k) for k in (1, 2, 3)]
    if n <= 129:
        line = [stream.choice(few) for _ in range(n)]
    else:  # runs, of which some are long
        line = []
        while len(line) < n:
            line += [stream.choice(few)] * (1 + stream.below(n // 8 if stream.below(8) == 0 else 3))
        line = line[:n]
    if values in ("rising", "falling"):
        line.sort(key=lambda code: key_of(t, code), reverse=values == "falling")
    return line


VALUES = ["bits", "equal", "ties", "specials", "rising", "falling"]


def operand_fits(row) -> bool:
    return common.fits(row["operand"], row["type"], LINES[row["lines"]](1)[0])


def result_fits(row) -> bool:
    return common.fits(row["result"], row["type"], LINES[row["lines"]](1)[0])


def places_fit(row) -> bool:
    return common.fits(row["places"], PLACES, LINES[row["lines"]](1)[0])


def is_short(row) -> bool:
    return row["length"] <= 257 or row["type"].bits <= 16 or row["length"] * row[
        "type"].bits <= 1025 * 32


def sorts():
    factors = {"type": SOME, "length": LENGTHS, "operand": EVERY, "result": EVERY,
               "places": EVERY, "values": VALUES,
               "lines": [name for name in LINES if name != "rank6"],
               "direction": ["LT", "GT"], "extra": [0, 1]}
    rules = [operand_fits, result_fits, places_fit, is_short]
    for row in rows(factors, rules, "sort"):
        yield one(row)
    for row in common.turns(type=common.named_types("f16 s32 s4 u8"), direction=["LT", "GT"],
                            result=["nested", "default", "permuted", "t4_128"],
                            places=["tail", "default", "t2_128"], **FURTHER):
        yield one(row)


def one(row) -> Case:
    t, direction = row["type"], row["direction"]
    dims, d = LINES[row["lines"]](row["length"])
    what = common.named(row["values"], direction.lower(), row["length"], row["lines"],
                        row["operand"], row["places"] if row["extra"] else "only", row["result"])
    stream = Stream("covering", "sort", t.name, what)
    operand = common.from_lines(t, dims, (d,), lambda _, n: keys(t, n, row["values"], stream))
    inputs, step = [operand], 1 if row["length"] <= 257 else 16
    if row["extra"]:
        inputs.append(arrays.build(PLACES, dims, lambda i: i[d] // step % 251))
    ranked = {i: key_of(t, operand.at(i)) for i in operand.indices()}
    source = order(ranked, dims, d, direction == "GT")
    found = [arrays.build(x.type, dims, lambda i, x=x: x.at(source[i])) for x in inputs]
    laid = [common.laid(x, row[name]) for x, name in zip(inputs, ("operand", "places"))]
    results = [common.laid(x, name) for x, name in zip(found, (row["result"], row["places"]))]
    shapes = [x.shape for x in results]
    shape = shapes[0] if len(shapes) == 1 else "(" + ", ".join(shapes) + ")"
    listed = ", ".join(f"p{k}" for k in range(len(inputs)))
    program = Program("m", laid).region(region(t, direction, [x.type.name for x in inputs])).root(
        shape, f"sort({listed}), dimensions={{{d}}}, is_stable=true, to_apply=f")
    return Case(f"{t.name}/sort_{what}", f"{direction} along dimension {d} of {list(dims)}",
                program, [bits(x, "same") for x in found], ["Type", "Depth", "Layout"])


def last_fits(row) -> bool:
    return common.fits(row["operand"], row["type"], (1,) * row["rank"])


def best_fit(row) -> bool:
    return common.fits(row["result"], row["type"], (1,) * row["rank"])


def firsts():
    factors = {"type": SOME, "length": LENGTHS[1:-1], "operand": EVERY, "result": EVERY,
               "values": VALUES, "rank": [1, 2, 3, 6], "k": ["none", "one", "some", "all"],
               "largest": [True, False]}
    for row in rows(factors, [last_fits, best_fit, is_short], "topk"):
        yield first(row)
    for row in common.turns(type=common.named_types("bf16 u8 s4 f32"), k=["some", "one", "all"],
                            length=[33, 65537, 257, 4097], values=["ties", "bits", "specials"],
                            rank=[5, 1, 5, 2], largest=[True, False, False],
                            operand=["nested", "t128", "packed_tiled", "combining"],
                            result=["permuted", "default", "t8_128", "tail"]):
        yield first(row)


def first(row) -> Case:
    t, n, rank = row["type"], row["length"], row["rank"]
    dims = (*(1, 1, 2, 1, common.across(n))[6 - rank:], n)
    k = {"none": 0, "one": 1, "some": min(n, 9), "all": n}[row["k"]]
    what = common.named(row["values"], n, f"rank{rank}", f"k_{row['k']}", "largest" if row[
        "largest"] else "smallest", row["operand"], row["result"])
    stream = Stream("covering", "topk", t.name, what)
    operand = common.from_lines(t, dims, (rank - 1,),
                                lambda _, m: keys(t, m, row["values"], stream))
    layouts = [common.LAYOUTS[row["result"]](t, (*dims[:-1], k)), ""]
    return topk.one(common.laid(operand, row["operand"]), k, row["largest"],
                    f"topk_{what}", ["Type", "Depth", "Layout"], layouts)


def cases():
    for part in (sorts, firsts):
        yield from part()
