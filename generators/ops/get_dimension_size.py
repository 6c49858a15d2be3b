"""get-dimension-size: of arrays that have sizes (spec/ops/get_dimension_size.md)."""

from assaygen import refused, sized, stated, types
from assaygen.cases import Case, bits
from assaygen.streams import Stream

WHY = stated.WHY | sized.WHY | refused.WHY


ROWS = [
    ("C1", "a tuple", "(s32[2], s32[2])", "s32[] get-dimension-size(p0), dimensions={0}"),
    ("C2", "the dimension is the rank", "s32[2,3]",
     "s32[] get-dimension-size(p0), dimensions={2}"),
    ("C2", "a scalar", "s32[]", "s32[] get-dimension-size(p0), dimensions={0}"),
    ("C2", "two dimensions", "s32[2,3]", "s32[] get-dimension-size(p0), dimensions={0,1}"),
]


def of_type(t):
    program = sized.Halved("get_dimension_size", t).program()
    for d in range(2):
        program.line(f"size{d} = s32[] get-dimension-size(d), dimensions={{{d}}}")
    program.line("whole = s32[] get-dimension-size(p0), dimensions={1}")
    program.root("(s32[], s32[], s32[])", "tuple(size0, size1, whole)")
    return Case(f"{t.name}/sizes", "the sizes of two columns of three", program,
                [bits(sized.scalar(n)) for n in (2, 2, 3)], ["Type"])


STATED = [
    ("wraps", "a size of 3000000000 modulo 2^32",
     "pred[0,3000000000]",
     "s32[] get-dimension-size(p0), dimensions={1}",
     "s32[] b2d05e00"),
    ("bound", "a dimension whose size nobody has set",
     "f32[<=3] 3f800000*3",
     "s32[] get-dimension-size(p0), dimensions={0}",
     "s32[] 00000003"),
]


def cases():
    yield from map(of_type, types.ALL)
    for i in range(30):
        array = sized.draw(Stream("get_dimension_size", i))
        program = array.program()
        program.line(f"e = {array.shape} negate({array.name})")
        rank = len(array.dims)
        for d in range(rank):
            program.line(f"size{d} = s32[] get-dimension-size({'e' if d % 2 else array.name}), "
                         f"dimensions={{{d}}}")
        names = ", ".join(f"size{d}" for d in range(rank))
        program.root("(" + ", ".join(["s32[]"] * rank) + ")", f"tuple({names})")
        yield Case(f"s32/sizes_{i:02}", f"the sizes {array.sizes} of {list(array.dims)}",
                   program, [bits(sized.scalar(n)) for n in array.sizes], ["Random", "Edge"])
    yield from refused.cases("get-dimension-size", ROWS)
    yield from (stated.case(row) for row in STATED)
