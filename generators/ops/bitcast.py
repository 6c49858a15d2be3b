"""bitcast: elements to bytes in memory, bytes to elements (spec/ops/bitcast.md)."""

import itertools
import math

from assaygen import arrays, movement, types
from assaygen.arrays import Array
from assaygen.cases import Case, bits, rejected, without
from assaygen.program import Program

WHY = without(movement.WHY, "Edge", "Layout", "Random") | {
    "Order": "dimensions that lie in memory in another order",
    "Width": "elements of other widths: bytes, the least significant first",
    "Packed": "types of less than a byte in a byte each, or packed by E(n)",
    "Tile": "tiles that are read as dimensions, and dimensions as tiles",
    "Truth": "a pred is true where any bit is set",
    "Tuple": "the arrays of a tuple are bitcast one by one",
    "Rest": "a smaller buffer: the first bytes, tiles left aside",
}
BY = types.BY_NAME
F32, U8 = types.F32, BY["u8"]


def number(t, code):
    """An element as a number of whole bytes: signed ones keep their sign."""
    if t.kind == "complex":
        return code[0] | code[1] << t.bits // 2
    return t.integer(code) if t.kind == "int" else code


def element(t, value):
    value %= 1 << t.bits
    half = t.bits // 2
    return (value % (1 << half), value >> half) if t.kind == "complex" else value


def in_memory(dims, order):
    """The indices of an array as they lie in memory; order[0] counts fastest."""
    physical = [range(dims[d]) for d in reversed(order)]
    for place in itertools.product(*physical):
        yield tuple(place[len(dims) - 1 - order.index(d)] for d in range(len(dims)))


def stored(array: Array, order, width) -> int:
    """The memory as one number; an element takes `width` bits."""
    places = enumerate(in_memory(array.dims, order))
    mask = (1 << width) - 1
    return sum((number(array.type, array.at(i)) & mask) << s * width for s, i in places)


def loaded(t, dims, order, memory: int, width) -> Array:
    slots = {i: memory >> s * width & (1 << width) - 1
             for s, i in enumerate(in_memory(dims, order))}
    return arrays.build(t, dims, lambda i: element(t, slots[i]))


def case(operand, result, what, statement, why):
    program = Program("m", [operand]).root(result.shape, "bitcast(p0)")
    return Case(f"{operand.type.name}/{what}", statement, program,
                [bits(result, "same")], why)


def row_major(dims):
    return tuple(reversed(range(len(dims))))


def spelled(order, width=None):
    packed = f":E({width})" if width else ""
    return "{" + ",".join(map(str, order)) + packed + "}"


def whole(t):
    """Bits that an element takes without E(n)."""
    return max(t.bits, 8)


def of_types():
    for t in types.ALL:
        operand = movement.any_bits("bitcast", t, (2, 6))
        yield case(operand, Array(t, (3, 4), operand.codes), "reshape",
                   "row-major to row-major is a reshape", ["Type"])
        result = loaded(t, (6, 2), (0, 1), stored(operand, (1, 0), whole(t)), whole(t))
        yield case(operand.with_layout("{1,0}"), result.with_layout("{0,1}"), "transpose",
                   "row-major to column-major is a transpose", ["Type", "Order"])


def of_shapes():
    for dims, to in (((), ()), ((), (1, 1)), ((1,), ()), ((0, 3), (3, 0)), ((0,), (2, 0, 5)),
                     ((24,), (2, 3, 4)), ((2, 3, 4), (24,)), ((2, 1, 3, 2), (3, 1, 4))):
        operand = movement.any_bits("bitcast", F32, dims, to)
        name = "_to_".join("x".join(map(str, x)) or "scalar" for x in (dims, to))
        yield case(operand, Array(F32, to, operand.codes), f"shape_{name}",
                   f"{list(dims)} as {list(to)}", ["Shape"])


def of_orders():
    shapes = [((2, 3, 4), (4, 3, 2)), ((2, 3, 4), (2, 12)), ((6, 4), (2, 3, 4))]
    for t in (F32, BY["s4"], types.PRED, types.C64):
        for dims, to in shapes:
            orders = list(itertools.permutations(range(len(dims))))
            for k, order in enumerate(orders):
                back = list(itertools.permutations(range(len(to))))
                other = back[(k * 5 + 1) % len(back)]
                operand = movement.any_bits("bitcast", t, dims, order)
                memory = stored(operand, order, whole(t))
                result = loaded(t, to, other, memory, whole(t))
                name = "_".join("x".join(map(str, x)) for x in (dims, order, to, other))
                yield case(operand.with_layout(spelled(order)),
                           result.with_layout(spelled(other)), f"order_{name}",
                           f"{spelled(order)} as {spelled(other)}", ["Order"])


WIDTHS = [("f32", "u8"), ("u8", "f32"), ("f64", "u32"), ("s32", "f64"), ("c64", "f32"),
          ("f32", "c64"), ("c128", "u64"), ("u16", "c128"), ("pred", "u8"), ("bf16", "s8"),
          ("f8e4m3fn", "f16"), ("u64", "bf16"), ("f16", "u16"), ("s64", "f64")]


def of_widths():
    for source, target in WIDTHS:
        s, t = BY[source], BY[target]
        operand = movement.any_bits("bitcast", s, (2, 384 // whole(s)), target)
        result = loaded(t, (768 // whole(t),), (0,), stored(operand, (1, 0), whole(s)), whole(t))
        yield case(operand, result, f"as_{target}", f"the bytes of {source} as {target}",
                   ["Width"])


def of_packed():
    """Without E(n) a byte for each element; with it all bits in a row."""
    for source, target in (("s4", "u8"), ("u4", "s8"), ("s2", "u8"), ("f6e3m2fn", "u8"),
                           ("u8", "s4"), ("s8", "u2"), ("u8", "f4e2m1fn"), ("s1", "u16")):
        s, t = BY[source], BY[target]
        operand = movement.any_bits("bitcast", s, (8,), target)
        result = loaded(t, (64 // whole(t),), (0,), stored(operand, (0,), 8), whole(t))
        yield case(operand, result, f"bytes_as_{target}", "an element takes a byte",
                   ["Packed", "Width"])
    for source, target in (("s4", "u8"), ("u2", "u16"), ("f6e2m3fn", "u8"), ("s1", "s8"),
                           ("f4e2m1fn", "u32"), ("u8", "s4"), ("u16", "u2"), ("u4", "s2")):
        s, t = BY[source], BY[target]
        operand = movement.any_bits("bitcast", s, (96 // s.bits,), target)
        memory = stored(operand, (0,), s.bits)
        result = loaded(t, (96 // t.bits,), (0,), memory, t.bits)
        laid = [x.with_layout(spelled((0,), x.type.bits if x.type.bits < 8 else None))
                for x in (operand, result)]
        yield case(*laid, f"packed_as_{target}", "an element takes its own bits",
                   ["Packed", "Width"])


def of_truths():
    """To pred, where any bit of a slot is true."""
    for source, codes in (("u8", (0, 1, 2, 3, 128, 254)), ("s4", (0, 1, 8, 15, 14)),
                          ("f4e2m1fn", (0, 8, 2, 15)), ("f16", (0, 0x3c00, 0x8000, 1))):
        s = BY[source]
        operand = Array(s, (len(codes),), codes)
        memory = stored(operand, (0,), whole(s))
        slots = [memory >> k * 8 & 255 for k in range(len(codes) * whole(s) // 8)]
        result = Array(types.PRED, (len(slots),), tuple(int(slot != 0) for slot in slots))
        yield case(operand, result, "to_pred", "a byte with any bit set is true", ["Truth"])


# Operand and result, and the index of the operand that lies where an index of the
# result does.
TILES = [
    ((4, 8), "{1,0:T(2,4)}", (2, 2, 2, 4), "{3,2,1,0}",
     lambda a, b, c, d: (2 * a + c, 4 * b + d)),
    ((4, 8), "{0,1:T(4,2)}", (2, 2, 4, 2), "{3,2,1,0}",
     lambda a, b, c, d: (2 * b + d, 4 * a + c)),
    ((4, 8), "{1,0:T(2,4)(2,1)}", (2, 2, 4, 2), "{3,2,1,0}",
     lambda a, b, c, d: (2 * a + d, 4 * b + c)),
    ((2, 2, 2, 4), "{3,2,1,0}", (4, 8), "{1,0:T(2,4)}",
     lambda r, c: (r // 2, c // 4, r % 2, c % 4)),
    ((32,), "{0}", (4, 8), "{1,0:T(2,4)}",
     lambda r, c: ((r // 2 * 2 + c // 4) * 8 + r % 2 * 4 + c % 4,)),
    ((3, 5), "{1,0:T(2,2)}", (5, 3), "{0,1:T(2,2)}", lambda r, c: (c, r)),
    ((2, 3, 4), "{2,1,0:T(*,2,2)}", (6, 4), "{1,0:T(2,2)}", lambda r, c: (r // 3, r % 3, c)),
    ((5, 6), "{1,0:T(8,128)}", (5, 6), "{1,0:T(8,128)}", lambda r, c: (r, c)),
]


def of_tiles():
    for k, (dims, layout, to, other, index_of) in enumerate(TILES):
        for t in (F32, BY["bf16"], BY["s8"]):
            operand = movement.any_bits("bitcast", t, dims, layout)
            result = arrays.build(t, to, lambda i: operand.at(index_of(*i)))
            yield case(operand.with_layout(layout), result.with_layout(other), f"tile_{k}",
                       f"{list(dims)}{layout} as {list(to)}{other}", ["Tile"])


def of_rests():
    operand = movement.any_bits("bitcast", F32, (3, 5), "rest")
    yield case(operand, arrays.build(F32, (4,), lambda i: operand.at((0, i[0]))), "first",
               "the first four of fifteen", ["Rest"])
    yield case(operand, Array(F32, (0,), ()), "none", "nothing of it", ["Rest"])
    column = operand.with_layout("{0,1}")
    yield case(column, arrays.build(F32, (4,), lambda i: operand.at((i[0] % 3, i[0] // 3))),
               "first_in_memory", "the first four in memory", ["Rest", "Order"])
    tiled = operand.with_layout("{1,0:T(2,2)}")
    yield case(tiled, Array(F32, (15,), operand.codes), "tiles_aside",
               "a buffer without the padding of the tiles", ["Rest", "Tile"])
    yield case(operand, Array(F32, (5, 3), operand.codes, "{1,0:T(4,4)}"), "tiles_aside_again",
               "a buffer with padding that the operand lacks", ["Rest", "Tile"])
    some = movement.any_bits("bitcast", F32, (3,), "bytes")
    yield case(some, loaded(U8, (5,), (0,), stored(some, (0,), 32), 8), "first_bytes",
               "five bytes of twelve", ["Rest", "Width"])
    packed = movement.any_bits("bitcast", BY["s4"], (10,), "packed").with_layout("{0:E(4)}")
    yield case(packed, loaded(U8, (3,), (0,), stored(packed, (0,), 4), 8), "first_packed",
               "three bytes of five that hold two elements each", ["Rest", "Packed"])


def of_tuples():
    """The arrays of a tuple, each by itself, in tuples of tuples too."""
    for t in (F32, BY["bf16"], BY["s8"], BY["c64"]):
        x = movement.any_bits("bitcast", t, (4, 2), "first of a tuple")
        y = movement.any_bits("bitcast", U8, (8,), "second of a tuple")
        results = [Array(t, (2, 2, 2), x.codes),
                   loaded(BY["u16"], (4,), (0,), stored(y, (0,), 8), 16)]
        program = Program("m", [x, y]).line(f"t = ({y.shape}) tuple(p1)")
        program.line(f"u = ({x.shape}, ({y.shape})) tuple(p0, t)")
        program.root(f"({results[0].shape}, ({results[1].shape}))", "bitcast(u)")
        yield Case(f"{t.name}/of_a_tuple", f"{x.shape} and {y.shape} in a tuple, each by itself",
                   program, [bits(r, "same") for r in results], ["Tuple"])


def refused(operand, shape, what):
    program = Program("m", [operand]).root(shape, "bitcast(p0)")
    return Case(f"{operand.type.name}/{what}", f"{operand.shape} has not the bytes of {shape}",
                program, rejected("bitcast.C2"), ["Rejected"])


def refusals():
    yield refused(arrays.iota(U8, (8,)), "u4[16]", "unpacked")
    yield refused(arrays.iota(BY["u4"], (8,)).with_layout("{0:E(4)}"), "u8[5]", "packed")
    yield refused(arrays.iota(types.PRED, (8,)), "u16[5]", "of_pred")
    for name, kind, shape in (("tuple", "(f32[2])", "f32[2]"), ("to_tuple", "f32[2]", "(f32[2])"),
                              ("of_two", "(f32[2], f32[2])", "(f32[4])"),
                              ("deeper", "((f32[2]))", "(f32[2])")):
        text = (f"HloModule m\n\nENTRY main {{\n  p0 = {kind} parameter(0)\n"
                f"  ROOT r = {shape} bitcast(p0)\n}}\n")
        yield Case(f"f32/{name}", "a tuple has no bytes", text, rejected("bitcast.C1"),
                   ["Rejected"], [arrays.iota(F32, (2,))])
    x = arrays.iota(F32, (2,))
    yield refused(x, "f32[3]", "too_many")
    yield refused(x, "u8[9]", "too_many_bytes")
    yield refused(x, "f64[2]", "too_wide")
    padded = arrays.iota(F32, (3, 5)).with_layout("{1,0:T(2,2)}")
    yield refused(padded, "f32[24]{0}", "padding")
    yield refused(arrays.iota(F32, (0,)), "f32[]", "of_nothing")


def cases():
    for rows in (of_types, of_shapes, of_orders, of_widths, of_packed, of_tiles, of_rests,
                 of_tuples, refusals, of_truths):
        yield from rows()
