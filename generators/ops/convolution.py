"""convolution: windows, groups and labels (spec/ops/convolution.md)."""

import itertools
import math

from assaygen import arrays, contractions, refused, stated, sums, types, windows
from assaygen.arrays import Array
from assaygen.cases import Case, bits, interval
from assaygen.program import Program
from assaygen.streams import Stream

WHY = stated.WHY | refused.WHY | {
    "Window": "stride, padding, dilation and reversal",
    "Labels": "dimensions in any places",
    "Groups": "feature groups and batch groups",
    "Pred": "products of pred are and, their sums or",
    "AnyOrder": "a sum whose every order is admissible within the proven bound",
    "ExactInEveryOrder": "all partial sums are representable: one value only",
    "Random": "windows, groups, labels, types and values drawn at random",
    **contractions.WHY,
}
COUNT = 240
# Sizes in the order batch/feature/space and in/out/space; window dimensions as
# (stride, low, high, base dilation, window dilation, reversal).
PLAIN = (1, 0, 0, 1, 1, 0)
CONFIGURATIONS = [
    dict(batch=2, features=2, space=[5], out=3, size=[2], window=[PLAIN]),
    dict(batch=1, features=1, space=[6], out=1, size=[3], window=[(2, 1, 2, 1, 1, 0)]),
    dict(batch=1, features=2, space=[4], out=2, size=[2], window=[(1, 1, 0, 3, 1, 0)]),
    dict(batch=1, features=2, space=[7], out=2, size=[3], window=[(1, -1, -1, 1, 2, 1)]),
    dict(batch=2, features=2, space=[4, 3], out=2, size=[2, 2],
         window=[(1, 1, 1, 1, 1, 0), (2, 0, 1, 1, 1, 1)], labels="b01f_01io->b01f"),
    dict(batch=1, features=4, space=[3, 3], out=4, size=[2, 2], groups=2,
         window=[PLAIN, PLAIN], labels="bf01_oi01->bf01"),
    dict(batch=1, features=3, space=[4], out=3, size=[3], groups=3,
         window=[(1, 1, 1, 1, 1, 0)], labels="0fb_0io->f0b"),
    dict(batch=4, features=2, space=[3], out=4, size=[2], batch_groups=2, window=[PLAIN]),
    dict(batch=2, features=3, space=[], out=2, size=[], window=[], labels="bf_io->bf"),
    dict(batch=0, features=2, space=[3], out=2, size=[2], window=[PLAIN]),
]


def labels_of(c):
    digits = "".join(str(d) for d in range(len(c["space"])))
    return c.get("labels", f"bf{digits}_oi{digits}->bf{digits}")


def arranged(label, names, sizes):
    """Dimensions in the order of a label; names are its two letters."""
    table = dict(zip(names, sizes[:2]))
    return tuple(table[x] if x in table else sizes[2 + int(x)] for x in label)


def output_space(c):
    out = []
    for size, width, (stride, low, high, base, spread, _) in zip(
            c["space"], c["size"], c["window"]):
        padded = low + (0 if size == 0 else (size - 1) * base + 1) + high
        reach = (width - 1) * spread + 1
        out.append(0 if padded <= 0 or reach > padded else (padded - reach) // stride + 1)
    return out


def tap(o, k, size, width, window):
    """The input coordinate of output o and kernel tap k, or None."""
    stride, low, _, base, spread, _ = window
    place, gap = divmod(o * stride + k * spread - low, base)
    return None if gap or not 0 <= place < size else place


def pairs(c, lhs, rhs, b, f, place):
    """The (input, kernel) codes of one output element."""
    groups, batch_groups = c.get("groups", 1), c.get("batch_groups", 1)
    left, right, _ = split(labels_of(c))
    per_group = c["features"] // groups
    group = f // (c["out"] // groups)
    batch = b + f // (c["out"] // batch_groups) * (c["batch"] // batch_groups)
    found = []
    for taps in itertools.product(*map(range, c["size"])):
        where = [tap(o, k, s, w, win) for o, k, s, w, win in zip(
            place, taps, c["space"], c["size"], c["window"])]
        if None in where:
            continue
        kernel = [w - 1 - k if win[5] else k
                  for k, w, win in zip(taps, c["size"], c["window"])]
        for i in range(per_group):
            found.append((
                lhs.at(arranged(left, "bf", [batch, group * per_group + i, *where])),
                rhs.at(arranged(right, "io", [i, f, *kernel]))))
    return found


def split(labels):
    left, rest = labels.split("_")
    right, out = rest.split("->")
    return left, right, out


def attributes(c):
    text = ""
    if c["window"]:
        names = ["stride", "lhs_dilate", "rhs_dilate", "rhs_reversal"]
        picks = [0, 3, 4, 5]
        parts = ["size=" + "x".join(map(str, c["size"]))]
        for name, k in zip(names, picks):
            parts.append(f"{name}=" + "x".join(str(w[k]) for w in c["window"]))
        parts.append("pad=" + "x".join(f"{w[1]}_{w[2]}" for w in c["window"]))
        text += ", window={" + " ".join(parts) + "}"
    text += f", dim_labels={labels_of(c)}"
    if "groups" in c:
        text += f", feature_group_count={c['groups']}"
    if "batch_groups" in c:
        text += f", batch_group_count={c['batch_groups']}"
    return text


def one(t, number, c, element, why, tag):
    lhs, rhs = (arrays.build(t, dims, element) for dims in operand_dims(c))
    dims, rows = sums_of(c, lhs, rhs)
    program = text(c, lhs, rhs, t, dims)
    return Case(f"{t.name}/{tag}{number}", f"{labels_of(c)}, configuration {number}",
                program, [expectation(t, dims, rows)], why)


def operand_dims(c):
    left, right, _ = split(labels_of(c))
    per_group = c["features"] // c.get("groups", 1)
    return (arranged(left, "bf", [c["batch"], c["features"], *c["space"]]),
            arranged(right, "io", [per_group, c["out"], *c["size"]]))


def sums_of(c, lhs, rhs):
    """The result's dimensions, and for each element its pairs of codes."""
    space = output_space(c)
    sizes = [c["batch"] // c.get("batch_groups", 1), c["out"], *space]
    table = {}
    for index in itertools.product(*map(range, sizes)):
        at = arranged(labels_of(c).split("->")[1], "bf", index)
        table[at] = pairs(c, lhs, rhs, index[0], index[1], index[2:])
    dims = arranged(labels_of(c).split("->")[1], "bf", sizes)
    return dims, [table[i] for i in Array(types.PRED, dims, ()).indices()]


def text(c, lhs, rhs, t, dims):
    return Program("m", [lhs, rhs]).root(
        Array(t, dims, ()).shape, f"convolution(p0, p1){attributes(c)}")


def expectation(t, dims, rows):
    if t.kind == "pred":
        return contractions.expectation((t, t, t), dims, rows)
    if t.kind == "int":
        return bits(Array(t, dims, tuple(
            t.wrap(sum(t.integer(a) * t.integer(b) for a, b in row)) for row in rows)))
    triples = [sums.codes(t, [types.decode(t, a).exact * types.decode(t, b).exact
                              for a, b in row], True) for row in rows]
    return interval(*([Array(t, dims, tuple(c)) for c in zip(*triples)]
                      or [Array(t, dims, ())] * 3))


def ends_of_ranges(t):
    c = CONFIGURATIONS[4]
    for name, why, left, right in contractions.ends(t, Stream("convolution", "ends", t.name)):
        lhs, rhs = (arrays.build(t, dims, element)
                    for dims, element in zip(operand_dims(c), (left, right)))
        dims, rows = sums_of(c, lhs, rhs)
        yield Case(f"{t.name}/{name}", labels_of(c), text(c, lhs, rhs, t, dims),
                   [expectation(t, dims, rows)], [why])


def of_reversed():
    """Windows over an image that is reversed along both of its lines."""
    t, stream = types.F32, Stream("convolution", "reversed")
    c = dict(batch=1, features=2, space=[6, 5], out=3, size=[2, 2], window=[PLAIN, PLAIN],
             labels="b01f_01io->b01f")
    lhs, rhs = (arrays.build(t, dims, lambda _: arrays.from_number(t, stream.below(8)))
                for dims in operand_dims(c))
    turned = arrays.build(t, lhs.dims, lambda i: lhs.at([i[0], 5 - i[1], 4 - i[2], i[3]]))
    dims, rows = sums_of(c, turned, rhs)
    program = Program("m", [lhs, rhs])
    program.line(f"x = {lhs.shape} reverse(p0), dimensions={{1,2}}")
    program.root(Array(t, dims, ()).shape, f"convolution(x, p1){attributes(c)}")
    yield Case("f32/of_reversed", labels_of(c), program, [expectation(t, dims, rows)],
               ["ExactInEveryOrder"])


def powers_of_two(t):
    """Configurations of which each element is a sum of one product or more."""
    for number in (0, 3, 5, 7, 8):
        stream = Stream("convolution", t.name, number)
        yield one(t, number, CONFIGURATIONS[number],
                  lambda _, s=stream: contractions.power_of_two(s), ["Window", "AnyOrder"], "")


def dimension(stream):
    """A kernel size, and what stands in a window of CONFIGURATIONS."""
    width, *rest = windows.dimension(stream)
    return width, (*rest, int(stream.below(4) == 0))


def draw(stream):
    """A configuration with few products."""
    while True:
        rank = stream.choice((0, 1, 1, 2, 2, 2, 3))
        groups, batch_groups = stream.choice(((1, 1), (1, 1), (2, 1), (3, 1), (1, 2), (1, 3)))
        shape = [dimension(stream) for _ in range(rank)]
        digits = "".join(map(str, range(rank)))
        labels = [contractions.shuffled(stream, names + digits) for names in ("bf", "io", "bf")]
        c = dict(batch=batch_groups * (1 + stream.below(2)), features=groups * (1 + stream.below(2)),
                 space=[1 + stream.below(5) for _ in shape], size=[size for size, _ in shape],
                 out=groups * batch_groups * (1 + stream.below(2)), window=[w for _, w in shape],
                 labels="{}_{}->{}".format(*labels))
        c |= {"groups": groups} if groups > 1 else {}
        c |= {"batch_groups": batch_groups} if batch_groups > 1 else {}
        places = math.prod(output_space(c))
        volume = max(math.prod(dims) for dims in operand_dims(c))
        if volume <= 60 and places <= 12 and (places or stream.below(8) == 0):
            return c


def random(number):
    stream = Stream("convolution", "random", number)
    kinds, c = contractions.draw_types(stream), draw(stream)
    lhs, rhs = (contractions.drawn(t, kinds[2], dims, stream)
                for t, dims in zip(kinds, operand_dims(c)))
    dims, rows = sums_of(c, lhs, rhs)
    expect = contractions.expectation(kinds, dims, rows)
    names = " x ".join(t.name for t in kinds[:2])
    return Case(f"{kinds[2].name}/random_{number:03}", f"{labels_of(c)} of {names}",
                text(c, lhs, rhs, kinds[2], dims), [expect],
                ["Random", *contractions.reasons(kinds, expect)])


# Of shapes: lhs[batch, space, features] and kernel[space, in, out], or without space.
FORBIDDEN = [
    ("C1", "the kernel is a tuple", "f32[1,4,1] ; (f32[2,1,1])", "f32[1,3,1]",
     "window={size=2}, dim_labels=b0f_0io->b0f"),
    ("C2", "the kernel has a dimension less", "f32[1,4,1] ; f32[2,1]", "f32[1,3,1]",
     "window={size=2}, dim_labels=b0f_0io->b0f"),
    ("C2", "the input has a dimension more", "f32[1,4,1,1] ; f32[2,1,1]", "f32[1,3,1]",
     "window={size=2}, dim_labels=b0f_0io->b0f"),
    ("C3", "a window of two dimensions for one", "f32[1,4,1] ; f32[2,1,1]", "f32[1,3,1]",
     "window={size=2x1}, dim_labels=b0f_0io->b0f"),
    ("C3", "no window", "f32[1,4,1] ; f32[2,1,1]", "f32[1,3,1]", "dim_labels=b0f_0io->b0f"),
    ("C4", "a window smaller than the kernel", "f32[1,4,1] ; f32[2,1,1]", "f32[1,4,1]",
     "window={size=1}, dim_labels=b0f_0io->b0f"),
    ("C5", "no feature group", "f32[1,4,1] ; f32[2,1,1]", "f32[1,3,1]",
     "window={size=2}, dim_labels=b0f_0io->b0f, feature_group_count=0"),
    ("C5", "a negative number of batch groups", "f32[1,4,1] ; f32[2,1,1]", "f32[1,3,1]",
     "window={size=2}, dim_labels=b0f_0io->b0f, batch_group_count=-1"),
    ("C5", "groups of both kinds", "f32[2,4] ; f32[2,4]", "f32[1,4]",
     "dim_labels=bf_io->bf, feature_group_count=2, batch_group_count=2"),
    ("C6", "the kernel takes more features", "f32[1,4] ; f32[5,2]", "f32[1,2]",
     "dim_labels=bf_io->bf"),
    ("C6", "the kernel takes all features of all groups", "f32[1,4] ; f32[4,2]", "f32[1,2]",
     "dim_labels=bf_io->bf, feature_group_count=2"),
    ("C7", "five outputs of two groups", "f32[1,4] ; f32[2,5]", "f32[1,5]",
     "dim_labels=bf_io->bf, feature_group_count=2"),
    ("C8", "a batch of five in two groups", "f32[5,1] ; f32[1,2]", "f32[2,2]",
     "dim_labels=bf_io->bf, batch_group_count=2"),
    ("C9", "five outputs of two batch groups", "f32[4,1] ; f32[1,5]", "f32[2,5]",
     "dim_labels=bf_io->bf, batch_group_count=2"),
    ("C10", "a stride of 0", "f32[1,4,1] ; f32[2,1,1]", "f32[1,3,1]",
     "window={size=2 stride=0}, dim_labels=b0f_0io->b0f"),
    ("C10", "a dilation of the input of 0", "f32[1,4,1] ; f32[2,1,1]", "f32[1,3,1]",
     "window={size=2 lhs_dilate=0}, dim_labels=b0f_0io->b0f"),
    ("C10", "a negative dilation of the kernel", "f32[1,4,1] ; f32[2,1,1]", "f32[1,3,1]",
     "window={size=2 rhs_dilate=-1}, dim_labels=b0f_0io->b0f"),
    ("C10", "a kernel of no size", "f32[1,4,1] ; f32[0,1,1]", "f32[1,5,1]",
     "window={size=0}, dim_labels=b0f_0io->b0f"),
    ("C11", "padding beyond 2^60", "f32[1,4,1] ; f32[2,1,1]", "f32[1,3,1]",
     "window={size=2 pad=0_1152921504606846977}, dim_labels=b0f_0io->b0f"),
    ("C12", "a real result of complex operands", "c64[1,2] ; c64[2,1]", "f64[1,1]",
     "dim_labels=bf_io->bf"),
    ("C13", "more kept than there are", "f32[1,4] ; f32[1,1]", "f32[1,1]",
     "dim_labels=bf_io->bf, sparsity_config={rhs={sparsity=4x2 dimension=0 stride=1 idx=2}}"),
    ("C13", "no operand says which are kept", "f32[1,4] ; f32[2,1]", "f32[1,1]",
     "dim_labels=bf_io->bf, sparsity_config={rhs={sparsity=1x2 dimension=0 stride=1 idx=2}}"),
]


STATED = [
    ("padding_over_infinity", "infinite and NaN elements of the kernel meet padding only",
     "f32[1,1,1] 40400000 ; f32[1,1,3] 7f800000 40000000 7fc00000",
     "f32[1,1,1] convolution(p0, p1), window={size=3 pad=1_1}, dim_labels=bf0_oi0->bf0",
     "f32[1,1,1] 40c00000"),
    ("padding_alone", "places without any cell in the input",
     "f32[1,1,1] 40400000 ; f32[1,1,1] 40000000",
     "f32[1,1,3] convolution(p0, p1), window={size=1 pad=2_0}, dim_labels=bf0_oi0->bf0",
     "f32[1,1,3] 00000000*2 40c00000"),
    ("negative_zeros", "products that are all -0",
     "f32[1,1,2] 80000000*2 ; f32[1,1,2] 3f800000*2",
     "f32[1,1,1] convolution(p0, p1), window={size=2}, dim_labels=bf0_oi0->bf0",
     "f32[1,1,1] 00000000 from 80000000 to 00000000"),
    ("zero_times_infinity", "zeros are not skipped",
     "f32[1,1,2] 00000000 3f800000 ; f32[1,1,2] 7f800000 3f800000",
     "f32[1,1,1] convolution(p0, p1), window={size=2}, dim_labels=bf0_oi0->bf0",
     "f32[1,1,1] 7fc00000"),
]


def cases():
    yield from map(random, range(COUNT))
    yield from of_reversed()
    for t in [types.PRED, *types.INTS, *types.FLOATS]:
        if t.specials == "e8m0":
            yield from powers_of_two(t)
            continue
        for number, c in enumerate(CONFIGURATIONS):
            stream = Stream("convolution", t.name, number)
            if t.kind == "pred":
                yield one(t, number, c, lambda _, s=stream: s.bits(1), ["Pred"], "")
            elif t.kind == "int":
                yield one(t, number, c, lambda _, s=stream, t=t: s.bits(t.bits),
                          ["Window", "Labels", "Groups"], "")
            elif t.bits >= 8:
                one_ = (t.bias - 2) << t.mantissa
                yield one(t, number, c, lambda _, s=stream, t=t, o=one_: (
                    o + s.below(1 << t.mantissa) | (t.sign_mask if s.bits(1) else 0)),
                    ["Window", "Groups", "AnyOrder"], "")
        if t in contractions.FLOATS and t.bits >= 8:
            yield from ends_of_ranges(t)
        if t.kind == "float":
            stream = Stream("convolution", "exact", t.name)
            yield one(t, 1, CONFIGURATIONS[1], lambda _, s=stream, t=t: (
                arrays.from_number(t, s.below(2))), ["ExactInEveryOrder"], "exact_")
    for rule, statement, shapes, result, extra in FORBIDDEN:
        row = (rule, statement, shapes, f"{result} convolution(p0, p1), {extra}")
        yield refused.case("convolution", row)
    yield from (stated.case(row) for row in STATED)
