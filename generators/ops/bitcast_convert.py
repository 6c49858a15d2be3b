"""bitcast-convert: elements as numbers of so many bits, divided and joined
(spec/ops/bitcast_convert.md)."""

from assaygen import arrays, movement, pools, types
from assaygen.arrays import Array
from assaygen.cases import Case, bits, rejected, without
from assaygen.program import Program

WHY = without(movement.WHY, "Edge", "Random") | {
    "Width": "elements that are divided or joined, the least significant part first",
    "Pred": "pred counts as 8 bits, of which any but 0 is true",
    "Dynamic": "a run-time size stays",
}
BY = types.BY_NAME
REAL = [t for t in types.ALL if t.kind != "complex"]
WIDTHS = (1, 2, 4, 6, 8, 16, 32, 64)


def width(t):
    return 8 if t.kind == "pred" else t.bits


def number(t, code):
    """The bits of an element as one number."""
    return code[0] | code[1] << t.bits // 2 if t.kind == "complex" else code


def element(t, value):
    if t.kind == "pred":
        return int(value != 0)
    if t.kind == "complex":
        half = t.bits // 2
        return value % (1 << half), value >> half
    return value


def converted(operand: Array, t) -> Array:
    """Element (i, k) is part k of element i; or the other way round."""
    source = operand.type
    have, want = width(source), width(t)
    if have == want:
        return arrays.build(t, operand.dims, lambda i: element(t, number(source, operand.at(i))))
    if have > want:
        return arrays.build(t, (*operand.dims, have // want), lambda i: element(
            t, number(source, operand.at(i[:-1])) >> i[-1] * want & (1 << want) - 1))
    parts = range(want // have)
    return arrays.build(t, operand.dims[:-1], lambda i: element(
        t, sum(number(source, operand.at((*i, k))) << k * have for k in parts)))


def one(operand, t, what, statement, why, layout=""):
    result = converted(operand, t).with_layout(layout)
    program = Program("m", [operand]).root(result.shape, "bitcast-convert(p0)")
    return Case(f"{operand.type.name}/{what}", statement, program,
                [bits(result, "same")], why)


def targets(source, index):
    """A type of each width that divides or is divided by the source's, another one
    for each source; of the same width two."""
    for w in WIDTHS:
        if max(w, width(source)) % min(w, width(source)):
            continue
        group = [t for t in REAL if width(t) == w and t is not source]
        for k in range(min(2 if w == width(source) else 1, len(group))):
            yield group[(index + k * len(group) // 2) % len(group)]


def of_types():
    for index, source in enumerate(REAL):
        for t in targets(source, index):
            ratio = max(width(t) // width(source), 1)
            dims = (4, ratio) if ratio > 1 else (7,)
            why = ["Type"] if width(t) == width(source) else ["Type", "Width"]
            why += ["Pred"] if "pred" in (source.name, t.name) else []
            yield one(movement.any_bits("bitcast-convert", source, dims, t.name), t,
                      f"to_{t.name}", f"the bits of {source.name} as {t.name}", why)
    for source in types.COMPLEX:
        for t in types.COMPLEX:
            dims = (3, 2) if t.bits > source.bits else (5,)
            yield one(movement.any_bits("bitcast-convert", source, dims), t, f"to_{t.name}",
                      f"the bits of {source.name} as {t.name}", ["Type"])


def of_shapes():
    for dims in pools.SHAPES:
        name = "x".join(map(str, dims)) or "scalar"
        operand = movement.any_bits("bitcast-convert", types.F32, dims, "shape")
        for t in (BY["u32"], BY["u8"]):
            yield one(operand, t, f"shape_{name}_to_{t.name}",
                      f"an array of shape {list(dims)} as {t.name}", ["Shape"])
        operand = movement.any_bits("bitcast-convert", BY["u8"], (*dims, 4), "shape")
        yield one(operand, types.F32, f"shape_{name}x4_to_f32",
                  f"four bytes each make an array of shape {list(dims)}", ["Shape", "Width"])


def of_layouts():
    layouts = pools.LAYOUTS
    for i, layout in enumerate(layouts):
        operand = movement.any_bits("bitcast-convert", types.F32, (5, 6), layout)
        yield one(operand.with_layout(layout), types.S32, f"layout_{i}",
                  f"from an array laid out as {layout}", ["Layout"],
                  layouts[(i + 1) % len(layouts)])
    operand = movement.any_bits("bitcast-convert", BY["s4"], (3, 2), "packed")
    yield one(operand.with_layout("{0,1:E(4)}"), BY["u8"], "packed", "packed halves of bytes",
              ["Layout", "Width"])


def dynamic():
    """The size that an array with a dynamic dimension has, before and after."""
    operand = movement.any_bits("bitcast-convert", types.F32, (4,), "dynamic")
    for t, name, tail in ((BY["u32"], "same", ""), (BY["u8"], "divided", ",4")):
        program = Program("m", [operand]).line("three = s32[] constant(3)")
        program.line("x = f32[<=4] set-dimension-size(p0, three), dimensions={0}")
        program.line(f"y = {t.name}[<=4{tail}] bitcast-convert(x)")
        program.root("s32[]", "get-dimension-size(y), dimensions={0}")
        yield Case(f"f32/dynamic_{name}", "three of four elements stay three", program,
                   [bits(Array(types.S32, (), (3,)))], ["Dynamic"])


def refused(label, source, dims, shape, what):
    operand = arrays.iota(source, dims)
    program = Program("m", [operand]).root(shape, "bitcast-convert(p0)")
    return Case(f"{source.name}/{what}", f"{operand.shape} has no form {shape}", program,
                rejected(f"bitcast-convert.{label}"), ["Rejected"])


def refusals():
    yield refused("C1", types.C64, (2,), "u64[2]", "complex_to_real")
    yield refused("C1", types.F32, (2,), "c64[1]", "real_to_complex")
    tuple_text = ("HloModule m\n\nENTRY main {\n  p0 = (f32[2]) parameter(0)\n"
                  "  ROOT r = u32[2] bitcast-convert(p0)\n}\n")
    yield Case("f32/tuple", "a tuple has no bits of its own", tuple_text,
               rejected("bitcast-convert.C1"), ["Rejected"], [arrays.iota(types.F32, (2,))])
    yield refused("C2", BY["f6e2m3fn"], (4,), "u8[3]", "six_bits_to_eight")
    yield refused("C2", BY["s16"], (3,), "f6e3m2fn[8]", "sixteen_bits_to_six")
    yield refused("C2", BY["u4"], (3,), "f6e3m2fn[2]", "four_bits_to_six")
    yield refused("C3", BY["u8"], (2, 3), "u32[2]", "too_few_parts")
    yield refused("C3", BY["u8"], (2, 8), "u32[2]", "too_many_parts")
    yield refused("C3", BY["u8"], (), "u32[]", "scalar_part")
    dynamic_text = ("HloModule m\n\nENTRY main {\n  p0 = u8[2,4] parameter(0)\n"
                    "  n = s32[] constant(4)\n"
                    "  x = u8[2,<=4] set-dimension-size(p0, n), dimensions={1}\n"
                    "  ROOT r = u32[2] bitcast-convert(x)\n}\n")
    yield Case("u8/dynamic_parts", "the dimension of the parts is static", dynamic_text,
               rejected("bitcast-convert.C3"), ["Rejected"], [arrays.iota(BY["u8"], (2, 4))])


def cases():
    for rows in (of_types, of_shapes, of_layouts, dynamic, refusals):
        yield from rows()
