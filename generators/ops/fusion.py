"""fusion: the computation that it holds (spec/ops/fusion.md)."""

from fractions import Fraction

from assaygen import arrays, pools, refused, stated, types, values
from assaygen.elements import elementwise
from assaygen.programs import regions
from assaygen.cases import Case, bits, without
from assaygen.program import Program
from assaygen.programs.regions import Region, case, shape
from assaygen.streams import Stream

from ops import call

WHY = stated.WHY | refused.WHY | without({
    "Type": "any bits of any element type pass unchanged: NaN payloads, subnormals, -0",
    "Kind": "each kind of fusion; fusions in fusions",
    "Rounded": "each fused operation rounds to its own type: no wider sums, no fused "
               "multiply-add",
    **pools.LAYOUT_WHY,
}, "Shape")
KINDS = ("kLoop", "kInput", "kOutput", "kCustom")
COUNT = 40


def moved(t):
    a, b = (arrays.random_bits(t, dims, Stream("fusion", t.name, dims))
            for dims in ((2, 3), ()))
    swap = Region("swap", *regions.shape_of((a, b)))
    swap.tuple("p1", "p0", "p0")
    main = Region("main", *regions.shape_of((a, b)))
    main.call(swap, "p0", "p1", op="fusion", extra=", kind=kLoop")
    return case(f"{t.name}/swapped", f"any bits of {t.name} change places", main, ["Type"],
                a, b)


def random_region(stream, name, form, depth):
    """All but the root has a use: each value is an operand of the next."""
    region = Region(name, form, form)
    x = region.two(stream.choice(list(regions.ARITHMETIC)), "p0", "p1")
    for k in range(1 + stream.below(3)):
        other = stream.choice(("p0", "p1"))
        if depth and stream.bits(1):
            inner = random_region(stream, f"{name}_{k}", form, depth - 1)
            x = region.call(inner, other, x, op="fusion",
                            extra=f", kind={stream.choice(KINDS)}")
        x = region.two(stream.choice(list(regions.ARITHMETIC)), x, other)
    return region


def random_case(number: int):
    stream = Stream("fusion", number)
    t = stream.choice(types.INTS)
    dims = tuple(1 + stream.below(3) for _ in range(stream.below(3)))
    form = shape(t, *dims)
    main = Region("main", form, form)
    fused = random_region(stream, "f", form, 2)
    kind = stream.choice(KINDS)
    main.call(fused, "p0", "p1", op="fusion", extra=f", kind={kind}")
    return case(f"{t.name}/random_{number:03}", f"a {kind} fusion over {t.name}{list(dims)}",
                main, ["Kind"], *(regions.small(t, dims, stream) for _ in range(2)))


def multiply_add(t):
    """a b + c: the product rounds before the sum does."""
    stream = Stream("fusion", "rounded", t.name)
    columns = [[types.encode(t, values.number(Fraction(stream.below(1 << 20) - (1 << 19), 1 << 12)))
                for _ in range(24)] for _ in range(3)]
    multiply = elementwise.lift(values.multiply)
    add = elementwise.lift(values.add)
    expected = [add(t, multiply(t, a, b), c) for a, b, c in zip(*columns)]
    inputs = [arrays.of(t, x) for x in columns]
    s = inputs[0].shape
    region = (f"f {{\n  a = {s} parameter(0)\n  b = {s} parameter(1)\n"
              f"  c = {s} parameter(2)\n  m = {s} multiply(a, b)\n  ROOT r = {s} add(m, c)\n}}")
    program = Program("m", inputs).region(region)
    program.root(s, "fusion(p0, p1, p2), kind=kLoop, calls=f")
    return Case(f"{t.name}/multiply_add", f"a product and a sum of {t.name}, each rounded",
                program, [bits(arrays.of(t, expected))], ["Rounded"])


ROWS = [
    ("C1", "an operand too few", "f32[2]", "f32[2] fusion(p0), kind=kLoop, calls=add"),
    ("C1", "an operand too much", "f32[2]",
     "f32[2] fusion(p0, p0, p0), kind=kInput, calls=add"),
    ("C1", "an operand of another size", "f32[2] ; f32[3]",
     "f32[2] fusion(p0, p1), kind=kOutput, calls=add"),
    ("C1", "an operand of another type", "f32[2] ; f16[2]",
     "f32[2] fusion(p0, p1), kind=kCustom, calls=add"),
]


STATED_REGIONS = """same {
  ROOT a = f32[3] parameter(0)
}

"""
STATED = [
    ("same_bits", "a computation that returns its parameter",
     "f32[3] 7fc00001 7f800002 80000000",
     "f32[3] fusion(p0), kind=kLoop, calls=same",
     "f32[3] 7fc00001 7f800002 80000000"),
]


def cases():
    for t in types.ALL:
        yield moved(t)
    yield from call.laid_out("fusion", ", kind=kLoop")
    yield from map(random_case, range(COUNT))
    for name in ("f32", "f64", "f16", "bf16"):
        yield multiply_add(types.BY_NAME[name])
    yield from refused.cases("fusion", ROWS, call.ADD)
    yield from (stated.case(row, nan="same", regions=STATED_REGIONS) for row in STATED)
