"""concatenate: one to four operands (spec/ops/concatenate.md)."""

from assaygen import arrays, movement, refused, stated, types
from assaygen.cases import Case, rejected, without
from assaygen.program import Program

WHY = stated.WHY | without(movement.WHY, "Shape")
LISTS = [([(3,)], 0), ([(2,), (0,), (3,)], 0), ([(2, 3), (2, 1)], 1),
         ([(1, 2), (3, 2), (2, 2), (0, 2)], 0), ([(2, 0, 3), (2, 2, 3)], 1),
         ([(1, 2, 1, 2), (1, 2, 1, 3)], 3), ([(2, 2), (2, 2)], 0)]


ROWS = [
    ("C1", "an operand is a tuple", "(f32[2]) ; (f32[2])",
     "f32[4] concatenate(p0, p1), dimensions={0}"),
    ("C2", "the dimension is the rank", "f32[2,3]",
     "f32[2,6] concatenate(p0, p0), dimensions={2}"),
    ("C2", "scalars", "s8[]", "s8[2] concatenate(p0, p0), dimensions={0}"),
    ("C2", "two dimensions", "f32[2,2]", "f32[4,4] concatenate(p0, p0), dimensions={0,1}"),
    ("C3", "signed and unsigned", "s8[2] ; u8[2]", "s8[4] concatenate(p0, p1), dimensions={0}"),
    ("C3", "a float and a complex number", "f32[2] ; c64[2]",
     "c64[4] concatenate(p0, p1), dimensions={0}"),
    ("C5", "a size beyond 64 bits", "s8[9223372036854775806,0]",
     "s8[0,0] concatenate(p0, p0), dimensions={0}"),
]

# 1 + 2^-10 is a number of both, 1 + 2^-23 is rounded to f16.
STATED = [
    ("as_the_wider", "two types of floats give the wider one where the result is of it",
     "f16[1] 3c01 ; f32[1] 3f800001",
     "f32[2] concatenate(p0, p1), dimensions={0}", "f32[2] 3f802000 3f800001"),
    ("as_the_narrower", "and are rounded where it is narrower",
     "f16[1] 3c01 ; f32[1] 3f800001",
     "f16[2] concatenate(p0, p1), dimensions={0}", "f16[2] 3c01 3c00"),
]


def cases():
    for t in movement.ALL:
        for number, (shapes, d) in enumerate(LISTS):
            yield one(t, shapes, d, str(number))
    for t in (types.F32, types.BY_NAME["u4"]):
        yield from movement.with_layouts("concatenate", t, lambda i, a, b, t=t: one(
            t, [(5, 2), (5, 4)], 1, f"layout_{i}", a, b))
    yield from movement.random("concatenate", random)
    inputs = [arrays.iota(types.F32, (2, 3)), arrays.iota(types.F32, (3, 3))]
    program = Program("m", inputs).root("f32[2,6]", "concatenate(p0, p1), dimensions={1}")
    yield Case("f32/other_sizes_differ", "the other dimensions have one size", program,
               rejected("concatenate.C4"), ["Rejected"])
    yield from refused.cases("concatenate", ROWS)
    yield from (stated.case(row) for row in STATED)


def random(stream, t, name):
    dims = movement.dims(stream, least=1)
    d = stream.below(len(dims))
    shapes = [(*dims[:d], stream.below(4), *dims[d + 1:]) for _ in range(1 + stream.below(4))]
    return one(t, shapes, d, name)


def one(t, shapes, d, name, source="", target=""):
    parts = [movement.any_bits("concatenate", t, s, f"{name}/{k}")
             for k, s in enumerate(shapes)]
    out = list(shapes[0])
    out[d] = sum(s[d] for s in shapes)

    def element(i):
        place = i[d]
        for part in parts:
            if place < part.dims[d]:
                return part.at((*i[:d], place, *i[d + 1:]))
            place -= part.dims[d]
        raise AssertionError
    result = arrays.build(t, out, element).with_layout(target)
    operands = ", ".join(f"p{k}" for k in range(len(parts)))
    return movement.case(name, f"{len(parts)} operands along dimension {d}",
                         [part.with_layout(source) for part in parts],
                         f"concatenate({operands}), dimensions={{{d}}}", result,
                         ["Edge", "Layout" if target else "Type"])
