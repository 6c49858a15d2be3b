"""reshape: the same row-major sequence (spec/ops/reshape.md)."""

from assaygen import collectives, movement, refused, types
from assaygen.arrays import Array
from assaygen.cases import Case, rejected, without
from assaygen.program import Program

WHY = without(movement.WHY, "Edge")
PAIRS = [((), (1,)), ((6,), (2, 3)), ((2, 3, 4), (4, 6)), ((0, 3), (5, 0)),
         ((1, 1), ()), ((2, 3, 2, 1, 2), (24,))]


ROWS = [
    ("C1", "another type of the same width", "u32[6]", "s32[2,3] reshape(p0)"),
    ("C1", "a wider type", "bf16[6]", "f32[6] reshape(p0)"),
    ("C3", "the inferred dimension is the rank", "f32[6]",
     "f32[6] reshape(p0), inferred_dimension=1"),
    ("C3", "a scalar has no dimension to infer", "f32[1]",
     "f32[] reshape(p0), inferred_dimension=0"),
]


def cases():
    for t in movement.ALL:
        for dims, out in PAIRS:
            operand = movement.any_bits("reshape", t, dims)
            name = "_to_".join("x".join(map(str, d)) or "scalar" for d in (dims, out))
            yield movement.case(name, f"{list(dims)} seen as {list(out)}", [operand],
                                "reshape(p0)", Array(t, out, operand.codes),
                                ["Type", "Shape"])
    for t in (types.F32, types.BY_NAME["u4"]):
        yield from movement.with_layouts("reshape", t, lambda i, a, b, t=t: laid(t, i, a, b))
    yield from movement.random("reshape", random)
    operand = movement.any_bits("reshape", types.F32, (4,))
    program = Program("m", [operand]).root("f32[5]", "reshape(p0)")
    yield Case("f32/count_differs", "the numbers of elements differ", program,
               rejected("reshape.C2"), ["Rejected"])
    yield from refused.cases("reshape", ROWS)


def random(stream, t, name):
    """Two ways to split one number into factors."""
    count = stream.choice((0, 1, 6, 12, 16, 24, 30, 36, 60, 64))
    dims, out = (factors(stream, count) for _ in range(2))
    operand = movement.any_bits("reshape", t, dims, name)
    return movement.case(name, f"{list(dims)} seen as {list(out)}", [operand],
                         "reshape(p0)", Array(t, out, operand.codes), [])


def factors(stream, count):
    found = [0] * (count == 0)
    count = max(count, 1)
    while count > 1 or stream.below(4) == 0:
        found.append(stream.choice([d for d in range(1, count + 1) if count % d == 0]))
        count //= found[-1]
    return tuple(collectives.shuffled(stream, found))


def laid(t, i, source, target):
    operand = movement.any_bits("reshape", t, (6, 4), str(i))
    result = Array(t, (8, 3), operand.codes, target)
    return movement.case(f"layout_{i}", f"from {source} to {target}: the values keep "
                         "their row-major order", [operand.with_layout(source)],
                         "reshape(p0)", result, ["Layout"])
