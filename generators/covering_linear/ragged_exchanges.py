"""ragged-all-to-all of arrays of every rank in every class of layouts."""

from __future__ import annotations

from assaygen import collectives as c
from assaygen.arrays import Array
from assaygen.cases import Case, bits
from assaygen.covering.pairs import rows
from assaygen.streams import Stream
from covering_folds import common
from covering_folds.common import EVERY, SOME
from covering_folds.regions import bits_of
from covering_linear.collectives import SETTINGS
from ops.ragged_all_to_all import MOST, S32, Plan, received

# What stands behind the first dimension, whose rows are exchanged.
ROWS = {"vector": (), "tile": (129,), "narrow": (3,), "empty": (0,), "rank3": (2, 5),
        "rank4": (2, 1, 3), "rank5": (1, 3, 1, 2), "rank6": (2, 1, 2, 1, 2),
        "page": (700,), "grain": (10923,)}
FURTHER = ["page", "grain"]  # few cases each
PLACES = ["pairs", "all", "partitions", "grid"]


def fits(name: str):
    return lambda row: common.fits(row[name], row["type"], (1, *ROWS[row["rows"]]))


def numbers_fit(row) -> bool:
    return common.fits(row["numbers"], S32, (1,) * row["rank"])


def cases():
    factors = {"type": SOME, "input": EVERY, "output": EVERY, "result": EVERY, "numbers": EVERY,
               "rows": [name for name in ROWS if name not in FURTHER], "setting": PLACES,
               "slices": [1, 2], "rank": [1, 2]}
    rules = [*map(fits, ("input", "output", "result")), numbers_fit]
    yield from map(one, rows(factors, rules, "ragged-all-to-all"))
    yield from map(one, common.turns(
        type=common.named_types("u8 s16"), rows=FURTHER, setting=["grid", "two"], slices=[1],
        rank=[2, 1], input=["nested", "t8_128"], output=["permuted", "default"],
        numbers=["tail", "nested"], result=["permuted_tiled", "combining"]))


def one(row) -> Case:
    at, t, slices = SETTINGS[row["setting"]], row["type"], row["slices"]
    what = common.named("ragged-all-to-all", row["setting"], row["rows"], slices, row["rank"],
                        row["input"], row["output"], row["numbers"], row["result"])
    stream = Stream("covering", t.name, what)
    plan = Plan(stream, at, slices)
    dims = (at.size() * slices * MOST, *ROWS[row["rows"]])
    given, kept = ({x: common.laid(bits_of(t, dims, stream), row[name]) for x in at.devices}
                   for name in ("input", "output"))

    def numbers(value):
        table = plan.table(at, value, row["rank"])
        return {x: common.laid(array, row["numbers"]) for x, array in table.items()}
    tables = [given, kept, numbers(lambda x, y, u: plan.sent[x, y, u][0]),
              numbers(lambda x, y, u: plan.sent[x, y, u][1]),
              numbers(lambda x, y, u: plan.place(at, x, y, u)),
              numbers(lambda x, y, u: plan.sent[y, x, u][1])]
    program = c.start(at, *tables).root(
        common.laid(Array(t, dims, ()), row["result"]).shape,
        f"ragged-all-to-all({', '.join(f'p{k}' for k in range(6))}){at.attributes}")
    expect = [bits(received(at, plan, given, kept, y), "same") for y in at.devices]
    return Case(f"{t.name}/{what}", f"{slices} slices of {list(dims)} for each member, {at.words}",
                program, expect, ["Type", "Shape", "Layout"], c.inputs(at, *tables))
