"""convolution: windows, groups and labels (spec/ops/convolution.md)."""

import itertools

from assaygen import arrays, sums, types
from assaygen.arrays import Array
from assaygen.cases import Case, bits, interval
from assaygen.program import Program
from assaygen.streams import Stream

WHY = {
    "Window": "stride, padding, dilation and reversal",
    "Labels": "dimensions in any places",
    "Groups": "feature groups and batch groups",
    "AnyOrder": "a sum whose every order is admissible within the proven bound",
    "ExactInEveryOrder": "all partial sums are representable: one value only",
}
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
    left, right, out_label = split(labels_of(c))
    per_group = c["features"] // c.get("groups", 1)
    lhs = arrays.build(t, arranged(left, "bf", [c["batch"], c["features"], *c["space"]]), element)
    rhs = arrays.build(t, arranged(right, "io", [per_group, c["out"], *c["size"]]), element)
    space = output_space(c)
    sizes = [c["batch"] // c.get("batch_groups", 1), c["out"], *space]
    table = {}
    for index in itertools.product(*map(range, sizes)):
        at = arranged(out_label, "bf", index)
        table[at] = pairs(c, lhs, rhs, index[0], index[1], index[2:])
    dims = arranged(out_label, "bf", sizes)
    rows = [table[i] for i in Array(t, dims, ()).indices()]
    program = Program("m", [lhs, rhs]).root(
        Array(t, dims, ()).shape, f"convolution(p0, p1){attributes(c)}")
    return Case(f"{t.name}/{tag}{number}", f"{labels_of(c)}, configuration {number}",
                program, [expectation(t, dims, rows)], why)


def expectation(t, dims, rows):
    if t.kind == "int":
        return bits(Array(t, dims, tuple(
            t.wrap(sum(t.integer(a) * t.integer(b) for a, b in row)) for row in rows)))
    triples = [sums.codes(t, [types.decode(t, a).exact * types.decode(t, b).exact
                              for a, b in row], True) for row in rows]
    return interval(*([Array(t, dims, tuple(c)) for c in zip(*triples)]
                      or [Array(t, dims, ())] * 3))


def cases():
    for t in [*types.INTS, *types.FLOATS]:
        if t.specials == "e8m0":
            continue
        for number, c in enumerate(CONFIGURATIONS):
            stream = Stream("convolution", t.name, number)
            if t.kind == "int":
                yield one(t, number, c, lambda _, s=stream, t=t: s.bits(t.bits),
                          ["Window", "Labels", "Groups"], "")
            elif t.bits >= 8:
                one_ = (t.bias - 2) << t.mantissa
                yield one(t, number, c, lambda _, s=stream, t=t, o=one_: (
                    o + s.below(1 << t.mantissa) | (t.sign_mask if s.bits(1) else 0)),
                    ["Window", "Groups", "AnyOrder"], "")
        if t.kind == "float":
            stream = Stream("convolution", "exact", t.name)
            yield one(t, 1, CONFIGURATIONS[1], lambda _, s=stream, t=t: (
                arrays.from_number(t, s.below(2))), ["ExactInEveryOrder"], "exact_")
