"""copy: any bits of any type into any layout, and from one float type into
another (spec/ops/copy.md)."""

from assaygen import arrays, movement, pools, types
from assaygen.arrays import Array
from assaygen.cases import Case, bits, rejected, without
from assaygen.program import Program
from assaygen.streams import Stream

WHY = without(movement.WHY, "Edge", "Random") | {
    "Convert": "another float type: rounded once, to nearest even",
    "Tuple": "a tuple is copied as a whole",
}
BY = types.BY_NAME
PAIRS = [("f32", "bf16"), ("f32", "f16"), ("f64", "f32"), ("f64", "bf16"), ("bf16", "f32"),
         ("f16", "bf16"), ("bf16", "f16"), ("f32", "f64"), ("f32", "f8e4m3fn"),
         ("f16", "f8e5m2"), ("f8e4m3fn", "f8e5m2"), ("f8e5m2fnuz", "f32"), ("f32", "f8e8m0fnu"),
         ("f4e2m1fn", "bf16"), ("f32", "f6e3m2fn"), ("f8e4m3", "f8e4m3b11fnuz")]


def one(operand, layout, what, statement, why):
    result = operand.with_layout(layout)
    return movement.case(what, statement, [operand], "copy(p0)", result, why)


def of_types():
    for t in types.ALL:
        operand = movement.any_bits("copy", t, (3, 17))
        yield one(operand, "", "any_bits", "all bits stay", ["Type"])
        yield one(operand.with_layout("{1,0}"), "{0,1}", "column_major",
                  "elements keep their indices in another layout", ["Type", "Layout"])


def of_layouts():
    for t in (types.F32, BY["bf16"], types.PRED):
        for i, layout in enumerate(pools.LAYOUTS):
            for k, other in enumerate(pools.LAYOUTS):
                operand = movement.any_bits("copy", t, (5, 6), (layout, other))
                yield one(operand.with_layout(layout), other, f"layout_{i}_to_{k}",
                          f"{layout} to {other}", ["Layout"])
    for name in ("s4", "u2", "s1", "f6e2m3fn", "f4e2m1fn"):
        t = BY[name]
        operand = movement.any_bits("copy", t, (5, 6), "packed")
        packed = [f"{{1,0:E({t.bits})}}", f"{{0,1:T(2,4)E({t.bits})}}", "{1,0}"]
        for k in range(3):
            yield one(operand.with_layout(packed[k - 1]), packed[k], f"packed_{k}",
                      f"{packed[k - 1]} to {packed[k]}", ["Layout", "Type"])
    for name in ("s8", "u16", "bf16"):
        operand = movement.any_bits("copy", BY[name], (5, 6), "wide")
        wide = ["{1,0:E(32)}", "{0,1:T(2,4)(2,1)E(64)}", "{1,0}"]
        for k in range(3):
            yield one(operand.with_layout(wide[k - 1]), wide[k], f"wide_{k}",
                      f"{wide[k - 1]} to {wide[k]}", ["Layout", "Type"])


def of_shapes():
    for dims in pools.SHAPES:
        name = "x".join(map(str, dims)) or "scalar"
        operand = movement.any_bits("copy", types.F32, dims, "shape")
        yield one(operand, "", f"shape_{name}", f"an array of shape {list(dims)}", ["Shape"])


def converted():
    for source, target in PAIRS:
        s, t = BY[source], BY[target]
        codes = [code for code in pools.unary_codes(s, Stream("copy", source, target), 64)
                 if not (types.decode(s, code).is_nan and t.specials == "finite")]
        operand = arrays.of(s, codes)
        result = arrays.of(t, (types.encode(t, types.decode(s, code)) for code in codes))
        program = Program("m", [operand]).root(result.shape, "copy(p0)")
        yield Case(f"{source}/to_{target}", f"{source} into {target}", program,
                   [bits(result)], ["Convert"])


def of_tuple():
    parts = [movement.any_bits("copy", t, (3,), "tuple") for t in (types.F32, types.PRED)]
    shape = "(" + ", ".join(x.shape for x in parts) + ")"
    text = (f"HloModule m\n\nENTRY main {{\n  p0 = {shape} parameter(0)\n"
            f"  ROOT r = {shape} copy(p0)\n}}\n")
    yield Case("f32/tuple", "each part of a tuple stays", text,
               [bits(x, "same") for x in parts], ["Tuple"], parts)


def refusals():
    for source, target in (("s32", "f32"), ("f32", "s32"), ("f32", "c64"), ("c64", "c128"),
                           ("pred", "s8"), ("s8", "u8"), ("s32", "s64")):
        operand = arrays.iota(BY[source], (2,))
        program = Program("m", [operand]).root(Array(BY[target], (2,), ()).shape, "copy(p0)")
        yield Case(f"{source}/to_{target}", f"no copy of {source} is of {target}", program,
                   rejected("copy.C1"), ["Rejected"])


def cases():
    for rows in (of_types, of_layouts, of_shapes, converted, of_tuple, refusals):
        yield from rows()
