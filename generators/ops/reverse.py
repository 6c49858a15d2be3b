"""reverse: every set of dimensions of small ranks (spec/ops/reverse.md)."""

from assaygen import movement, types
from assaygen.cases import Case, rejected, without
from assaygen.program import Program

WHY = without(movement.WHY, "Shape")
SETS = [((4,), (0,)), ((2, 3), (1,)), ((2, 3), (0, 1)), ((2, 3), ()), ((0, 3), (0,)),
        ((2, 3, 4), (0, 2)), ((2, 1, 3, 2), (3, 2))]


def cases():
    for t in movement.ALL:
        for dims, flipped in SETS:
            yield one(t, dims, flipped)
    yield from movement.with_layouts("reverse", types.F32, lambda i, a, b: one(
        types.F32, (5, 6), (1,), f"layout_{i}", a, b))
    yield from movement.random("reverse", random)
    operand = movement.any_bits("reverse", types.F32, (2,))
    program = Program("m", [operand]).root("f32[2]", "reverse(p0), dimensions={1}")
    yield Case("f32/no_such_dimension", "the dimension does not exist", program,
               rejected("reverse.C1"), ["Rejected"])


def random(stream, t, name):
    dims = movement.dims(stream)
    return one(t, dims, [d for d in range(len(dims)) if stream.bits(1)], name)


def one(t, dims, flipped, name="", source="", target=""):
    operand = movement.any_bits("reverse", t, dims, name)
    result = movement.moved(operand, dims, lambda i: tuple(
        dims[d] - 1 - x if d in flipped else x
        for d, x in enumerate(i))).with_layout(target)
    listed = ",".join(map(str, flipped))
    name = name or "x".join(map(str, dims)) + "_" + (listed.replace(",", "") or "none")
    return movement.case(name, f"{list(dims)} reversed in {list(flipped)}",
                         [operand.with_layout(source)],
                         f"reverse(p0), dimensions={{{listed}}}", result,
                         ["Edge", "Layout" if target else "Type"])
