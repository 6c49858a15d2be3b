"""Dots with ragged dimensions and dots with scales, over arrays in every class of layouts."""

from __future__ import annotations

import itertools
from functools import lru_cache

from assaygen import arrays, values
from assaygen.arrays import Array
from assaygen.cases import Case, interval
from assaygen.covering.pairs import rows
from assaygen.program import Program
from assaygen.streams import Stream
from covering_folds import common
from covering_folds.common import EVERY, named_types
from covering_linear.transforms import laid_again
from ops import ragged_dot, scaled_dot

KINDS = [t for t in common.SOME if t.specials != "e8m0"]
DEPTHS = [1, 3, 8, 33, 257]
FORMATS = [tuple(named_types(" ".join(names))) for names in scaled_dot.FORMATS] + [
    tuple(named_types("f4e2m1fn f8e8m0fnu f32")), tuple(named_types("f8e5m2 f8e8m0fnu f16"))]
BLOCKS = [1, 2, 8, 32, 64, 256, 288]


def drawn(row) -> ragged_dot.Dot:
    """Without its depth: layouts ask for the number of dimensions only."""
    return numbers(row["mode"], 2, row["variant"])


@lru_cache(maxsize=None)
def numbers(mode: str, depth: int, variant: int) -> ragged_dot.Dot:
    """Dimension numbers of which one is as long as told."""
    dot = ragged_dot.Dot(Stream("covering", "ragged-dot", mode, variant), mode)
    sizes = {"free": dot.free_sizes, "contracting": dot.contracting_sizes,
             "batch": dot.batch_sizes}[mode]
    if depth > 33:  # the other sizes are then small
        for others in (dot.free_sizes, dot.contracting_sizes, dot.batch_sizes, dot.right_sizes):
            others[:] = [min(n, 2) for n in others]
    sizes[dot.ragged[1]] = depth
    return dot


def left_fits(row) -> bool:
    return common.fits(row["left"], row["type"], drawn(row).dims(drawn(row).left))


def right_fits(row) -> bool:
    return common.fits(row["right"], row["type"], drawn(row).dims(drawn(row).right))


def result_fits(row) -> bool:
    return common.fits(row["result"], row["type"], (1,) * len(drawn(row).result_parts()))


def ragged():
    factors = {"type": KINDS, "left": EVERY, "right": EVERY, "result": EVERY,
               "depth": DEPTHS, "mode": list(ragged_dot.MODES), "variant": [0, 1, 2, 3]}
    for row in rows(factors, [left_fits, right_fits, result_fits], "ragged-dot"):
        yield ragged_case(row)
    for row in common.turns(type=common.named_types("f32 u8 s16 u2"), depth=[0, 0, 0, 65537],
                            mode=["free", "batch", "contracting", "contracting"], variant=[0, 1],
                            left=["nested", "default"], right=["permuted", "default"],
                            result=["default"]):
        yield ragged_case(row)


def ragged_case(row) -> Case:
    t, dot = row["type"], numbers(row["mode"], row["depth"], row["variant"])
    what = common.named("ragged-dot", row["mode"], row["depth"], row["variant"], row["left"],
                        row["right"], row["result"])
    stream = Stream("covering", t.name, what)
    scale = 0 if t.kind == "float" and t.bits <= 8 else 4
    one = seldom(row["depth"], stream, lambda: ragged_dot.element(t, stream, scale))
    lhs, rhs = (arrays.build(t, dot.dims(side), one) for side in (dot.left, dot.right))
    sizes = ragged_dot.group_sizes(dot, stream)
    result, expect = ragged_dot.expectation(dot, t, lhs, rhs, sizes)
    inputs = [common.laid(lhs, row["left"]), common.laid(rhs, row["right"]), sizes]
    program = Program("m", inputs).root(result.shape,
                                        f"ragged-dot(p0, p1, p2), {dot.attributes()}")
    return laid_again(Case(f"{t.name}/{what}", f"a {row['mode']} dimension of {row['depth']}",
                           program, [expect], ["Type", "Depth", "Layout"]), row["result"])


def shapes_of(row) -> scaled_dot.Shapes:
    return shapes(row["variant"], 2)


@lru_cache(maxsize=None)
def shapes(variant: int, depth: int) -> scaled_dot.Shapes:
    found = scaled_dot.Shapes(Stream("covering", "scaled-dot", variant))
    found.sizes["k"] = depth
    return found


class Form(scaled_dot.Shapes):
    """Dimensions by letters: those of the result, of both operands, and their sizes; k is
    contracted, and what both operands have is a batch."""

    def __init__(self, left: str, right: str, **sizes: int) -> None:
        self.left, self.right, self.sizes = left, right, sizes
        self.batch = "".join(name for name in left if name in right and name != "k")
        free = [name for name in left + right if name not in self.batch and name != "k"]
        self.result = self.batch + "".join(free)

    def attributes(self) -> str:
        words = []
        for side, names in (("lhs", self.left), ("rhs", self.right)):
            batch = ",".join(str(names.index(name)) for name in self.batch)
            words += [f"{side}_batch_dims={{{batch}}}"] if batch else []
            words.append(f"{side}_contracting_dims={{{names.index('k')}}}")
        return ", ".join(words)

    def expectation(self, t, operands: list) -> tuple:
        """Like that of ops/scaled_dot.py, whose operands have at most three dimensions."""
        dims, found = self.dims(self.result), []
        count = scaled_dot.roundings(t, operands)
        for index in itertools.product(*map(range, dims)):
            at, terms = dict(zip(self.result, index)), []
            for at["k"] in range(self.sizes["k"]):
                pair = (scaled_dot.scaled(operands[k], operands[k + 2], tuple(
                    at[name] for name in names)) for k, names in enumerate((self.left, self.right)))
                terms.append(values.multiply(*pair))
            found.append(scaled_dot.around(t, terms, count))
        three = [Array(t, dims, codes) for codes in zip(*found)]
        return three[0], interval(*three)


FORMS = {
    "vectors": Form("k", "k", k=33), "rank4": Form("amkb", "abkn", a=2, b=1, m=3, n=2, k=8),
    "rank5": Form("abmkc", "kcban", a=2, b=1, c=2, m=3, n=2, k=4),
    "rank6": Form("abcmkd", "dkcban", a=1, b=2, c=1, d=2, m=2, n=3, k=4),
    "page": Form("mk", "kn", m=2049, n=1, k=2), "grain": Form("mk", "nk", m=1, n=1, k=65536),
}


def seldom(depth: int, stream: Stream, one):
    """A function that draws elements; beside a long depth most are the first one."""
    first = one()
    return lambda _: one() if depth <= 8 or stream.below(16) == 0 else first


def scaled_left_fits(row) -> bool:
    return common.fits(row["left"], row["formats"][0], (1,) * len(shapes_of(row).left))


def scaled_right_fits(row) -> bool:
    return common.fits(row["right"], row["formats"][0], (1,) * len(shapes_of(row).right))


def scaled_result_fits(row) -> bool:
    return common.fits(row["result"], row["formats"][2], (1, 1, 1)[:2 + len(shapes_of(row).batch)])


def scaled():
    factors = {"left": EVERY, "right": EVERY, "result": EVERY,
               "formats": FORMATS, "depth": BLOCKS, "variant": list(range(6))}
    rules = [scaled_left_fits, scaled_right_fits, scaled_result_fits]
    for row in rows(factors, rules, "scaled-dot"):
        yield scaled_case(row)
    for row in common.turns(variant=list(FORMS), formats=[FORMATS[0], FORMATS[2], FORMATS[4]],
                            depth=[0], left=["default", "permuted", "nested", "combining"],
                            right=["default", "nested", "tail"], result=["default"]):
        yield scaled_case(row)


def scaled_case(row) -> Case:
    (t, scale, out), form = row["formats"], FORMS.get(row["variant"]) or shapes(
        row["variant"], row["depth"])
    depth = max(form.dims(form.left))
    what = common.named("scaled-dot", t.name, scale.name, row["depth"], row["variant"],
                        row["left"], row["right"], row["result"])
    stream = Stream("covering", out.name, what)
    operands, few = [], out.name == "f16" and (row["depth"] or depth) > 33  # which ends at 65504
    for kind in (t, scale):
        one = seldom(row["depth"] or depth, stream,
                     lambda kind=kind: scaled_dot.element(kind, stream, few))
        for names in (form.left, form.right):
            dims = form.dims(names)
            operands.append(arrays.build(kind, dims if kind is t else scaled_dot.multiple(
                dims, stream), one))
    result, expect = (form.expectation(out, operands) if isinstance(form, Form)
                      else scaled_dot.expectation(form, out, operands))
    names = [row["left"], row["right"], row["right"], row["left"]]
    for k in (2, 3):  # scales lie as the other operand where they can
        names[k] = names[k] if common.fits(names[k], scale, operands[k].dims) else "default"
    inputs = [common.laid(x, name) for x, name in zip(operands, names)]
    program = Program("m", inputs).root(
        result.shape, f"scaled-dot(p0, p1, p2, p3), {form.attributes()}")
    return laid_again(Case(f"{out.name}/{what}", f"{t.name} with scales of {scale.name}", program,
                           [expect], ["Type", "Depth", "Layout"]), row["result"])


def cases():
    for part in (ragged, scaled):
        yield from part()
