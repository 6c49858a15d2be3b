"""Rows of convert, of copies into another float type and of bitcast-convert: each two types,
and layouts, shapes and values as for movements."""

from __future__ import annotations

import functools

from assaygen import types
from assaygen.arrays import Array
from assaygen.cases import Case, bits
from assaygen.covering import arrange, pairs, value_classes
from assaygen.covering.layouts import LAYOUTS
from assaygen.covering.shapes import LARGE, SHAPES, Dims, is_small
from assaygen.program import Program
from assaygen.streams import Stream
from assaygen.types import Type
from ops import bitcast_convert, convert

OF_LARGE = ("default", "permuted", "t8_128", "combining")  # layouts of the largest results
MOST = 70000  # elements of the longer one of operand and result
# Of each operation; a bitcast-convert is told by the width of its target.
TARGETS = {
    "convert": types.ALL, "copy": types.FLOATS,
    "bitcast-convert": [types.BY_NAME[name] for name in (
        "pred", "s2", "u4", "f6e2m3fn", "s8", "f8e5m2", "bf16", "f32", "u64", "c64", "c128")],
}


def factors(op: str) -> dict[str, list]:
    return {"op": [op], "type": types.ALL, "target": TARGETS[op], "operand": list(LAYOUTS),
            "result": list(LAYOUTS), "shape": list(SHAPES),
            "value": list(value_classes.CLASSES)}


def takes(op: str, source: Type, target: Type) -> bool:
    if op == "convert":
        return source.kind != "complex" or target.kind == "complex"
    if op == "copy":
        return source.kind == target.kind == "float" and source is not target
    widths = sorted(map(bitcast_convert.width, (source, target)))
    return (source.kind == "complex") == (target.kind == "complex") and widths[1] % widths[0] == 0


def shapes(op: str, source: Type, target: Type, dims: Dims) -> tuple[Dims, Dims]:
    """Of operand and result: the narrower elements of a bitcast-convert have a dimension
    more."""
    have, want = map(bitcast_convert.width, (source, target))
    if op != "bitcast-convert" or have == want:
        return dims, dims
    longer = (*dims, max(have, want) // min(have, want))
    return (dims, longer) if have > want else (longer, dims)


@functools.cache
def fits(t: Type, layout: str, dims: Dims) -> bool:
    return LAYOUTS[layout](t, dims) is not None


@functools.cache
def choices(op: str, source: Type, target: Type, operand: str, result: str, shape: str):
    """Pairs of dimensions that have the layouts."""
    both = [shapes(op, source, target, dims) for dims in SHAPES[shape]]
    return [(a, b) for a, b in both if fits(source, operand, a) and fits(target, result, b)
            and max(Array(source, a, ()).size, Array(target, b, ()).size) <= MOST]


KINDS = [types.BY_NAME[name] for name in ("f32", "f16", "bf16", "f8e5m2", "f8e4m3", "f4e2m1fn")]


def anywhere(t: Type, layout: str) -> bool:
    return any(fits(t, layout, dims) for dims in ((), (2,), (2, 3)))


@functools.cache
def together(op: str, operand: str, result: str, shape: str) -> bool:
    """For any two types."""
    return any(choices(op, s, t, operand, result, shape) for s in KINDS for t in KINDS)


RULES = [
    lambda row: is_small(row["shape"], row["type"].name)
    and is_small(row["shape"], row["target"].name),
    lambda row: row["shape"] not in LARGE or (
        row["op"] != "copy" and row["operand"] == "default" and row["result"] in OF_LARGE),
    lambda row: takes(row["op"], row["type"], row["target"]),
    lambda row: anywhere(row["type"], row["operand"]),
    lambda row: anywhere(row["target"], row["result"]),
    lambda row: together(row["op"], row["operand"], row["result"], row["shape"]),
    lambda row: bool(choices(row["op"], row["type"], row["target"], row["operand"],
                             row["result"], row["shape"])),
]


def is_open(source: Type, target: Type, code) -> bool:
    """A NaN without sign has no sign to give to a format that makes it a zero."""
    return (target.specials == "finite" and source.specials in ("fnuz", "e8m0")
            and source.kind == "float" and code == source.nan)


def converted(op: str, operand: Array, t: Type, dims: Dims) -> Array:
    if op == "bitcast-convert":
        return bitcast_convert.converted(operand, t)
    found = {code: convert.rule(operand.type, t, code) for code in dict.fromkeys(operand.codes)}
    return Array(t, dims, tuple(map(found.get, operand.codes)))


def case(row) -> Case:
    op, s, t = row["op"], row["type"], row["target"]
    what = f"{op}_{t.name}_{row['operand']}_{row['result']}_{row['shape']}_{row['value']}"
    stream = Stream("covering_movement", s.name, what)
    dims, out = stream.choice(choices(op, s, t, row["operand"], row["result"], row["shape"]))
    drawn = (value_classes.draw(row["value"], s, stream) for _ in range(160))
    codes = [code for code in drawn if not is_open(s, t, code)]
    place = arrange.marks if op == "bitcast-convert" else arrange.places
    chosen = place(Array(s, dims, ()).size, len(codes), stream)
    operand = Array(s, dims, tuple(codes[k] for k in chosen), LAYOUTS[row["operand"]](s, dims))
    result = converted(op, operand, t, out)
    result = result.with_layout(LAYOUTS[row["result"]](t, out))
    program = Program("m", [operand]).root(result.shape, f"{op}(p0)")
    statement = f"{op} of {s.name} into {t.name}, {list(dims)}, {row['value']}"
    expect = (bits(result, "same") if op == "bitcast-convert" else
              convert.expectation(operand, result) if op == "convert" else
              bits(result, "same" if s is t else "any"))
    return Case(f"{s.name}/{what}", statement, program, [expect], ["Covering"])


def cases():
    for op in TARGETS:
        for row in pairs.rows(factors(op), RULES, f"covering_{op}"):
            yield case(row)
