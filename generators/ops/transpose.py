"""transpose: permutations that are not their own inverse (spec/ops/transpose.md)."""

from assaygen import collectives, movement, types
from assaygen.cases import Case, rejected, without
from assaygen.program import Program

WHY = without(movement.WHY, "Edge", "Shape") | {
    "Permutation": "permutations of each rank; cycles tell the permutation from its inverse",
}
PERMUTATIONS = [((), ()), ((4,), (0,)), ((2, 3), (1, 0)), ((2, 3, 4), (1, 2, 0)),
                ((2, 3, 4), (2, 0, 1)), ((2, 0, 3), (2, 0, 1)),
                ((2, 1, 3, 2), (3, 0, 2, 1)), ((2, 1, 3, 2, 2), (4, 2, 0, 3, 1))]


def cases():
    for t in movement.ALL:
        for dims, permutation in PERMUTATIONS:
            yield one(t, dims, permutation)
    for t in (types.F32, types.BY_NAME["bf16"], types.BY_NAME["s2"]):
        yield from movement.with_layouts("transpose", t, lambda i, a, b, t=t: one(
            t, (5, 6), (1, 0), f"layout_{i}", a, b))
    yield from movement.random("transpose", random)
    operand = movement.any_bits("transpose", types.F32, (2, 2))
    program = Program("m", [operand]).root("f32[2,2]", "transpose(p0), dimensions={0,0}")
    yield Case("f32/not_a_permutation", "a dimension stands twice", program,
               rejected("transpose.C1"), ["Rejected"])


def random(stream, t, name):
    dims = movement.dims(stream)
    return one(t, dims, collectives.shuffled(stream, range(len(dims))), name)


def one(t, dims, permutation, name="", source="", target=""):
    operand = movement.any_bits("transpose", t, dims, name)
    out = tuple(dims[p] for p in permutation)

    def origin(i):
        j = [0] * len(dims)
        for d, p in enumerate(permutation):
            j[p] = i[d]
        return tuple(j)
    result = movement.moved(operand, out, origin).with_layout(target)
    name = name or "_".join("x".join(map(str, part)) or "scalar" for part in (dims, permutation))
    listed = ",".join(map(str, permutation))
    return movement.case(name, f"{list(dims)} by {list(permutation)}",
                         [operand.with_layout(source)],
                         f"transpose(p0), dimensions={{{listed}}}", result,
                         ["Permutation", "Layout" if target else "Type"])
