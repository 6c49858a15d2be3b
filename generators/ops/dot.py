"""dot: dimension numbers, exact sums, every type (spec/ops/dot.md)."""

import itertools
import math

from assaygen import arrays, collectives, contractions, pools, refused, stated, sums, types, values
from assaygen.arrays import Array
from assaygen.cases import Case, bits, interval, rejected
from assaygen.program import Program
from assaygen.streams import Stream

WHY = stated.WHY | {
    "Numbers": "batch, contracting and free dimensions in any places",
    "AnyOrder": "a sum whose every order is admissible within the proven bound",
    "ExactInEveryOrder": "all partial sums are representable: one value only",
    "Wraps": "integer sums wrap",
    "ManyTiles": "more rows and columns than a matrix unit has",
    "Pred": "products of pred are and, their sums or",
    "NaN": "0 * inf is NaN: no term may be skipped",
    "Empty": "nothing to contract: +0",
    "Layout": "operands in other orders and tilings",
    "Rejected": "a rule of the page is violated",
    "Random": "dimension numbers, sizes, types and values drawn at random",
    **contractions.WHY,
}
COUNT = 200
# lhs dims, rhs dims, lhs batch, rhs batch, lhs contracting, rhs contracting
NUMBERS = [
    ((3, 4), (4, 2), [], [], [1], [0]),
    ((4, 3), (2, 4), [], [], [0], [1]),
    ((5,), (5,), [], [], [0], [0]),
    ((2, 3, 4), (2, 4, 3), [0], [0], [2], [1]),
    ((2, 3), (4,), [], [], [], []),
    ((3, 2, 4), (4, 3, 2), [0], [1], [2, 1], [0, 2]),
    ((2, 0), (0, 3), [], [], [1], [0]),
    ((0, 2), (2, 3), [], [], [1], [0]),
    ((2, 3, 2, 2), (3, 2, 2, 2), [1, 0], [0, 2], [3], [1]),
]
def terms(numbers, lhs, rhs):
    """Result dimensions and, for each element, its pairs of codes."""
    left, right, lb, rb, lc, rc = numbers
    lf = [d for d in range(len(left)) if d not in lb + lc]
    rf = [d for d in range(len(right)) if d not in rb + rc]
    out = tuple([left[d] for d in lb] + [left[d] for d in lf] + [right[d] for d in rf])
    rows = []
    for index in itertools.product(*map(range, out)):
        batch, rest = index[:len(lb)], index[len(lb):]
        at_l = dict(zip(lb + lf, batch + rest[:len(lf)]))
        at_r = dict(zip(rb + rf, batch + rest[len(lf):]))
        row = []
        for k in itertools.product(*(range(left[d]) for d in lc)):
            i = at_l | dict(zip(lc, k))
            j = at_r | dict(zip(rc, k))
            row.append((lhs.at([i[d] for d in range(len(left))]),
                        rhs.at([j[d] for d in range(len(right))])))
        rows.append(row)
    return out, rows


def attributes(numbers):
    names = ["lhs_batch_dims", "rhs_batch_dims", "lhs_contracting_dims",
             "rhs_contracting_dims"]
    return "".join(f", {name}={{{','.join(map(str, dims))}}}"
                   for name, dims in zip(names, numbers[2:]) if dims)


def program(inputs, t, out, numbers):
    shape = Array(t, out, ()).shape
    return Program("m", inputs).root(shape, f"dot(p0, p1){attributes(numbers)}")


def float_case(t, what, numbers, lhs, rhs, why):
    out, rows = terms(numbers, lhs, rhs)
    triples = [sums.codes(t, [types.decode(t, a).exact * types.decode(t, b).exact
                              for a, b in row], True) for row in rows]
    sets = [Array(t, out, tuple(c)) for c in zip(*triples)] or [Array(t, out, ())] * 3
    return Case(f"{t.name}/{what}", f"dot of {list(lhs.dims)} and {list(rhs.dims)}",
                program([lhs, rhs], t, out, numbers), [interval(*sets)], [why])


def floats():
    for t in types.FLOATS:
        stream = Stream("dot", t.name)
        if t.specials == "e8m0":
            yield from powers_of_two(t, stream)
            continue
        bit = lambda _, s=stream, t=t: arrays.from_number(t, s.below(2))
        small = NUMBERS[0]
        yield float_case(t, "exact", small, arrays.build(t, small[0], bit),
                         arrays.build(t, small[1], bit), "ExactInEveryOrder")
        if t.bits < 8:
            continue
        one = (t.bias - 2) << t.mantissa

        def near_one(_, s=stream, t=t, one=one):
            return one + s.below(1 << t.mantissa) | (t.sign_mask if s.bits(1) else 0)
        for number, numbers in enumerate(NUMBERS):
            yield float_case(t, f"numbers_{number}", numbers,
                             arrays.build(t, numbers[0], near_one),
                             arrays.build(t, numbers[1], near_one),
                             "Empty" if 0 in numbers[0] else "AnyOrder")


def ends_of_ranges():
    """Elements of one product each, and sums of several."""
    for t in (x for x in contractions.FLOATS if x.bits >= 8):
        for name, why, left, right in contractions.ends(t, Stream("dot", "ends", t.name)):
            for kind, numbers in (("products", NUMBERS[4]), ("sums", NUMBERS[3])):
                yield float_case(t, f"{name}_{kind}", numbers,
                                 arrays.build(t, numbers[0], left),
                                 arrays.build(t, numbers[1], right), why)


def powers_of_two(t, stream):
    """One product for each element, and sums of several; without any it is NaN."""
    numbers = [((3, 1), (1, 4), [], [], [1], [0]), *NUMBERS]
    for number, (left, right, *rest) in enumerate(numbers):
        lhs, rhs = (arrays.build(t, dims, lambda _: contractions.power_of_two(stream))
                    for dims in (left, right))
        if 0 in left + right:
            continue
        yield float_case(t, f"numbers_{number}", numbers[number], lhs, rhs, "AnyOrder")
        wide = contractions.expectation((t, t, types.F32), *terms(numbers[number], lhs, rhs))
        out = terms(numbers[number], lhs, rhs)[0]
        yield Case(f"f32/of_{t.name}_{number}", f"dot of {list(left)} and {list(right)}",
                   program([lhs, rhs], types.F32, out, numbers[number]), [wide], ["Mixed"])


def truth_values():
    for number, numbers in enumerate(NUMBERS):
        stream = Stream("dot", "pred", number)
        lhs, rhs = (arrays.build(types.PRED, d, lambda _: int(stream.below(3) > 0))
                    for d in numbers[:2])
        out, rows = terms(numbers, lhs, rhs)
        expect = contractions.expectation((types.PRED,) * 3, out, rows)
        yield Case(f"pred/numbers_{number}", f"dot of {list(lhs.dims)} and {list(rhs.dims)}",
                   program([lhs, rhs], types.PRED, out, numbers), [expect], ["Pred", "Numbers"])


def integers():
    for t in types.INTS:
        for number, numbers in enumerate(NUMBERS):
            stream = Stream("dot", t.name, number)
            lhs, rhs = (arrays.random_bits(t, d, stream) for d in numbers[:2])
            out, rows = terms(numbers, lhs, rhs)
            codes = tuple(t.wrap(sum(t.integer(a) * t.integer(b) for a, b in row))
                          for row in rows)
            yield Case(f"{t.name}/numbers_{number}",
                       f"dot of {list(lhs.dims)} and {list(rhs.dims)}",
                       program([lhs, rhs], t, out, numbers), [bits(Array(t, out, codes))],
                       ["Wraps", "Numbers"])


def many_tiles():
    """200 rows and 250 columns; element [i, j] is 16 i j, which every order gives."""
    rows, columns = range(1, 200, 27), range(60, 250, 17)
    for name, result in (("bf16", types.F32), ("f32", types.F32), ("s32", types.BY_NAME["s32"])):
        codes = tuple(types.encode(result, values.number(16 * i * j))
                      if result.kind != "int" else 16 * i * j for i in rows for j in columns)
        lines = Program("m", [])
        lines.line(f"x = {name}[200,16] iota(), iota_dimension=0")
        lines.line(f"y = {name}[16,250] iota(), iota_dimension=1")
        lines.line(f"d = {result.name}[200,250] dot(x, y), lhs_contracting_dims={{1}}, "
                   "rhs_contracting_dims={0}")
        dims = (len(rows), len(columns))
        lines.root(f"{result.name}[{dims[0]},{dims[1]}]",
                   "slice(d), slice={[1:200:27], [60:250:17]}")
        yield Case(f"{name}/many_tiles", "a product of 200 rows and 250 columns", lines,
                   [bits(Array(result, dims, codes))], ["ManyTiles"])


def specials():
    for t in (x for x in types.FLOATS if x.specials == "ieee"):
        one, inf = t.bias << t.mantissa, t.max_finite + 1
        minus = t.sign_mask
        lhs = Array(t, (4, 3), (one, inf, one, 0, inf, one, t.nan, 0, 0,
                                minus, minus, minus))
        rhs = Array(t, (3,), (one, 0, one))
        # 1*1 + inf*0 is NaN; 0 + inf*0 is NaN; NaN stays; -0 products give +0.
        expect = Array(t, (4,), (t.nan, t.nan, t.nan, 0))
        numbers = ((4, 3), (3,), [], [], [1], [0])
        yield Case(f"{t.name}/specials", "infinity times zero, and products of -0",
                   program([lhs, rhs], t, (4,), numbers), [bits(expect)], ["NaN"])


def layouts():
    for i, layout in enumerate(pools.LAYOUTS):
        stream = Stream("dot", "layout", i)
        t = types.F32
        lhs, rhs = (arrays.build(t, d, lambda _, s=stream: 0x3F800000 + s.below(1 << 23))
                    for d in ((5, 6), (6, 5)))
        other = pools.LAYOUTS[(i + 2) % len(pools.LAYOUTS)]
        numbers = ((5, 6), (6, 5), [], [], [1], [0])
        yield float_case(t, f"layout_{i}", numbers, lhs.with_layout(layout),
                         rhs.with_layout(other), "Layout")


def side(stream, batch, contracted):
    """The dimensions of an operand, and where those stand that both have."""
    free = [1 + stream.below(4) for _ in range(stream.below(3))]
    order = collectives.shuffled(stream, [
        *(("b", k, n) for k, n in enumerate(batch)),
        *(("c", k, n) for k, n in enumerate(contracted)), *(("f", 0, n) for n in free)])
    at = {name[:2]: place for place, name in enumerate(order)}
    return (tuple(n for *_, n in order), [at["b", k] for k in range(len(batch))],
            [at["c", k] for k in range(len(contracted))])


def draw(stream):
    """Dimension numbers with few products."""
    while True:
        batch = [1 + stream.below(3) for _ in range(stream.below(3))]
        contracted = [1 + stream.below(4) for _ in range(stream.below(3))]
        if contracted and stream.below(24) == 0:
            contracted[0] = 0
        left, lb, lc = side(stream, batch, contracted)
        right, rb, rc = side(stream, batch, contracted)
        free = math.prod(left) * math.prod(right) // max(math.prod(batch), 1)
        if free <= 150 and max(map(math.prod, (left, right))) <= 40:
            return left, right, lb, rb, lc, rc


def random(number):
    stream = Stream("dot", "random", number)
    kinds, numbers = contractions.draw_types(stream), draw(stream)
    lhs, rhs = (contractions.drawn(t, kinds[2], dims, stream)
                for t, dims in zip(kinds, numbers[:2]))
    out, rows = terms(numbers, lhs, rhs)
    expect = contractions.expectation(kinds, out, rows)
    names = " x ".join(t.name for t in kinds[:2])
    return Case(f"{kinds[2].name}/random_{number:03}",
                f"dot of {list(lhs.dims)} and {list(rhs.dims)}, {names}",
                program([lhs, rhs], kinds[2], out, numbers), [expect],
                ["Random", *contractions.reasons(kinds, expect)])


ROWS = [
    ("C1", "the right operand is a tuple", "f32[2] ; (f32[2])",
     "f32[] dot(p0, p1), lhs_contracting_dims={0}, rhs_contracting_dims={0}"),
    ("C2", "the right dimension is the rank", "f32[2,3] ; f32[3,2]",
     "f32[2,2] dot(p0, p1), lhs_contracting_dims={1}, rhs_contracting_dims={2}"),
    ("C2", "a negative batch dimension", "f32[2,3] ; f32[2,3]",
     "f32[2] dot(p0, p1), lhs_batch_dims={-1}, rhs_batch_dims={0}, lhs_contracting_dims={1}, "
     "rhs_contracting_dims={1}"),
    ("C3", "one contracting dimension twice", "f32[2,2] ; f32[2,2]",
     "f32[] dot(p0, p1), lhs_contracting_dims={1,1}, rhs_contracting_dims={0,1}"),
    ("C3", "a batch dimension is contracted", "f32[2,2] ; f32[2,2]",
     "f32[2] dot(p0, p1), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={1}, "
     "rhs_contracting_dims={0}"),
    ("C4", "a real result of complex operands", "c64[2] ; c64[2]",
     "f64[] dot(p0, p1), lhs_contracting_dims={0}, rhs_contracting_dims={0}"),
    ("C5", "two contracting dimensions and one", "s8[2,3] ; s8[2,3]",
     "s32[3] dot(p0, p1), lhs_contracting_dims={0,1}, rhs_contracting_dims={0}"),
    ("C6", "a batch dimension on the right only", "f32[2,3] ; f32[2,3]",
     "f32[2,2] dot(p0, p1), rhs_batch_dims={0}, lhs_contracting_dims={1}, "
     "rhs_contracting_dims={1}"),
    ("C8", "batches of other sizes", "f32[2,3] ; f32[1,3]",
     "f32[2] dot(p0, p1), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={1}, "
     "rhs_contracting_dims={1}"),
]


STATED = [
    ("opposite_infinities", "infinities of both signs are added",
     "f32[2] 7f800000 ff800000 ; f32[2] 3f800000*2",
     "f32[] dot(p0, p1), lhs_contracting_dims={0}, rhs_contracting_dims={0}",
     "f32[] 7fc00000"),
    ("overflows_on_its_way",
     "2^127 + 2^127 - 2^127 is 2^127 in numbers without end",
     "f32[3] 7f000000*2 ff000000 ; f32[3] 3f800000*3",
     "f32[] dot(p0, p1), lhs_contracting_dims={0}, rhs_contracting_dims={0}",
     "f32[] 7f000000 from 7efffff7 to 7f000004 or +inf"),
    ("subnormal_product",
     "the product is 738f1b12165c0.74... smallest numbers; what rounding it loses is none",
     "f64[1] 3feea5a4c4ce865c ; f64[1] 00078a9175ed47be",
     "f64[] dot(p0, p1), lhs_contracting_dims={0}, rhs_contracting_dims={0}",
     "f64[] 000738f1b12165c1 from 000738f1b12165c0 to 000738f1b12165c1"),
    ("infinite_parts", "infinities of complex numbers are not recovered",
     "c64[1] 7f800000:3f800000 ; c64[1] 00000000:3f800000",
     "c64[] dot(p0, p1), lhs_contracting_dims={0}, rhs_contracting_dims={0}",
     "c64[] 7fc00000:7f800000"),
    ("infinite_imaginary_part", "(1 + inf i)(2 + 3i) is 2 - inf and 3 + inf",
     "c64[1] 3f800000:7f800000 ; c64[1] 40000000:40400000",
     "c64[] dot(p0, p1), lhs_contracting_dims={0}, rhs_contracting_dims={0}",
     "c64[] ff800000:7f800000"),
]


def cases():
    yield from floats()
    yield from ends_of_ranges()
    yield from integers()
    yield from truth_values()
    yield from many_tiles()
    yield from specials()
    yield from layouts()
    yield from map(random, range(COUNT))
    inputs = [arrays.iota(types.F32, (2, 3)), arrays.iota(types.F32, (4, 2))]
    yield Case("f32/contracted_sizes_differ", "contracted dimensions have one size",
               program(inputs, types.F32, (2, 2), ((2, 3), (4, 2), [], [], [1], [0])),
               rejected("dot.C7"), ["Rejected"])
    yield from refused.cases("dot", ROWS)
    yield from (stated.case(row) for row in STATED)
