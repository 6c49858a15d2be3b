"""Starts of dynamic-slice and dynamic-update-slice, which are clamped."""

from __future__ import annotations

from assaygen import arrays, movement, types

WHY = movement.WHY | {"Clamp": "a start outside of the range moves to its nearest end"}
INDEX_TYPES = [t for t in types.INTS if t.bits >= 8]
SIDE = 4  # of the operand, a square


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


def origin(starts, sizes):
    return [min(max(start, 0), SIDE - size) for start, size in zip(starts, sizes)]


def operands(index, starts):
    return [arrays.splat(index, (), index.wrap(start)) for start in starts]


def case(name, starts, inputs, instruction, result):
    name = name or "_".join(map(str, starts))
    return movement.case(f"at_{name}", f"starts {starts} in [4,4]", inputs,
                         instruction, result, ["Clamp", "Type"])
