"""Rows of bitcast: the operand is stored in its layout, and the result loaded from the same
slots in its own (spec/ops/bitcast.md)."""

from __future__ import annotations

import functools

from assaygen import memory, types
from assaygen.arrays import Array
from assaygen.cases import Case, bits
from assaygen.covering import arrange, pairs, value_classes
from assaygen.covering.layouts import LAYOUTS
from assaygen.covering.shapes import LARGE, SHAPES, Dims, is_small
from assaygen.program import Program
from assaygen.streams import Stream
from assaygen.types import Type

MOST = 1100  # elements whose places are looked at; larger arrays keep theirs
FACTORS = {
    "type": types.ALL, "operand": list(LAYOUTS), "result": list(LAYOUTS),
    "shape": list(SHAPES), "value": ["bits", "specials", "walls"],
}


def shapes(dims: Dims) -> list[Dims]:
    """What the result may look like: with a dimension of 1 in front, without any, turned
    round, in one row, and as it was."""
    flat = Array(types.PRED, dims, ()).size
    found = [(1, *dims), tuple(n for n in dims if n > 1 or 0 in dims), dims[::-1],
             (*dims[1:], *dims[:1]), (*dims[-1:], *dims[:-1]), (flat,), dims]
    return list(dict.fromkeys(found))


@functools.cache
def sources(dims: Dims, laid: str, out: Dims, other: str, width: int) -> tuple | None:
    """For each element of the result the place of the operand's element in row-major order;
    None where one would lie in padding."""
    layouts = memory.parse(laid, len(dims)), memory.parse(other, len(out))
    if (dims, laid) == (out, other):
        return tuple(range(Array(types.PRED, dims, ()).size))
    if Array(types.PRED, dims, ()).size > MOST:
        return None
    found = [memory.slots(d, layout) for d, layout in zip((dims, out), layouts)]
    sizes = {-(-count * width // 8) for _, count in found}
    if len(sizes) > 1:  # tiles are left aside
        found = [memory.slots(d, memory.Layout(layout.order, (), 0, 1))
                 for d, layout in zip((dims, out), layouts)]
    at = {slot: k for k, slot in enumerate(found[0][0])}
    places = tuple(at.get(slot) for slot in found[1][0])
    return None if None in places else places


def texts(t: Type, names: tuple[str, str], dims: Dims, out: Dims) -> tuple | None:
    """Both layouts; None where one makes no sense or their slots differ in width."""
    found = tuple(LAYOUTS[name](t, d) for name, d in zip(names, (dims, out)))
    if None in found:
        return None
    widths = {memory.bits_of(t, memory.parse(text, len(d)))
              for text, d in zip(found, (dims, out))}
    return found if len(widths) == 1 else None


@functools.cache
def choices(t: Type, operand: str, result: str, shape: str) -> list[tuple]:
    """(dimensions, those of the result, both layouts)."""
    found = []
    for dims in SHAPES[shape]:
        for out in shapes(dims):
            laid = texts(t, (operand, result), dims, out)
            if laid and sources(dims, laid[0], out, laid[1], max(t.bits, 8)) is not None:
                found.append((dims, out, *laid))
    return found


KINDS = [types.F32, types.BY_NAME["bf16"], types.BY_NAME["s8"], types.BY_NAME["s4"]]
RULES = [
    lambda row: is_small(row["shape"], row["type"].name),
    lambda row: row["shape"] not in LARGE or row["operand"] == "t8_128",
    lambda row: any(choices(t, row["operand"], row["result"], row["shape"]) for t in KINDS),
    lambda row: bool(choices(row["type"], row["operand"], row["result"], row["shape"])),
]


def partner(t: Type, stream: Stream) -> Type:
    """A type of as many bits, or the same one."""
    if t.kind in ("pred", "complex"):
        return t
    return stream.choice([u for u in types.INTS + types.FLOATS if u.bits == t.bits])


def case(row) -> Case:
    t = row["type"]
    what = f"bitcast_{row['operand']}_{row['result']}_{row['shape']}_{row['value']}"
    stream = Stream("covering_movement", t.name, what)
    dims, out, laid, other = stream.choice(
        choices(t, row["operand"], row["result"], row["shape"]))
    codes = [value_classes.draw(row["value"], t, stream) for _ in range(64)]
    places = sources(dims, laid, out, other, max(t.bits, 8))
    chosen = arrange.marks(len(places), len(codes), stream)
    operand = Array(t, dims, tuple(codes[k] for k in chosen), laid)
    result = Array(partner(t, stream), out, tuple(operand.codes[k] for k in places), other)
    program = Program("m", [operand]).root(result.shape, "bitcast(p0)")
    return Case(f"{t.name}/{what}", f"{operand.shape} as {result.shape}, {row['value']}",
                program, [bits(result, "same")], ["Covering"])


def cases():
    for row in pairs.rows(FACTORS, RULES, "covering_bitcasts"):
        yield case(row)
