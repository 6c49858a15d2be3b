"""pad: edges, interiors and crops (spec/ops/pad.md)."""

import math

from assaygen import arrays, movement, refused, stated, types
from assaygen.cases import Case, rejected, without
from assaygen.program import Program

WHY = stated.WHY | without(movement.WHY, "Shape") | {
    "NegativeEdge": "cropping removes elements after interior padding",
    "Interior": "padding between elements",
}
PADDINGS = [((3,), [(0, 0, 0)]), ((3,), [(1, 2, 0)]), ((3,), [(-1, 2, 1)]),
            ((3,), [(2, -3, 2)]), ((0,), [(2, 1, 3)]), ((4,), [(-2, -2, 0)]),
            ((2, 3), [(1, 0, 1), (-1, 1, 2)]), ((2, 1, 3), [(0, 1, 0), (1, 1, 5), (-1, -1, 0)])]

# Differences of these are beyond 64 bits, of which sizes are no more.
MOST = 2**63 - 1
ENDS = [((1, 1), [(-1, 0, MOST), (1, 1, 1)]), ((2, 1), [(-MOST - 1, MOST, 0), (1, 1, 0)]),
        ((2, 1), [(-MOST - 1, MOST, 1), (1, 1, 0)]), ((2,), [(-MOST, MOST, 0)]),
        ((2,), [(MOST - 2, 2 - MOST, 0)]), ((2,), [(0, -MOST + 2, MOST - 3)]),
        ((2,), [(2 - MOST, 1, MOST - 2)])]

ROWS = [
    ("C1", "a vector as value", "f32[3] ; f32[1]", "f32[5] pad(p0, p1), padding=1_1"),
    ("C1", "a tuple", "(f32[3]) ; f32[]", "f32[5] pad(p0, p1), padding=1_1"),
    ("C2", "a value of another type", "u8[3] ; s8[]", "u8[5] pad(p0, p1), padding=1_1"),
    ("C2", "a real value among complex ones", "c64[3] ; f32[]",
     "c64[5] pad(p0, p1), padding=1_1"),
    ("C3", "padding of one of two dimensions", "f32[3,3] ; f32[]",
     "f32[5,3] pad(p0, p1), padding=1_1"),
    ("C3", "padding of a scalar", "f32[] ; f32[]", "f32[] pad(p0, p1), padding=0_0"),
    ("C5", "one element too much is cut", "f32[3] ; f32[]",
     "f32[0] pad(p0, p1), padding=-1_-3"),
    ("C5", "interior padding does not suffice", "f32[2] ; f32[]",
     "f32[0] pad(p0, p1), padding=-4_0_1"),
]


STATED_REGIONS = """sum {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT c = f32[] add(a, b)
}

"""
STATED = [
    ("cropped_before_a_convolution", "a crop is no padding of the convolution behind it",
     "f32[1,1,4] 3f800000 40000000 40400000 40800000 ; f32[] 00000000 ; "
     "f32[1,1,2] 3f800000*2",
     "c = f32[1,1,3] pad(p0, p1), padding=0_0x0_0x-1_0 ; "
     "f32[1,1,3] convolution(c, p2), window={size=2 pad=1_0}, dim_labels=bf0_oi0->bf0",
     "f32[1,1,3] 40000000 40a00000 40e00000"),
    ("cropped_before_a_window",
     "a crop is no padding of the window behind it",
     "f32[4] 3f800000 40000000 40400000 40800000 ; f32[] 00000000",
     "c = f32[3] pad(p0, p1), padding=-1_0 ; f32[3] reduce-window(c, p1), window={size=2 "
     "pad=1_0}, to_apply=sum",
     "f32[3] 40000000 40a00000 40e00000"),
    ("payloads", "NaN with a payload, as element and as padding value",
     "f32[1] 7fc00001 ; f32[] 7f800002",
     "f32[3] pad(p0, p1), padding=1_1",
     "f32[3] 7f800002 7fc00001 7f800002"),
]


def cases():
    for t in movement.ALL:
        for number, (dims, padding) in enumerate(PADDINGS):
            yield one(t, dims, padding, str(number))
    for t in (types.F32, types.BY_NAME["s4"]):
        yield from movement.with_layouts("pad", t, lambda i, a, b, t=t: one(
            t, (4, 3), [(1, -1, 1), (0, 2, 0)], f"layout_{i}", a, b))
    for number, (dims, padding) in enumerate(ENDS):
        yield one(types.F32, dims, padding, f"end_{number}")
    yield from movement.random("pad", random)
    operand = movement.any_bits("pad", types.F32, (2,))
    value = movement.any_bits("pad", types.F32, ())
    program = Program("m", [operand, value]).root("f32[1]", "pad(p0, p1), padding=0_-1_-1")
    yield Case("f32/negative_interior", "interior padding is not negative", program,
               rejected("pad.C4"), ["Rejected"])
    yield from refused.cases("pad", ROWS)
    yield from (stated.case(row, nan="same", regions=STATED_REGIONS) for row in STATED)


def random(stream, t, name):
    """Edges of both signs that leave at least nothing."""
    while True:
        dims = movement.dims(stream, least=1)
        padding = [(stream.below(6) - 2, stream.below(6) - 2, stream.below(3)) for _ in dims]
        out = sizes(dims, padding)
        if min((0, *out)) == 0 and math.prod(out) <= 200:
            return one(t, dims, padding, name)


def sizes(dims, padding):
    return tuple(low + size + max(size - 1, 0) * interior + high
                 for size, (low, high, interior) in zip(dims, padding))


def one(t, dims, padding, name, source="", target=""):
    operand = movement.any_bits("pad", t, dims, name)
    value = movement.any_bits("pad", t, (), name + "value")
    out = sizes(dims, padding)

    def origin(i):
        j = []
        for x, size, (low, _, interior) in zip(i, dims, padding):
            place, gap = divmod(x - low, interior + 1)
            if gap or not 0 <= place < size:
                return None
            j.append(place)
        return tuple(j)
    result = movement.moved(operand, out, origin, value.codes[0]).with_layout(target)
    listed = "x".join("_".join(map(str, p)) for p in padding)
    attribute = f", padding={listed}"
    why = ["Interior" if any(p[2] for p in padding) else "Edge"]
    why += ["NegativeEdge"] * any(min(p[:2]) < 0 for p in padding)
    return movement.case(name, f"{list(dims)} padded by {listed or 'nothing'}",
                         [operand.with_layout(source), value],
                         f"pad(p0, p1){attribute}", result,
                         why + ["Layout" if target else "Type"])
