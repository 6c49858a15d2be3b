"""Sums of every class of values, exact reducers of every type, and argmax."""

from __future__ import annotations

from assaygen import arrays, combiners, pools, types
from assaygen.arrays import Array
from assaygen.cases import Case, bits
from assaygen.covering import sum_sets, sum_values
from assaygen.covering.pairs import rows
from assaygen.program import Program
from assaygen.streams import Stream
from covering_folds import common
from covering_folds.common import ARRANGED, ARRANGEMENTS, DEPTHS, EVERY
from ops.reduce import groups
from ops.sort import key_of

SUMMED = [t for t in types.FLOATS if t.specials != "e8m0"]
DOTTED = 16  # elements of their own in a long line


def program(inputs: list[Array], kinds, results: list[Array], reduced) -> Program:
    listed = ",".join(map(str, reduced))
    return Program("m", inputs).region(combiners.region(kinds)).root(
        combiners.shape(results), f"reduce({combiners.parameters(len(inputs))}), "
        f"dimensions={{{listed}}}, to_apply=f")


def operand_fits(row) -> bool:
    return common.fits(row["operand"], row["type"], ARRANGEMENTS[row["arrangement"]](1)[0])


def numbers_fit(row) -> bool:
    return common.fits(row["numbers"], types.S32, ARRANGEMENTS[row["arrangement"]](1)[0])


def result_fits(row) -> bool:
    dims, reduced = ARRANGEMENTS[row["arrangement"]](1)
    return common.fits(row["result"], row["type"], common.kept(dims, reduced))


RULES = [operand_fits, result_fits]


def values_fit(row) -> bool:
    return sum_values.fits(row["type"], row["values"], row["depth"])


def sum_of(t, n: int, arrangement: str, values: str, layouts, init: int, what: str) -> Case:
    dims, reduced = ARRANGEMENTS[arrangement](n)
    stream = Stream("covering", "reduce", what, t.name)
    operand = common.from_lines(t, dims, reduced,
                                lambda _, m: sum_values.CLASSES[values](t, m, stream))
    out, lines = groups(operand, reduced)
    ranges = [sum_sets.of_elements(t, [init, *line]) for line in lines]
    inputs = [common.laid(operand, layouts[0]), arrays.splat(t, (), init)]
    result = common.laid(Array(t, out, ()), layouts[1])
    return Case(f"{t.name}/reduce_add_{what}", f"{values.replace('_', ' ')}: {n} of {t.name}",
                program(inputs, [(t, "add")], [result], reduced),
                [sum_sets.expectation(t, out, ranges)], ["Values", "Depth", "Layout"])


def float_sums():
    factors = {"depth": DEPTHS, "values": list(sum_values.CLASSES), "type": SUMMED,
               "operand": EVERY, "result": EVERY, "arrangement": ARRANGED}
    for row in rows(factors, [values_fit, *RULES], "reduce add"):
        t, n = row["type"], row["depth"]
        init = t.sign_mask if row["values"] == "negative_zeros" else 0
        what = common.named(row["values"], n, row["arrangement"], row["operand"], row["result"])
        yield sum_of(t, n, row["arrangement"], row["values"], (row["operand"], row["result"]),
                     init, what)


def stalls():
    """Sums that stop growing, or overflow, where they are kept in the operand's type."""
    bf16, f16 = (types.BY_NAME[name] for name in ("bf16", "f16"))
    for t, n, code in ((bf16, 256, 0x3F80), (bf16, 257, 0x3F80), (bf16, 4096, 0x3F80),
                       (f16, 2048, 0x3C00), (f16, 4096, 0x3C00), (f16, 4375, 0x4C00),
                       (f16, 70000, 0x3C00)):
        operand = arrays.splat(t, (n,), code)
        found = sum_sets.of_elements(t, [0, *operand.codes])
        yield Case(f"{t.name}/reduce_add_stall_{n}_of_{code:04x}",
                   f"{n} equal numbers of {t.name}",
                   program([operand, arrays.splat(t, (), 0)], [(t, "add")], [Array(t, (), ())],
                           (0,)),
                   [sum_sets.expectation(t, (), [found])], ["Values", "Depth"])


def reducers(t) -> list[str]:
    """Those that give the same in every order."""
    return [name for name in dict.fromkeys(combiners.names(t))
            if name != "multiply" and (name != "add" or t.kind != "float")]


def is_reducer(row) -> bool:
    return row["reducer"] in reducers(row["type"])


def specials_and_bits(t, n: int, stream: Stream) -> list:
    """Any bits; of floats a quarter of the lines has a NaN, and another has zeros of both
    signs alone, whose order shows."""
    special = pools.specials(t)

    def code():
        found = stream.choice(special) if stream.bits(1) else arrays.random_bits(
            t, (), stream).codes[0]
        is_nan = t.kind == "float" and types.decode(t, found).is_nan
        return 0 if is_nan and n > 3 else found
    kind = stream.below(4) if t.kind == "float" and t.specials != "e8m0" else 3
    if kind == 1 and t.specials != "fnuz":
        zeros = [t.sign_mask * stream.bits(1) for _ in range(min(n, 4))]
        return common.quiet(t, n, zeros, t.sign_mask * stream.bits(1), stream)
    line = common.quiet(t, n, [code() for _ in range(min(n, DOTTED))], code(), stream)
    if kind == 0 and n and t.nan is not None:
        line[stream.choice(sum_values.places(n, 6, stream))] = t.nan
    return line


def whole_or_bits(t, n: int, stream: Stream) -> list:
    if t.kind == "complex":
        one = combiners.source(t, "add", stream)
        return common.quiet(t, n, [one() for _ in range(min(n, DOTTED))], one(), stream)
    return specials_and_bits(t, n, stream)


def exact_reducers():
    factors = {"type": common.SOME, "operand": EVERY, "result": EVERY, "depth": DEPTHS,
               "arrangement": ARRANGED, "reducer": [*combiners.INTEGER]}
    for row in rows(factors, [is_reducer, *RULES], "reduce exact"):
        yield exact(row)
    for row in common.turns(type=common.named_types("s32 u4 bf16 c64"),
                            depth=[33, 257, 8, 4097], arrangement=["rank5"],
                            operand=["nested", "packed_tiled", "permuted", "combining"],
                            result=["t8_128", "permuted", "tail"],
                            reducer=["add", "xor", "maximum", "add"]):
        yield exact(row)


def exact(row) -> Case:
    t, name, n = row["type"], row["reducer"], row["depth"]
    dims, reduced = ARRANGEMENTS[row["arrangement"]](n)
    what = common.named(name, n, row["arrangement"], row["operand"], row["result"])
    stream = Stream("covering", "reduce", t.name, what)
    operand = common.from_lines(t, dims, reduced,
                                lambda _, m: whole_or_bits(t, m, stream))
    init = combiners.identity(t, name)
    out, lines = groups(operand, reduced)
    triples = [combiners.joined(t, name, [init, *line]) for line in lines]
    inputs = [common.laid(operand, row["operand"]), arrays.splat(t, (), init)]
    return Case(f"{t.name}/reduce_{what}", f"{name} of {n} {t.name}",
                program(inputs, [(t, name)], [common.laid(Array(t, out, ()), row["result"])],
                        reduced),
                [combiners.expectation(t, out, triples)], ["Type", "Depth", "Layout"])


def arg_region(t, direction: str) -> str:
    """The first of the greatest, or of the least, keys and its number."""
    k = t.name
    return (f"f {{\n  a = {k}[] parameter(0)\n  i = s32[] parameter(1)\n"
            f"  b = {k}[] parameter(2)\n  j = s32[] parameter(3)\n"
            f"  gt = pred[] compare(b, a), direction={direction}\n"
            "  eq = pred[] compare(b, a), direction=EQ\n"
            "  lt = pred[] compare(j, i), direction=LT\n"
            "  tie = pred[] and(eq, lt)\n  take = pred[] or(gt, tie)\n"
            f"  v = {k}[] select(take, b, a)\n  k = s32[] select(take, j, i)\n"
            f"  ROOT t = ({k}[], s32[]) tuple(v, k)\n}}")


def first_best(t, codes: list, direction: str) -> int:
    """The place of the first of the best: numbers, of which zeros are equal."""
    def key(code):
        return key_of(t, 0 if t.kind == "float" and code == t.sign_mask else code)
    keys = [key(code) for code in codes]
    return keys.index((max if direction == "GT" else min)(keys))


def selections():
    """Keys with equal ones among them, and their places."""
    kinds = common.named_types("f32 bf16 f16 s8 u4 f64 s32 f8e5m2")
    factors = {"depth": DEPTHS[1:-2], "type": kinds, "operand": EVERY, "result": EVERY,
               "numbers": EVERY, "arrangement": ARRANGED, "direction": ["GT", "LT"]}
    for row in rows(factors, [numbers_fit, *RULES], "argmax"):
        yield selection(row)


def selection(row) -> Case:
    t, n, direction = row["type"], row["depth"], row["direction"]
    dims, reduced = ARRANGEMENTS[row["arrangement"]](n)
    what = common.named("argmax" if direction == "GT" else "argmin", n, row["arrangement"],
                        row["operand"], row["numbers"], row["result"])
    stream = Stream("covering", "argmax", t.name, what)
    few = [arrays.from_number(t, k) for k in (1, 2, 3)]
    keys = common.from_lines(t, dims, reduced, lambda _, m: common.quiet(
        t, m, [stream.choice(few) for _ in range(min(m, DOTTED))], few[1], stream))
    numbers = common.from_lines(types.S32, dims, reduced, lambda _, m: list(range(m)))
    worst = types.encode(t, types.values.signed("inf", -1 if direction == "GT" else 1)) if (
        t.kind == "float") else t.wrap(t.low if direction == "GT" else t.high)
    inits = [arrays.splat(t, (), worst), arrays.splat(types.S32, (), 0)]
    out, lines = groups(keys, reduced)
    best = [first_best(t, line, direction) for line in lines]
    found = [Array(t, out, tuple(line[k] for line, k in zip(lines, best))),
             Array(types.S32, out, tuple(best))]
    inputs = [common.laid(keys, row["operand"]), common.laid(numbers, row["numbers"]), *inits]
    results = [common.laid(found[0], row["result"]), found[1]]
    listed = ",".join(map(str, reduced))
    text = Program("m", inputs).region(arg_region(t, direction)).root(
        combiners.shape(results), f"reduce(p0, p1, p2, p3), dimensions={{{listed}}}, to_apply=f")
    return Case(f"{t.name}/reduce_{what}", f"the first of the best of {n}", text,
                [bits(x, "same") for x in found], ["Values", "Depth", "Layout"])


def cases():
    for part in (float_sums, stalls, exact_reducers, selections):
        yield from part()
