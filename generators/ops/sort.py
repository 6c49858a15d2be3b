"""sort: directions, stability, several operands (spec/ops/sort.md)."""

from assaygen import arrays, movement, pools, refused, types, values
from assaygen.arrays import Array
from assaygen.cases import Case, bits
from assaygen.program import Program
from assaygen.streams import Stream

WHY = refused.WHY | {
    "Order": "each dimension, ascending and descending",
    "TotalOrder": "NaNs, infinities and both zeros by total order",
    "Stable": "equal keys keep their order",
    "Complex": "by the real parts, which a comparator of complex numbers takes",
    "Shape": "zero-sized and unit dimensions",
    "TwoKeys": "by a second operand where the first has equal numbers, as both zeros are",
    "Random": "shapes, dimensions, types and operands drawn at random, equal keys "
              "among them",
}
COUNT = 100


def total_key(t, code):
    magnitude = code & ~t.sign_mask
    if t.specials == "fnuz" and code == t.sign_mask:
        return -(1 << 70)
    return -magnitude - (t.specials != "fnuz") if code & t.sign_mask else magnitude


def key_of(t, code):
    if t.kind == "int":
        return t.integer(code)
    if t.kind == "pred" or t.specials == "e8m0":
        return code
    return total_key(t, code)


def region(t, direction, pairs):
    lines = []
    for k, kind in enumerate(pairs):
        lines += [f"  a{k} = {kind}[] parameter({2 * k})",
                  f"  b{k} = {kind}[] parameter({2 * k + 1})"]
    total = ", type=TOTALORDER" if t.kind == "float" else ""
    lines.append(f"  ROOT c = pred[] compare(a0, b0), direction={direction}{total}")
    return "f {\n" + "\n".join(lines) + "\n}"


def lines_along(dims, d):
    """For each line of the array along d, the positions of its elements."""
    table: dict = {}
    for index in Array(types.PRED, dims, ()).indices():
        table.setdefault(index[:d] + index[d + 1:], []).append(index)
    return table.values()


def order(keys, dims, d, descending):
    """Source index of each index after a stable sort along d."""
    source = {}
    for line in lines_along(dims, d):
        ranked = sorted(line, key=lambda i: -keys[i] if descending else keys[i])
        source.update(zip(line, ranked))
    return source


def one(t, dims, d, direction, extra, name, why):
    stream = Stream("sort", t.name, dims, d, direction, name)
    if name == "ties" or name.startswith("random") and stream.bits(1):
        operand = arrays.build(t, dims, lambda _: arrays.from_number(t, stream.below(3)))
    else:
        operand = arrays.random_bits(t, dims, stream)
    inputs = [operand]
    if extra:
        inputs.append(arrays.build(types.S32, dims, lambda i: operand.position(i)))
    for k in range(extra - 1):
        inputs.append(movement.any_bits("sort", stream.choice(types.ALL), dims, f"{name}{k}"))
    keys = {i: key_of(t, operand.at(i)) for i in operand.indices()}
    source = order(keys, dims, d, direction == "GT")
    results = [arrays.build(x.type, dims, lambda i, x=x: x.at(source[i])) for x in inputs]
    shapes = [x.shape for x in results]
    shape = shapes[0] if len(shapes) == 1 else "(" + ", ".join(shapes) + ")"
    operands = ", ".join(f"p{k}" for k in range(len(inputs)))
    # Equal keys of one operand have equal bits: any sort gives the same.
    stable = "" if name.startswith("random") and not extra else ", is_stable=true"
    program = (Program("m", inputs).region(region(t, direction, [x.type.name for x in inputs]))
               .root(shape, f"sort({operands}), dimensions={{{d}}}{stable}, to_apply=f"))
    return Case(f"{t.name}/{name}", f"{direction} along dimension {d} of {list(dims)}",
                program, [bits(x, "same") for x in results], why)


def random(number):
    """Up to three operands; those behind the second are of any type."""
    stream = Stream("sort", "random", number)
    t = stream.choice([x for x in types.ALL if x.kind != "complex"])
    dims = movement.dims(stream, least=1)
    return one(t, dims, stream.below(len(dims)), stream.choice(("LT", "GT")),
               stream.below(3), f"random_{number:02}", ["Random", "Stable"])


def complex_case(t, number):
    """Equal real parts keep the order of their numbers."""
    part, stream = types.component(t), Stream("sort", t.name, number)
    operand = arrays.build(t, (11, 2), lambda _: (
        arrays.from_number(part, stream.below(4)), stream.bits(part.bits)))
    order_ = arrays.build(types.S32, (11, 2), lambda i: operand.position(i))
    keys = {i: total_key(part, operand.at(i)[0]) for i in operand.indices()}
    source = order(keys, (11, 2), 0, False)
    results = [arrays.build(x.type, x.dims, lambda i, x=x: x.at(source[i]))
               for x in (operand, order_)]
    region_ = (f"f {{\n  a = {t.name}[] parameter(0)\n  b = {t.name}[] parameter(1)\n"
               "  i = s32[] parameter(2)\n  j = s32[] parameter(3)\n"
               f"  x = {part.name}[] real(a)\n  y = {part.name}[] real(b)\n"
               "  ROOT c = pred[] compare(x, y), direction=LT\n}")
    program = Program("m", [operand, order_]).region(region_)
    program.root(f"({operand.shape}, {order_.shape})",
                 "sort(p0, p1), dimensions={0}, is_stable=true, to_apply=f")
    return Case(f"{t.name}/by_real_part_{number}", "complex numbers by their real parts",
                program, [bits(x, "same") for x in results], ["Complex", "Stable"])


def lexicographic(kinds, second):
    """a before b: less in the first operand, or equal there and before b in the second."""
    lines = [f"  {x}{k} = {kind}[] parameter({2 * k + side})"
             for k, kind in enumerate(kinds) for side, x in enumerate("ab")]
    lines += ["  less = pred[] compare(a0, b0), direction=LT",
              "  same = pred[] compare(a0, b0), direction=EQ",
              f"  next = pred[] compare(a1, b1), direction={second}",
              "  both = pred[] and(same, next)",
              "  ROOT c = pred[] or(less, both)"]
    return "f {\n" + "\n".join(lines) + "\n}"


def two_keys(t, u, dims, d, second, stable):
    """Few different numbers in both keys. Where it is stable a third operand tells rows that
    are equal in both apart, and a zero may have either sign; else equal rows have equal bits."""
    stream = Stream("sort", "two_keys", t.name, u.name, dims, second)
    first = arrays.build(t, dims, lambda _: arrays.from_number(t, stream.below(3)))
    if stable and t.kind == "float":
        first = arrays.build(t, dims, lambda i: first.at(i) or stream.bits(1) * t.sign_mask)
    inputs = [first, arrays.build(u, dims, lambda _: arrays.from_number(u, stream.below(3)))]
    if stable:
        inputs.append(arrays.build(types.S32, dims, first.position))
    keys = {}
    for i in first.indices():
        a, b = (types.decode(x.type, x.at(i)).exact if x.type.kind == "float" else
                x.type.integer(x.at(i)) for x in inputs[:2])
        keys[i] = (a, b if second == "LT" else -b)
    source = {}
    for line in lines_along(dims, d):
        source.update(zip(line, sorted(line, key=keys.get)))
    results = [arrays.build(x.type, dims, lambda i, x=x: x.at(source[i])) for x in inputs]
    shape = ", ".join(x.shape for x in results)
    operands = ", ".join(f"p{k}" for k in range(len(inputs)))
    program = Program("m", inputs).region(lexicographic([x.type.name for x in inputs], second))
    program.root(f"({shape})", f"sort({operands}), dimensions={{{d}}}, "
                 f"is_stable={str(stable).lower()}, to_apply=f")
    name = f"two_keys_{u.name}_{second.lower()}_" + ("stable" if stable else "unstable")
    return Case(f"{t.name}/{name}", f"by two operands along dimension {d} of {list(dims)}",
                program, [bits(x, "same") for x in results],
                ["TwoKeys"] + ["Stable"] * stable)


REGIONS = """less {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT r = pred[] compare(a, b), direction=LT
}

less_two {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  c = s32[] parameter(2)
  d = s32[] parameter(3)
  ROOT r = pred[] compare(a, b), direction=LT
}

difference {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT r = f32[] subtract(a, b)
}

pair {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  c = pred[] compare(a, b), direction=LT
  ROOT r = (pred[]) tuple(c)
}"""
ROWS = [
    ("C1", "operands of other sizes", "f32[3] ; s32[2]",
     "(f32[3], s32[2]) sort(p0, p1), dimensions={0}, to_apply=less_two"),
    ("C1", "an operand is a tuple", "(f32[3])",
     "f32[3] sort(p0), dimensions={0}, to_apply=less"),
    ("C2", "the dimension is the rank", "f32[3,2]",
     "f32[3,2] sort(p0), dimensions={2}, to_apply=less"),
    ("C2", "two dimensions", "f32[3,2]", "f32[3,2] sort(p0), dimensions={0,1}, to_apply=less"),
    ("C3", "the comparator takes two scalars for two operands", "f32[3] ; s32[3]",
     "(f32[3], s32[3]) sort(p0, p1), dimensions={0}, to_apply=less"),
    ("C3", "the comparator takes another type", "s32[3]",
     "s32[3] sort(p0), dimensions={0}, to_apply=less"),
    ("C4", "the comparator returns a difference", "f32[3]",
     "f32[3] sort(p0), dimensions={0}, to_apply=difference"),
    ("C4", "the comparator returns a tuple", "f32[3]",
     "f32[3] sort(p0), dimensions={0}, to_apply=pair"),
]


def cases():
    for t in [types.PRED, *types.INTS, *types.FLOATS]:
        kind = "TotalOrder" if t.kind == "float" else "Order"
        yield one(t, (17,), 0, "LT", False, "ascending", [kind])
        yield one(t, (3, 9), 1, "GT", True, "descending", [kind, "Stable"])
        yield one(t, (9, 2), 0, "LT", True, "ties", ["Stable"])
    for t in types.COMPLEX:
        yield from (complex_case(t, number) for number in range(3))
    for stable in (True, False):
        yield two_keys(types.F32, types.S32, (17,), 0, "GT", stable)
        yield two_keys(types.S32, types.F32, (3, 9), 1, "LT", stable)
        yield two_keys(types.BY_NAME["bf16"], types.BY_NAME["u8"], (9, 2), 0, "LT", stable)
    yield from map(random, range(COUNT))
    yield one(types.F32, (0,), 0, "LT", False, "empty", ["Shape"])
    yield one(types.F32, (2, 1, 3), 1, "LT", False, "unit", ["Shape"])
    yield one(types.F32, (300,), 0, "LT", True, "long", ["Order"])
    yield from refused.cases("sort", ROWS, REGIONS)
