"""Starts of dynamic-slice and dynamic-update-slice, which are clamped."""

from __future__ import annotations

from assaygen import arrays, movement, types

WHY = movement.WHY | {"Clamp": "a start outside of the range moves to its nearest end"}
INDEX_TYPES = [t for t in types.INTS if t.bits >= 8]
SQUARE = (4, 4)


def cases(one):
    """one(type, index type, starts, sizes, name) gives a case."""
    for t in movement.ALL:
        for starts in ((0, 0), (1, 2), (-3, 1), (7, 7)):
            yield one(t, types.S32, starts, (2, 2), "")
    for index in INDEX_TYPES:
        for start in {index.low, index.high, 1}:
            yield one(types.F32, index, (start, 0), (1, 3), f"{index.name}_{start}")
    yield one(types.F32, types.S32, (2, 2), (0, 4), "empty")
    yield one(types.F32, types.S32, (1, 9), (4, 4), "whole")


def random(op, make):
    """make(type, index type, starts, sizes, name, dimensions) gives a case."""
    def draw(stream, t, name):
        dims = movement.dims(stream, least=1)
        index = stream.choice(types.INTS)
        sizes = [n - stream.below(n + 1) for n in dims]
        begin = [stream.choice([index.low, index.high]) if stream.below(6) == 0
                 else min(max(stream.below(n + 4) - 2, index.low), index.high) for n in dims]
        return make(t, index, begin, sizes, name, dims)
    return movement.random(op, draw)


def origin(starts, sizes, dims=SQUARE):
    return [min(max(start, 0), side - size)
            for start, size, side in zip(starts, sizes, dims)]


def operands(index, starts):
    return [arrays.splat(index, (), index.wrap(start)) for start in starts]


def case(name, starts, inputs, instruction, result, dims=SQUARE):
    if not name.startswith("random"):
        name = "at_" + (name or "_".join(map(str, starts)))
    within = ",".join(map(str, dims))
    return movement.case(name, f"starts {starts} in [{within}]", inputs,
                         instruction, result, ["Clamp", "Type"])
