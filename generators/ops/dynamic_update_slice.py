"""dynamic-update-slice: starts clamped into range
(spec/ops/dynamic-update-slice.md)."""

from assaygen import arrays, movement, refused, starts, stated, types
from assaygen.cases import Case, rejected, without
from assaygen.program import Program

WHY = stated.WHY | without(starts.WHY, "Edge", "Layout", "Shape")


ROWS = [
    ("C1", "the update has another type", "s32[4] ; u32[2] ; s32[]",
     "s32[4] dynamic-update-slice(p0, p1, p2)"),
    ("C1", "the result is narrower than the operand", "f32[4] ; f32[2] ; s32[]",
     "bf16[4] dynamic-update-slice(p0, p1, p2)"),
    ("C2", "the update has another rank", "f32[4] ; f32[2,1] ; s32[]",
     "f32[4] dynamic-update-slice(p0, p1, p2)"),
    ("C4", "no index", "f32[4] ; f32[2]", "f32[4] dynamic-update-slice(p0, p1)"),
    ("C4", "an index of floats", "f32[4] ; f32[2] ; f32[]",
     "f32[4] dynamic-update-slice(p0, p1, p2)"),
    ("C4", "indices of two types", "f32[4,4] ; f32[2,2] ; s32[] ; s64[]",
     "f32[4,4] dynamic-update-slice(p0, p1, p2, p3)"),
]


STATED = [
    ("constant_start", "constant starts are clamped",
     "f32[4] 3f800000*4 ; f32[2] 40000000*2",
     "n = s32[] constant(9) ; f32[4] dynamic-update-slice(p0, p1, n)",
     "f32[4] 3f800000*2 40000000*2"),
    ("rounded_update", "an update of f32, half way between two numbers of bf16",
     "bf16[4] 3f80*4 ; f32[2] 3f808000 3f818000 ; s32[] 00000001",
     "bf16[4] dynamic-update-slice(p0, p1, p2)",
     "bf16[4] 3f80 3f80 3f82 3f80"),
    ("widened_update", "an update of f16, its least number and infinity, in f32",
     "f32[3] 3f800001*3 ; f16[2] 0001 fc00 ; s32[] 00000000",
     "f32[3] dynamic-update-slice(p0, p1, p2)",
     "f32[3] 33800000 ff800000 3f800001"),
    ("large_update", "an update as large as the array, which nothing reads afterwards",
     "f32[4] 3f800000*4 ; f32[4] 40000000 40400000 40800000 40a00000 ; s32[] 00000000",
     "u = f32[4] negate(p1) ; d = f32[4] dynamic-update-slice(p0, u, p2) ; f32[4] negate(d)",
     "f32[4] 40000000 40400000 40800000 40a00000"),
]


def cases():
    yield from starts.cases(one)
    yield from starts.random("dynamic-update-slice", one)
    inputs = [arrays.iota(types.F32, (2,)), arrays.iota(types.F32, (3,)),
              arrays.iota(types.S32, ())]
    program = Program("m", inputs).root("f32[2]", "dynamic-update-slice(p0, p1, p2)")
    yield Case("f32/update_too_large", "the update is larger than the operand", program,
               rejected("dynamic-update-slice.C3"), ["Rejected"])
    yield from refused.cases("dynamic-update-slice", ROWS)
    yield from (stated.case(row) for row in STATED)


def one(t, index, begin, sizes, name, dims=starts.SQUARE):
    operand = movement.any_bits("dynamic-update-slice", t, dims, name)
    update = movement.any_bits("dynamic-update-slice", t, sizes, name + "update")
    origin = starts.origin(begin, sizes, dims)

    def element(i):
        j = tuple(x - o for x, o in zip(i, origin))
        inside = all(0 <= x < size for x, size in zip(j, sizes))
        return update.at(j) if inside else operand.at(i)
    operands = ", ".join(f"p{k}" for k in range(len(dims) + 2))
    return starts.case(name, begin, [operand, update, *starts.operands(index, begin)],
                       f"dynamic-update-slice({operands})",
                       arrays.build(t, dims, element), dims)
