"""slice: starts, limits and strides (spec/ops/slice.md)."""

from assaygen import movement, refused, types
from assaygen.cases import Case, rejected, without
from assaygen.program import Program

WHY = without(movement.WHY, "Shape")
SLICES = [((6,), [(1, 5, 1)]), ((6,), [(0, 6, 4)]), ((6,), [(3, 3, 1)]),
          ((4, 5), [(1, 4, 2), (0, 5, 3)]), ((0, 3), [(0, 0, 1), (1, 2, 1)]),
          ((2, 3, 4), [(0, 2, 1), (2, 3, 1), (1, 4, 2)]), ((), [])]


ROWS = [
    ("C1", "a range too much", "f32[4]", "f32[2] slice(p0), slice={[1:3], [0:1]}"),
    ("C1", "a range of a scalar", "f32[]", "f32[] slice(p0), slice={[0:1]}"),
    ("C2", "the limit is below the start", "f32[4]", "f32[0] slice(p0), slice={[3:2]}"),
    ("C3", "a stride of 0", "f32[4]", "f32[2] slice(p0), slice={[0:4:0]}"),
]


def cases():
    for t in movement.ALL:
        for number, (dims, ranges) in enumerate(SLICES):
            yield one(t, dims, ranges, str(number))
    for t in (types.F32, types.BY_NAME["u2"]):
        yield from movement.with_layouts("slice", t, lambda i, a, b, t=t: one(
            t, (5, 6), [(1, 5, 2), (0, 6, 1)], f"layout_{i}", a, b))
    yield from movement.random("slice", random)
    operand = movement.any_bits("slice", types.F32, (4,))
    program = Program("m", [operand]).root("f32[3]", "slice(p0), slice={[2:5]}")
    yield Case("f32/limit_too_large", "the limit is beyond the dimension", program,
               rejected("slice.C2"), ["Rejected"])
    yield from refused.cases("slice", ROWS)


def random(stream, t, name):
    dims = movement.dims(stream)
    ends = [sorted(stream.below(n + 1) for _ in range(2)) for n in dims]
    return one(t, dims, [(*pair, 1 + stream.below(3)) for pair in ends], name)


def one(t, dims, ranges, name, source="", target=""):
    operand = movement.any_bits("slice", t, dims, name)
    out = tuple(len(range(*r)) for r in ranges)
    result = movement.moved(
        operand, out,
        lambda i: tuple(r[0] + x * r[2] for x, r in zip(i, ranges))).with_layout(target)
    listed = ", ".join(f"[{a}:{b}:{s}]" for a, b, s in ranges)
    return movement.case(name, f"{list(dims)} sliced by {listed or 'nothing'}",
                         [operand.with_layout(source)], f"slice(p0), slice={{{listed}}}",
                         result, ["Edge", "Layout" if target else "Type"])
