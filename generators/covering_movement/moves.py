"""Rows of movements: operation, type, layouts of operand and result, class of shape and
class of values."""

from __future__ import annotations

import functools

from assaygen import arrays, types
from assaygen.arrays import Array
from assaygen.cases import Case, bits
from assaygen.covering import arrange, pairs, value_classes
from assaygen.covering.layouts import LAYOUTS
from assaygen.covering.shapes import SHAPES, Dims, is_small
from assaygen.program import Program
from assaygen.streams import Stream
from assaygen.types import Type
from covering_movement import indexed_plans, passed, rearranged
from covering_movement.plan import Plan

PLANS = rearranged.PLANS | indexed_plans.PLANS | passed.PLANS
SOURCES = ("iota", "constant", "infeed", "rng")  # they have no operand
VARIANTS = 3
FACTORS = {
    "op": list(PLANS), "type": types.ALL, "operand": list(LAYOUTS), "result": list(LAYOUTS),
    "shape": list(SHAPES), "value": ["bits", "specials", "walls"],
}


@functools.cache
def plan(op: str, dims: Dims, variant: int) -> Plan | None:
    return PLANS[op](dims, Stream("covering_movement", op, dims, variant))


def fits(t: Type, layout: str, dims: Dims) -> bool:
    return LAYOUTS[layout](t, dims) is not None


@functools.cache
def plans(op: str, t: Type, operand: str, result: str, shape: str) -> list[Plan]:
    """Those whose operand and result have the layouts."""
    found = [plan(op, dims, k) for dims in SHAPES[shape] for k in range(VARIANTS)
             if op in SOURCES or fits(t, operand, dims)]
    return [p for p in found if p is not None and fits(p.result(t), result, p.out)]


# Types that all layouts have between them: their rows tell what no type can do.
KINDS = [types.F32, types.BY_NAME["bf16"], types.BY_NAME["s8"], types.BY_NAME["s4"]]


@functools.cache
def anyhow(op: str, operand: str, result: str, shape: str) -> bool:
    return any(plans(op, t, operand, result, shape) for t in KINDS)


def has_rank(layout: str, shape: str) -> bool:
    return any(fits(t, layout, dims) for t in KINDS for dims in SHAPES[shape])


RULES = [
    lambda row: is_small(row["shape"], row["type"].name),
    lambda row: row["op"] not in SOURCES or row["operand"] == "default",
    lambda row: row["op"] != "iota" or row["type"] is not types.PRED,
    lambda row: row["op"] != "rng" or (row["type"].kind == "int" and row["type"].bits > 2),
    lambda row: row["op"] != "get-dimension-size" or row["result"] in ("default", "t128"),
    lambda row: has_rank(row["operand"], row["shape"]),
    lambda row: any(fits(row["type"], row["operand"], dims)
                    for dims in ((), (2,), (2, 3))),
    lambda row: row["op"] == "get-dimension-size" or any(
        fits(row["type"], row["result"], dims) for dims in ((), (2,), (2, 3))),
    lambda row: anyhow(row["op"], row["operand"], row["result"], row["shape"]),
    lambda row: bool(plans(row["op"], row["type"], row["operand"], row["result"],
                           row["shape"])),
]


def filled(t: Type, dims: Dims, value: str, stream: Stream) -> Array:
    """Codes of a small pool; of a large array few are not its first one."""
    codes = [value_classes.draw(value, t, stream) for _ in range(64)]
    count = Array(t, dims, ()).size
    return Array(t, dims, tuple(codes[k] for k in arrange.marks(count, len(codes), stream)))


def laid(array: Array, name: str, stream: Stream) -> Array:
    """In the layout, or in any where the array has none of that class."""
    layout = LAYOUTS[name](array.type, array.dims)
    while layout is None:
        layout = LAYOUTS[stream.choice(list(LAYOUTS))](array.type, array.dims)
    return array.with_layout(layout)


def case(row) -> Case:
    op, t = row["op"], row["type"]
    what = f"{op}_{row['operand']}_{row['result']}_{row['shape']}_{row['value']}"
    stream = Stream("covering_movement", t.name, what)
    chosen = stream.choice(plans(op, t, row["operand"], row["result"], row["shape"]))
    inputs = []
    for k, given in enumerate(chosen.inputs):
        array = given if isinstance(given, Array) else filled(t, given, row["value"], stream)
        name = stream.choice(list(LAYOUTS)) if k else row["operand"]
        inputs.append(laid(array, name, stream))
    result = arrays.build(chosen.result(t), chosen.out,
                          lambda i: chosen.element(t, inputs, i))
    layout = LAYOUTS[row["result"]](result.type, result.dims)
    program, shapes = Program("m", inputs), [x.shape for x in inputs]
    region = chosen.region(t, layout, shapes)
    if region:
        program.region(region)
    lines, shape, text = [], result.with_layout(layout).shape, chosen.text
    if chosen.write:
        lines, shape, text = chosen.write(t, layout, shapes)
    for line in lines:
        program.line(line)
    program.root(shape, text)
    statement = f"{op} of {t.name} into {list(chosen.out)}, {row['value']}"
    return Case(f"{t.name}/{what}", statement, program, [bits(result, "same")], ["Covering"])


def cases():
    for row in pairs.rows(FACTORS, RULES, "covering_movement"):
        yield case(row)
