"""ragged-dot: the sum over each index from the definition, over random
dimension numbers in all three modes (spec/ops/ragged_dot.md)."""

import itertools
from fractions import Fraction

from assaygen import arrays, contractions, refused, stated, sums, types, values
from assaygen.arrays import Array
from assaygen.cases import Case, bits, interval
from assaygen.program import Program
from assaygen.streams import Stream

WHY = stated.WHY | refused.WHY | {
    "Random": "random dimension numbers, sizes and orders of dimensions",
    "Sizes": "groups that are empty, end before the dimension, reach beyond it or overlap",
    "Outer": "group sizes for each index of the dimensions outside",
    "Rounded": "sums that are rounded: any order of the terms",
    "Type": "integers wrap; complex numbers; mixed and narrow floats",
}
MODES = ("free", "contracting", "batch")
BY = types.BY_NAME


class Dot:
    """Dimension numbers: which dimension of lhs and rhs plays which part."""

    def __init__(self, stream, mode):
        self.mode = mode
        batch = stream.below(2) + (mode == "batch")
        contracting = stream.below(3) + (mode == "contracting" and 1)
        contracting = min(contracting, 2)
        free = stream.below(2) + (mode == "free")
        right = stream.below(2) + 1

        def sizes(n):
            return [1 + stream.below(4) for _ in range(n)]
        self.batch_sizes, self.contracting_sizes = sizes(batch), sizes(contracting)
        self.free_sizes, self.right_sizes = sizes(free), sizes(right)
        self.groups = 1 + stream.below(4)
        self.place(stream)

    def place(self, stream):
        """Gives each part its dimensions, in a random order."""
        left = shuffled(stream, [("b", i) for i in range(len(self.batch_sizes))]
                        + [("c", i) for i in range(len(self.contracting_sizes))]
                        + [("f", i) for i in range(len(self.free_sizes))])
        # Free dimensions stand in the order of their operand.
        left = in_order(left, "f")
        extra = [("g", 0)] if self.mode == "free" else []
        right = shuffled(stream, [("b", i) for i in range(len(self.batch_sizes))]
                         + [("c", i) for i in range(len(self.contracting_sizes))]
                         + [("r", i) for i in range(len(self.right_sizes))] + extra)
        right = in_order(right, "r")
        self.left, self.right = left, right
        kind = {"free": "f", "contracting": "c", "batch": "b"}[self.mode]
        count = sum(1 for k, _ in left if k == kind)
        self.ragged = (kind, stream.below(count))

    def size(self, part):
        kind, i = part
        return {"b": self.batch_sizes, "c": self.contracting_sizes, "f": self.free_sizes,
                "r": self.right_sizes, "g": [self.groups]}[kind][i]

    def dims(self, side):
        return tuple(self.size(part) for part in side)

    def outer(self):
        kind, which = self.ragged
        before = [(kind, i) for i in range(which)]
        batch = [("b", i) for i in range(len(self.batch_sizes))]
        return before if kind == "b" else batch + before

    def result_parts(self):
        lists = [[("g", 0)] if self.mode == "contracting" else [],
                 [("b", i) for i in range(len(self.batch_sizes))],
                 [("f", i) for i in range(len(self.free_sizes))],
                 [("r", i) for i in range(len(self.right_sizes))]]
        return [part for group in lists for part in group]

    def attributes(self):
        def where(side, kind, count):
            return "{" + ",".join(str(side.index((kind, i))) for i in range(count)) + "}"
        b, c = len(self.batch_sizes), len(self.contracting_sizes)
        words = [f"lhs_batch_dims={where(self.left, 'b', b)}" if b else "",
                 f"lhs_contracting_dims={where(self.left, 'c', c)}" if c else "",
                 f"rhs_batch_dims={where(self.right, 'b', b)}" if b else "",
                 f"rhs_contracting_dims={where(self.right, 'c', c)}" if c else "",
                 f"lhs_ragged_dims={{{self.left.index(self.ragged)}}}"]
        if self.mode == "free":
            words.append(f"rhs_group_dims={{{self.right.index(('g', 0))}}}")
        return ", ".join(word for word in words if word)


def shuffled(stream, items):
    items = list(items)
    for i in range(len(items) - 1, 0, -1):
        j = stream.below(i + 1)
        items[i], items[j] = items[j], items[i]
    return items


def in_order(items, kind):
    """The items of one kind numbered as they stand."""
    numbers = itertools.count()
    return [(k, next(numbers)) if k == kind else (k, i) for k, i in items]


def group_of(dot, sizes, index):
    """The first group that covers the ragged dimension's index, or None."""
    outer = [index[part] for part in dot.outer()] if len(sizes.dims) > 1 else []
    end = 0
    for j in range(dot.groups):
        begin, end = end, end + sizes.type.integer(sizes.at((*outer, j)))
        if begin <= index[dot.ragged] < end:
            return j
    return None


def terms(dot, lhs, rhs, sizes, index):
    """The pairs of factors of one element of the result."""
    parts = [("c", i) for i in range(len(dot.contracting_sizes))]
    for point in itertools.product(*(range(dot.size(part)) for part in parts)):
        at = index | dict(zip(parts, point))
        group = group_of(dot, sizes, at)
        if group is None or (dot.mode == "contracting" and group != at[("g", 0)]):
            continue
        if dot.mode == "free":
            at[("g", 0)] = group
        yield (lhs.at(tuple(at[part] for part in dot.left)),
               rhs.at(tuple(at[part] for part in dot.right)))


def value(t, pairs):
    """(code, low, high)."""
    if t.kind in ("pred", "int"):
        return contractions.summed((t, t, t), pairs)
    if t.kind == "complex":
        part = types.component(t)
        re, im = [], []
        for a, b in pairs:
            (p, q), (r, s) = ([types.decode(part, c).exact for c in z] for z in (a, b))
            re += [p * r, -q * s]
            im += [p * s, q * r]
        return tuple(zip(sums.codes(part, re, True), sums.codes(part, im, True)))
    return sums.codes(t, [types.decode(t, a).exact * types.decode(t, b).exact
                          for a, b in pairs], True)


def expectation(dot, t, lhs, rhs, sizes):
    parts = dot.result_parts()
    dims = tuple(dot.size(part) for part in parts)
    found = {i: value(t, list(terms(dot, lhs, rhs, sizes, dict(zip(parts, i)))))
             for i in itertools.product(*map(range, dims))}
    three = [arrays.build(t, dims, lambda i, k=k: found[i][k]) for k in range(3)]
    return three[0], bits(three[0]) if t.kind in ("pred", "int") else interval(*three)


def element(t, stream, scale):
    """Multiples of 1 / scale; without a scale zeros and ones."""
    def real(part):
        x = Fraction(stream.below(4 * scale + 1) - 2 * scale, scale)
        return types.encode(part, values.number(x))
    if t.kind in ("pred", "int"):
        return stream.bits(t.bits)
    if t.specials == "e8m0":
        return contractions.power_of_two(stream)
    if not scale:
        return contractions.source(t, t, stream)()
    if t.kind == "complex":
        return real(types.component(t)), real(types.component(t))
    return real(t)


def group_sizes(dot, stream):
    """Of the right length, too short or too long together."""
    outer = [dot.size(part) for part in dot.outer()]
    dims = (*outer, dot.groups) if stream.bits(1) else (dot.groups,)
    t = stream.choice((types.S32, BY["s64"], BY["u8"]))
    most = dot.size(dot.ragged)
    least = -2 if t.signed and stream.below(8) == 0 else 0
    return arrays.build(t, dims, lambda _: t.wrap(least + stream.below(2 + most)))


def case(name, stream, t, mode, scale, why):
    dot = Dot(stream, mode)
    lhs = arrays.build(t, dot.dims(dot.left), lambda _: element(t, stream, scale))
    rhs = arrays.build(t, dot.dims(dot.right), lambda _: element(t, stream, scale))
    sizes = group_sizes(dot, stream)
    result, expect = expectation(dot, t, lhs, rhs, sizes)
    program = Program("m", [lhs, rhs, sizes])
    program.root(result.shape, f"ragged-dot(p0, p1, p2), {dot.attributes()}")
    more = ["Outer"] if len(sizes.dims) > 1 else []
    return Case(f"{t.name}/{name}", f"a {mode} dimension is ragged", program, [expect],
                why + more)


ROWS = [
    ("C1", "the left operand is a tuple", "(f32[6,4]) ; f32[3,4,5] ; s32[3]",
     "f32[6,5] ragged-dot(p0, p1, p2), lhs_contracting_dims={1}, rhs_contracting_dims={1}, "
     "lhs_ragged_dims={0}, rhs_group_dims={0}"),
    ("C1", "paired dimensions of other sizes", "f32[6,4] ; f32[3,5,4] ; s32[3]",
     "f32[6,4] ragged-dot(p0, p1, p2), lhs_contracting_dims={1}, rhs_contracting_dims={1}, "
     "lhs_ragged_dims={0}, rhs_group_dims={0}"),
    ("C1", "a dimension is the rank", "f32[6,4] ; f32[3,4,5] ; s32[3]",
     "f32[6,5] ragged-dot(p0, p1, p2), lhs_contracting_dims={2}, rhs_contracting_dims={1}, "
     "lhs_ragged_dims={0}, rhs_group_dims={0}"),
    ("C2", "no ragged dimension", "f32[6,4] ; f32[3,4,5] ; s32[3]",
     "f32[6,5] ragged-dot(p0, p1, p2), lhs_contracting_dims={1}, rhs_contracting_dims={1}, "
     "lhs_ragged_dims={}, rhs_group_dims={0}"),
    ("C2", "the ragged dimension is the rank", "f32[6,4] ; f32[3,4,5] ; s32[3]",
     "f32[6,5] ragged-dot(p0, p1, p2), lhs_contracting_dims={1}, rhs_contracting_dims={1}, "
     "lhs_ragged_dims={2}, rhs_group_dims={0}"),
    ("C3", "a group dimension that is contracted", "f32[6,4] ; f32[3,4,5] ; s32[4]",
     "f32[6,3,5] ragged-dot(p0, p1, p2), lhs_contracting_dims={1}, rhs_contracting_dims={1}, "
     "lhs_ragged_dims={0}, rhs_group_dims={1}"),
    ("C3", "a group dimension where the contracting one is ragged",
     "f32[6,4] ; f32[4,5] ; s32[3]",
     "f32[3,6,5] ragged-dot(p0, p1, p2), lhs_contracting_dims={1}, rhs_contracting_dims={0}, "
     "lhs_ragged_dims={1}, rhs_group_dims={1}"),
    ("C4", "a matrix less than groups", "f32[6,4] ; f32[2,4,5] ; s32[3]",
     "f32[6,5] ragged-dot(p0, p1, p2), lhs_contracting_dims={1}, rhs_contracting_dims={1}, "
     "lhs_ragged_dims={0}, rhs_group_dims={0}"),
    ("C5", "sizes of pred", "f32[6,4] ; f32[3,4,5] ; pred[3]",
     "f32[6,5] ragged-dot(p0, p1, p2), lhs_contracting_dims={1}, rhs_contracting_dims={1}, "
     "lhs_ragged_dims={0}, rhs_group_dims={0}"),
    ("C5", "a scalar size", "f32[6,4] ; f32[3,4,5] ; s32[]",
     "f32[6,5] ragged-dot(p0, p1, p2), lhs_contracting_dims={1}, rhs_contracting_dims={1}, "
     "lhs_ragged_dims={0}, rhs_group_dims={0}"),
    ("C7", "complex numbers give integers", "c128[6,4] ; s32[3,4,5] ; s32[3]",
     "s32[6,5] ragged-dot(p0, p1, p2), lhs_contracting_dims={1}, rhs_contracting_dims={1}, "
     "lhs_ragged_dims={0}, rhs_group_dims={0}"),
    ("C6", "sizes of rank three", "f32[6,4] ; f32[3,4,5] ; s32[1,1,3]",
     "f32[6,5] ragged-dot(p0, p1, p2), lhs_contracting_dims={1}, rhs_contracting_dims={1}, "
     "lhs_ragged_dims={0}, rhs_group_dims={0}"),
]


STATED = [
    ("nan_in_a_group", "NaN stays in the sums of its group",
     "f32[3,1] 7fc00000 3f800000 7f800000 ; f32[2,1,1] 3f800000 40000000 ; s32[2] 00000001 "
     "00000001",
     "f32[3,1] ragged-dot(p0, p1, p2), lhs_contracting_dims={1}, rhs_contracting_dims={1}, "
     "lhs_ragged_dims={0}, rhs_group_dims={0}",
     "f32[3,1] 7fc00000 40000000 00000000"),
]


def cases():
    for i in range(216):
        stream = Stream("ragged_dot", i)
        mode = MODES[i % 3]
        t = BY["f32"] if i // 3 % 2 else types.S32
        yield case(f"{mode}_{i:03}", stream, t, mode, 4, ["Random", "Sizes"])
    for t in (BY[n] for n in ("f16", "bf16", "f64", "f8e4m3", "c64", "s8", "u64")):
        for mode in MODES:
            for i in range(2):
                stream = Stream("ragged_dot", t.name, mode, i)
                yield case(f"{mode}_type_{i}", stream, t, mode, 4, ["Type"])
    for t in types.ALL:
        for mode in MODES:
            stream = Stream("ragged_dot", "every", t.name, mode)
            scale = 0 if t.kind == "float" and t.bits <= 8 else 4
            yield case(f"{mode}_every", stream, t, mode, scale, ["Type"])
    for i in range(12):
        stream = Stream("ragged_dot", "rounded", i)
        yield case(f"{MODES[i % 3]}_rounded_{i:02}", stream, BY["f32"], MODES[i % 3],
                   3 ** 7, ["Rounded"])
    yield from refused.cases("ragged-dot", ROWS)
    yield from (stated.case(row) for row in STATED)
