"""dynamic-slice: starts clamped into range (spec/ops/dynamic-slice.md)."""

from assaygen import arrays, movement, refused, starts, stated, types
from assaygen.cases import Case, rejected, without
from assaygen.program import Program

WHY = stated.WHY | without(starts.WHY, "Edge", "Layout", "Shape")


ROWS = [
    ("C1", "a size too much", "f32[4] ; s32[]",
     "f32[2] dynamic-slice(p0, p1), dynamic_slice_sizes={2,1}"),
    ("C1", "no size", "f32[4] ; s32[]", "f32[2] dynamic-slice(p0, p1), dynamic_slice_sizes={}"),
    ("C2", "an index too few", "s8[4,4] ; s32[]",
     "s8[2,2] dynamic-slice(p0, p1), dynamic_slice_sizes={2,2}"),
    ("C2", "indices of two types", "f32[4,4] ; s32[] ; u32[]",
     "f32[2,2] dynamic-slice(p0, p1, p2), dynamic_slice_sizes={2,2}"),
    ("C2", "an index of pred", "f32[4] ; pred[]",
     "f32[2] dynamic-slice(p0, p1), dynamic_slice_sizes={2}"),
    ("C2", "a vector that is too long", "f32[4] ; s32[2]",
     "f32[2] dynamic-slice(p0, p1), dynamic_slice_sizes={2}"),
]


STATED = [
    ("constant_start", "a constant u32 start with its top bit set ends the slice at the end",
     "f32[4] 3f800000 40000000 40400000 40800000",
     "n = u32[] constant(2147483648) ; f32[2] dynamic-slice(p0, n), dynamic_slice_sizes={2}",
     "f32[2] 40400000 40800000"),
]


def cases():
    yield from starts.cases(one)
    yield from starts.random("dynamic-slice", one)
    inputs = [arrays.iota(types.F32, (2,)), arrays.iota(types.S32, ())]
    program = Program("m", inputs).root(
        "f32[3]", "dynamic-slice(p0, p1), dynamic_slice_sizes={3}")
    yield Case("f32/slice_too_large", "the slice is larger than the operand", program,
               rejected("dynamic-slice.C3"), ["Rejected"])
    yield from refused.cases("dynamic-slice", ROWS)
    yield from (stated.case(row) for row in STATED)


def one(t, index, begin, sizes, name, dims=starts.SQUARE):
    operand = movement.any_bits("dynamic-slice", t, dims, name)
    origin = starts.origin(begin, sizes, dims)
    result = movement.moved(operand, sizes, lambda i: tuple(
        o + x for o, x in zip(origin, i)))
    listed = ",".join(map(str, sizes))
    operands = ", ".join(f"p{k}" for k in range(len(dims) + 1))
    return starts.case(name, begin, [operand, *starts.operands(index, begin)],
                       f"dynamic-slice({operands}), dynamic_slice_sizes={{{listed}}}",
                       result, dims)
