"""covering_elementwise: every element-wise operation over types, layouts, shapes and values,
each two of which meet.

The sets of single elements are those of the operations' own generators.
"""

from __future__ import annotations

import functools

from assaygen.arrays import Array
from assaygen.cases import Case, bits, interval
from assaygen.covering import arrange, pairs, value_classes
from assaygen.covering.layouts import LAYOUTS, fitting
from assaygen.covering.shapes import LARGE, SHAPES, is_small
from assaygen.program import Program
from assaygen.streams import Stream
from assaygen import types
from assaygen.types import Type
from covering_elementwise.operation import Operation
from covering_elementwise.operations import OPERATIONS

WHY = {
    "Covering": "each two of operation, type, layout of operand, layout of result, class of "
                "shape and class of values meet in a case where they may",
}


@functools.cache
def shapes_of(t: Type, layout: str, shape: str) -> frozenset:
    return frozenset(fitting(t, SHAPES[shape], layout))


@functools.cache
def possible(layout: str, shape: str) -> frozenset:
    """The shapes that have the layout for any type."""
    return frozenset().union(*(shapes_of(t, layout, shape) for t in types.ALL))


@functools.cache
def anywhere(t: Type, layout: str) -> bool:
    """For any class of shapes."""
    return any(shapes_of(t, layout, shape) for shape in SHAPES)


def operand_of(row) -> Type:
    """The type of the operand whose layout the row has: the last one."""
    return OPERATIONS[row["op"]].kinds(row["type"])[-1]


def result_of(row) -> Type:
    return OPERATIONS[row["op"]].result(row["type"])


def common(row) -> list[tuple[int, ...]]:
    """The shapes that have both layouts."""
    operand = shapes_of(operand_of(row), row["operand"], row["shape"])
    result = shapes_of(result_of(row), row["result"], row["shape"])
    return [dims for dims in SHAPES[row["shape"]] if dims in operand & result]


RULES = [
    lambda row: row["type"] in OPERATIONS[row["op"]].types,
    lambda row: row["value"] in OPERATIONS[row["op"]].values(row["type"]),
    lambda row: bool(possible(row["operand"], row["shape"])
                     & possible(row["result"], row["shape"])),
    lambda row: anywhere(operand_of(row), row["operand"]),
    lambda row: anywhere(result_of(row), row["result"]),
    lambda row: is_small(row["shape"], row["type"].name),
    # Exact complex numbers of many digits take long.
    lambda row: row["shape"] not in LARGE or row["type"].kind != "complex",
    lambda row: bool(common(row)),
]
FACTORS = {
    "op": list(OPERATIONS), "type": types.ALL, "operand": list(LAYOUTS),
    "result": list(LAYOUTS), "shape": list(SHAPES), "value": value_classes.NAMES,
}


def pool(made: Operation, t: Type, value: str, count: int, stream: Stream) -> list[tuple]:
    """Rows of codes with their answers."""
    found: list[tuple] = []
    for _ in range(50 * count):
        row = made.row(value, t, stream)
        answer = made.answer(t, row)
        if answer is not None:
            found.append((row, answer))
        if len(found) == count:
            return found
    raise ValueError(f"{made.op} of {t.name} has too few rows of {value}")


def laid(t: Type, dims, name: str, stream: Stream) -> str:
    """A layout of the class, or of any where the class has none."""
    layout = LAYOUTS[name](t, dims)
    while layout is None:
        layout = LAYOUTS[stream.choice(list(LAYOUTS))](t, dims)
    return layout


def expectation(made: Operation, out: Type, dims, answers: list[tuple]) -> dict:
    three = [Array(out, dims, tuple(answer[k] for answer in answers)) for k in range(3)]
    if all(answer[0] == answer[1] == answer[2] for answer in answers):
        return bits(three[0], made.nan)
    return interval(*three)


def case(row) -> Case:
    made, t, name = OPERATIONS[row["op"]], row["type"], row["op"]
    what = f"{name}_{row['operand']}_{row['result']}_{row['shape']}_{row['value']}"
    stream = Stream("covering_elementwise", t.name, what)
    dims = stream.choice(common(row))
    count = Array(t, dims, ()).size
    rows = pool(made, t, row["value"], min(max(count, 1), made.distinct), stream)
    # Sets of complex numbers are six numbers for each element.
    dense = arrange.DENSE // 8 if t.kind == "complex" else arrange.DENSE
    chosen = [rows[k] for k in arrange.places(count, len(rows), stream, dense)]
    kinds = made.kinds(t)
    others = [stream.choice(list(LAYOUTS)) for _ in kinds[1:]]
    inputs = [Array(kind, dims, tuple(codes[k] for codes, _ in chosen),
                    laid(kind, dims, layout, stream))
              for k, (kind, layout) in enumerate(zip(kinds, [*others, row["operand"]]))]
    out = made.result(t)
    shape = Array(out, dims, (), laid(out, dims, row["result"], stream)).shape
    operands = ", ".join(f"p{k}" for k in range(len(kinds)))
    program = Program("m", inputs).root(shape, f"{made.op}({operands}){made.extra}")
    statement = f"{made.op} of {t.name}, {list(dims)}, {row['value']}"
    return Case(f"{t.name}/{what}", statement, program,
                [expectation(made, out, dims, [answer for _, answer in chosen])], ["Covering"])


def cases():
    for row in pairs.rows(FACTORS, RULES, "covering_elementwise"):
        yield case(row)
