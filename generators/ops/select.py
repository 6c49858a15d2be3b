"""select: bits of either operand (spec/ops/select.md)."""

from assaygen import arrays, movement, refused, stated, types
from assaygen.cases import Case, bits, rejected, without
from assaygen.program import Program

WHY = stated.WHY | without(movement.WHY, "Edge", "Layout", "Random")


ROWS = [
    ("C1", "a selector of unsigned integers", "u8[2] ; f32[2] ; f32[2]",
     "f32[2] select(p0, p1, p2)"),
    ("C1", "a tuple of predicates", "(pred[]) ; f32[2] ; f32[2]", "f32[2] select(p0, p1, p2)"),
    ("C2", "values of other sizes", "pred[] ; s8[2] ; s8[3]", "s8[2] select(p0, p1, p2)"),
    ("C2", "values of other types", "pred[] ; f32[2] ; s32[2]", "f32[2] select(p0, p1, p2)"),
    ("C2", "tuples", "pred[] ; (f32[2], f32[2]) ; (f32[2], f32[2])",
     "(f32[2], f32[2]) select(p0, p1, p2)"),
]


# 1 + 2^-8 and 1 + 3 * 2^-8 lie half way between two numbers of bf16; 2^200 is beyond f32.
STATED = [
    ("rounded", "f32 where the predicate is true, bf16 elsewhere, as bf16",
     "pred[4] 1 1 0 1 ; f32[4] 3f808000 3f818000 00000000 7f7fffff ; bf16[4] 0000*2 c040 0000",
     "bf16[4] select(p0, p1, p2)", "bf16[4] 3f80 3f82 c040 7f80"),
    ("widened", "f16 where the predicate is true, f32 elsewhere, as f32",
     "pred[3] 1 0 1 ; f16[3] 0001 0000 fc00 ; f32[3] 00000000 7f7fffff 00000000",
     "f32[3] select(p0, p1, p2)", "f32[3] 33800000 7f7fffff ff800000"),
    ("narrowed", "two f64, as f32",
     "pred[] 0 ; f64[2] 0000000000000000*2 ; f64[2] 4c70000000000000 3ff0000010000000",
     "f32[2] select(p0, p1, p2)", "f32[2] 7f800000 3f800000"),
]


def cases():
    for t in movement.ALL:
        for dims in ((2, 3), (), (0, 2), (2, 1, 3, 2)):
            yield one(t, dims, dims)
        yield one(t, (), (4,))
    yield mismatch()
    yield from refused.cases("select", ROWS)
    yield from (stated.case(row) for row in STATED)


def one(t, pred_dims, dims):
    pred = movement.any_bits("select", types.PRED, pred_dims, f"pred{t.name}{dims}")
    yes = movement.any_bits("select", t, dims, "true")
    no = movement.any_bits("select", t, dims, "false")

    def element(i):
        chosen = pred.at(i if pred_dims == dims else ())
        return (yes if chosen else no).at(i)
    result = arrays.build(t, dims, element)
    program = Program("m", [pred, yes, no]).root(result.shape, "select(p0, p1, p2)")
    shape = "x".join(map(str, dims)) or "scalar"
    kind = "scalar_pred" if pred_dims != dims else "array"
    return Case(f"{t.name}/{kind}_{shape}", f"select among arrays of shape {list(dims)}",
                program, [bits(result, "same")], ["Type", "Shape"])


def mismatch():
    inputs = [arrays.iota(types.PRED, (2,)), arrays.iota(types.F32, (3,)),
              arrays.iota(types.F32, (3,))]
    program = Program("m", inputs).root("f32[3]", "select(p0, p1, p2)")
    return Case("f32/pred_of_other_shape", "the predicate has other dimensions",
                program, rejected("select.C3"), ["Rejected"])
