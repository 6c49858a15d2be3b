"""dynamic-slice: starts clamped into range (spec/ops/dynamic-slice.md)."""

from assaygen import arrays, movement, types
from assaygen.cases import Case, rejected
from assaygen.program import Program

WHY = movement.WHY | {"Clamp": "a start outside of the range moves to its nearest end"}
INDEX_TYPES = [t for t in types.INTS if t.bits >= 8]


def cases():
    for t in movement.ALL:
        for starts in ((0, 0), (1, 2), (-3, 1), (7, 7)):
            yield one(t, types.S32, starts, (2, 2))
    for index in INDEX_TYPES:
        for start in {index.low, index.high, 1}:
            yield one(types.F32, index, (start, 0), (1, 3), f"{index.name}_{start}")
    yield one(types.F32, types.S32, (2, 2), (0, 4), "empty")
    yield one(types.F32, types.S32, (1, 9), (4, 4), "whole")
    inputs = [arrays.iota(types.F32, (2,)), arrays.iota(types.S32, ())]
    program = Program("m", inputs).root(
        "f32[3]", "dynamic-slice(p0, p1), dynamic_slice_sizes={3}")
    yield Case("f32/slice_too_large", "the slice is larger than the operand", program,
               rejected("dynamic-slice.C3"), ["Rejected"])


def clamp(start, size, dimension):
    return min(max(start, 0), dimension - size)


def one(t, index, starts, sizes, name=""):
    operand = movement.any_bits("dynamic-slice", t, (4, 4), name)
    places = [arrays.splat(index, (), index.wrap(s)) for s in starts]
    origin = [clamp(s, size, 4) for s, size in zip(starts, sizes)]
    result = movement.moved(operand, sizes, lambda i: tuple(
        o + x for o, x in zip(origin, i)))
    listed = ",".join(map(str, sizes))
    name = name or "_".join(map(str, starts))
    return movement.case(f"at_{name}", f"starts {starts} in [4,4]", [operand, *places],
                         f"dynamic-slice(p0, p1, p2), dynamic_slice_sizes={{{listed}}}",
                         result, ["Clamp", "Type"])
