"""call: computations that others run (spec/ops/call.md)."""

from assaygen import pools, refused, stated, types
from assaygen.cases import without
from assaygen.programs import regions
from assaygen.movement import any_bits
from assaygen.programs.regions import Region, S32, case, scalar, shape
from assaygen.streams import Stream

WHY = stated.WHY | refused.WHY | without({
    "Type": "any bits of any element type pass unchanged: NaN payloads, subnormals, -0",
    "Shapes": "no operand, many, tuples of tuples, empty ones; operands without a use",
    "Nested": "calls of calls, of one computation from many places",
    "Composite": "a composite is what its computation says",
    **pools.LAYOUT_WHY,
}, "Shape")
COUNT = 60


def moved(op, t, extra=""):
    """The operands change places; one is not used."""
    a, b, c = (any_bits(op, t, dims, str(dims)) for dims in ((2, 3), (), (0, 2)))
    swap = Region("swap", *regions.shape_of((a, b, c, (a, ()))))
    swap.tuple("p1", "p0", "p2")
    main = Region("main", *regions.shape_of((a, b, c)))
    pair = main.tuple("p0", main.tuple())
    main.call(swap, "p0", "p1", "p2", pair, op=op, extra=extra)
    return case(f"{t.name}/swapped", f"any bits of {t.name} change places", main,
                ["Type", "Shapes"], a, b, c)


def laid_out(op, extra=""):
    for i, layout in enumerate(pools.LAYOUTS):
        x = any_bits(op, types.F32, (5, 6), str(i)).with_layout(layout)
        main = Region("main", regions.shape_of(x))
        main.call(Region("same", regions.shape_of(x)), "p0", op=op, extra=extra)
        yield case(f"f32/layout_{i}", f"an operand laid out as {layout}", main, ["Layout"], x)


def random_region(stream, name, form, count, depth, known):
    """Of count arrays: integer steps, and calls of new or known computations."""
    region = Region(name, *[form] * count)
    names = [f"p{i}" for i in range(count)]
    for k in range(1 + stream.below(3)):
        if depth and stream.bits(1):
            if known and stream.bits(1):
                callee = stream.choice(known)
            else:
                callee = random_region(stream, f"{name}_{k}", form, 1 + stream.below(3),
                                       depth - 1, known)
            operands = [stream.choice(names) for _ in callee.parameters]
            names.append(region.call(callee, *operands))
        names.append(regions.mixed(stream, region, names, 1))
    known.append(region)
    return region


def random_case(number: int):
    stream = Stream("call", number)
    t = stream.choice(types.INTS)
    dims = tuple(1 + stream.below(3) for _ in range(stream.below(3)))
    main = random_region(stream, "main", shape(t, *dims), 2, 3, [])
    return case(f"{t.name}/nested_{number:03}", f"random calls over {t.name}{list(dims)}",
                main, ["Nested"], *(regions.small(t, dims, stream) for _ in range(2)))


def chain():
    """Each computation calls the one before twice: 2^12 increments."""
    region = Region("f0", shape(S32))
    region.two("add", "p0", region.constant(S32, 1))
    for k in range(1, 13):
        inner, region = region, Region(f"f{k}", shape(S32))
        region.call(inner, region.call(inner, "p0"))
    main = Region("main", shape(S32))
    main.call(region, "p0")
    return case("s32/chain", "calls of calls, 2^12 in all", main, ["Nested"], scalar(S32, -7))


def composite():
    add = Region("add", shape(S32), shape(S32))
    add.two("add", "p0", "p1")
    main = Region("main", shape(S32), shape(S32))
    main.call(add, "p0", "p1")
    main.lines[-1] += (', is_composite=true, frontend_attributes={composite.attributes="{}",'
                       'composite.name="my.add",composite.version="1"}')
    return case("s32/composite", "a composite runs its computation", main, ["Composite"],
                scalar(S32, 40), scalar(S32, 2))


ADD = """add {
  a = f32[2] parameter(0)
  b = f32[2] parameter(1)
  ROOT s = f32[2] add(a, b)
}"""
ROWS = [
    ("C1", "an operand too few", "f32[2]", "f32[2] call(p0), to_apply=add"),
    ("C1", "an operand too much", "f32[2]", "f32[2] call(p0, p0, p0), to_apply=add"),
    ("C1", "an operand of another size", "f32[2] ; f32[3]", "f32[2] call(p0, p1), to_apply=add"),
    ("C1", "an operand of another type", "f32[2] ; bf16[2]",
     "f32[2] call(p0, p1), to_apply=add"),
    ("C1", "the operands in a tuple", "(f32[2], f32[2])", "f32[2] call(p0), to_apply=add"),
    ("C2", "a composite without a name", "f32[2]",
     'f32[2] call(p0, p0), to_apply=add, is_composite=true, '
     'frontend_attributes={composite.version="1"}'),
    ("C2", "a composite with an empty name", "f32[2]",
     'f32[2] call(p0, p0), to_apply=add, is_composite=true, '
     'frontend_attributes={composite.name=""}'),
]


STATED_REGIONS = """same {
  ROOT a = f32[3] parameter(0)
}

second {
  a = f32[1] parameter(0)
  ROOT b = f32[1] parameter(1)
}

"""
STATED = [
    ("unused", "an argument that has no use, NaN",
     "f32[1] 7fc00001 ; f32[1] 40000000",
     "f32[1] call(p0, p1), to_apply=second",
     "f32[1] 40000000"),
    ("same_bits", "a computation that returns its parameter",
     "f32[3] 7fc00001 7f800002 80000000 ; f32[3] 00000000*3",
     "f32[3] call(p0), to_apply=same",
     "f32[3] 7fc00001 7f800002 80000000"),
]


def cases():
    for t in types.ALL:
        yield moved("call", t)
    yield from laid_out("call")
    yield from map(random_case, range(COUNT))
    yield chain()
    yield composite()
    yield from refused.cases("call", ROWS, ADD)
    yield from (stated.case(row, nan="same", regions=STATED_REGIONS) for row in STATED)
