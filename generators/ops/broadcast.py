"""broadcast: operand dimensions placed among the result's (spec/ops/broadcast.md)."""

from assaygen import movement, refused, stated, types
from assaygen.cases import Case, rejected, without
from assaygen.program import Program

WHY = stated.WHY | without(movement.WHY, "Edge", "Shape") | {
    "Map": "which operand dimension goes where",
}
MAPS = [((), (3,), ()), ((), (), ()), ((3,), (2, 3), (1,)), ((2,), (2, 3), (0,)),
        ((2, 3), (2, 3), (0, 1)), ((3,), (2, 0, 3), (2,)), ((0,), (2, 0), (1,)),
        ((2, 4), (2, 3, 4), (0, 2)), ((1, 2), (3, 1, 2, 2), (1, 3)),
        ((2, 3), (1, 2, 1, 3, 2), (1, 3))]


ROWS = [
    ("C1", "the result has another type", "u8[3]", "s8[2,3] broadcast(p0), dimensions={1}"),
    ("C1", "a float becomes complex", "f32[]", "c64[2] broadcast(p0), dimensions={}"),
    ("C2", "a dimension too few", "f32[2,3]", "f32[2,3] broadcast(p0), dimensions={0}"),
    ("C2", "a dimension too much", "f32[]", "f32[2] broadcast(p0), dimensions={0}"),
    ("C3", "the dimension is the rank", "f32[3]", "f32[2,3] broadcast(p0), dimensions={2}"),
    ("C3", "one dimension twice", "f32[2,2]", "f32[2,3] broadcast(p0), dimensions={0,0}"),
    ("C3", "a negative dimension", "f32[3]", "f32[2,3] broadcast(p0), dimensions={-1}"),
    ("C4", "the sizes are exchanged", "f32[2,3]", "f32[2,3] broadcast(p0), dimensions={1,0}"),
]


STATED = [
    ("turned", "dimensions that are not in order turn a matrix",
     "f32[2,3] 3f800000 40000000 40400000 40800000 40a00000 40c00000",
     "f32[3,2] broadcast(p0), dimensions={1,0}",
     "f32[3,2] 3f800000 40800000 40000000 40a00000 40400000 40c00000"),
]


def cases():
    for t in movement.ALL:
        for dims, out, places in MAPS:
            yield one(t, dims, out, places)
    for t in (types.F32, types.BY_NAME["s4"]):
        yield from movement.with_layouts("broadcast", t, lambda i, a, b, t=t: one(
            t, (5, 3), (5, 3, 2), (0, 1), f"layout_{i}", a))
    yield from movement.random("broadcast", random)
    operand = movement.any_bits("broadcast", types.F32, (2,))
    program = Program("m", [operand]).root("f32[3]", "broadcast(p0), dimensions={0}")
    yield Case("f32/sizes_differ", "sizes must be equal", program,
               rejected("broadcast.C4"), ["Rejected"])
    yield from refused.cases("broadcast", ROWS)
    yield from (stated.case(row, nan="same") for row in STATED)


def random(stream, t, name):
    """The operand has some of the result's dimensions, in order."""
    out = movement.dims(stream)
    places = [d for d in range(len(out)) if stream.bits(1)]
    return one(t, tuple(out[p] for p in places), out, places, name)


def one(t, dims, out, places, name="", layout=""):
    operand = movement.any_bits("broadcast", t, dims, name)
    result = movement.moved(operand, out, lambda i: tuple(i[p] for p in places))
    name = name or "_".join("x".join(map(str, part)) or "scalar" for part in (dims, out, places))
    listed = ",".join(map(str, places))
    return movement.case(name, f"{list(dims)} into {list(out)}", [operand.with_layout(layout)],
                         f"broadcast(p0), dimensions={{{listed}}}", result,
                         ["Map", "Layout" if layout else "Type"])
