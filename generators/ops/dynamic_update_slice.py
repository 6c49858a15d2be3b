"""dynamic-update-slice: starts clamped into range
(spec/ops/dynamic-update-slice.md)."""

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
    inputs = [arrays.iota(types.F32, (2,)), arrays.iota(types.F32, (3,)),
              arrays.iota(types.S32, ())]
    program = Program("m", inputs).root("f32[2]", "dynamic-update-slice(p0, p1, p2)")
    yield Case("f32/update_too_large", "the update is larger than the operand", program,
               rejected("dynamic-update-slice.C3"), ["Rejected"])


def one(t, index, starts, sizes, name=""):
    operand = movement.any_bits("dynamic-update-slice", t, (4, 4), name)
    update = movement.any_bits("dynamic-update-slice", t, sizes, name + "update")
    places = [arrays.splat(index, (), index.wrap(s)) for s in starts]
    origin = [min(max(s, 0), 4 - size) for s, size in zip(starts, sizes)]

    def element(i):
        j = tuple(x - o for x, o in zip(i, origin))
        inside = all(0 <= x < size for x, size in zip(j, sizes))
        return update.at(j) if inside else operand.at(i)
    result = arrays.build(t, (4, 4), element)
    name = name or "_".join(map(str, starts))
    return movement.case(f"at_{name}", f"starts {starts} in [4,4]",
                         [operand, update, *places],
                         "dynamic-update-slice(p0, p1, p2, p3)", result,
                         ["Clamp", "Type"])
