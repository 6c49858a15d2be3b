"""scan: steps one after the other, over random shapes and bodies
(spec/ops/scan.md)."""

import itertools
from fractions import Fraction

from assaygen import arrays, refused, stated, types, values
from assaygen.arrays import Array
from assaygen.cases import Case, bits
from assaygen.program import Program
from assaygen.streams import Stream

from ops import add

WHY = stated.WHY | refused.WHY | {
    "Random": "random shapes, dimensions, directions, numbers of inputs and carries",
    "Order": "a body that does not commute shows the order of the steps",
    "Rounded": "each step rounds",
    "Long": "more steps than any block",
    "Type": "a running sum of each type; pred: whether any was true",
    "Body": "bodies that are more than element-wise operations on scalars",
}
S32, F32 = types.S32, types.F32


def shape(t, dims) -> str:
    return Array(t, tuple(dims), ()).shape


class Body:
    """carry' = 3 carry + every input, or without carries the inputs' sum; the
    outputs are the carries before the step, then what the step adds."""

    def __init__(self, t, dims, inputs, carries, before):
        self.t, self.dims, self.inputs, self.carries = t, dims, inputs, carries
        self.before = before if carries else 0  # outputs that show the carry before

    @property
    def outputs(self) -> int:
        return self.before + 1

    def text(self, name="body") -> str:
        s = shape(self.t, self.dims)
        count = self.inputs + self.carries
        lines = [f"  a{i} = {s} parameter({i})" for i in range(count)]
        total = "a0"
        for i in range(1, self.inputs):
            lines.append(f"  t{i} = {s} add({total}, a{i})")
            total = f"t{i}"
        news = []
        for c in range(self.carries):
            old = f"a{self.inputs + c}"
            lines += [f"  d{c} = {s} add({old}, {old})", f"  e{c} = {s} add(d{c}, {old})",
                      f"  n{c} = {s} add(e{c}, {total})"]
            news.append(f"n{c}")
        outs = [f"a{self.inputs + b % self.carries}" for b in range(self.before)] + [total]
        tuple_ = ", ".join([s] * (len(outs) + len(news)))
        return (f"{name} {{\n" + "\n".join(lines) +
                f"\n  ROOT r = ({tuple_}) tuple({', '.join(outs + news)})\n}}")

    def step(self, inputs, carries):
        """Of elements: the outputs and the next carries."""
        total = sum(inputs)
        outs = [carries[b % self.carries] for b in range(self.before)] + [total]
        return outs, [3 * c + total for c in carries]


def run(body, inputs, inits, d, reverse):
    """Element by element: (outputs, carries) as maps from index to number."""
    dims = inputs[0].dims
    others = [range(n) for i, n in enumerate(dims) if i != d]
    outputs = [{} for _ in range(body.outputs)]
    last = [{} for _ in range(body.carries)]
    for rest in itertools.product(*others):
        carries = [number(init, rest) for init in inits]
        steps = range(dims[d])
        for k in reversed(steps) if reverse else steps:
            index = (*rest[:d], k, *rest[d:])
            outs, carries = body.step([number(x, index) for x in inputs], carries)
            for store, value in zip(outputs, outs):
                store[index] = value
        for store, value in zip(last, carries):
            store[rest] = value
    return outputs, last


def number(array, index):
    code = array.at(index)
    t = array.type
    return t.integer(code) if t.kind == "int" else types.decode(t, code).exact


def coded(t, dims, found):
    def code(index):
        x = found[index]
        return t.wrap(x) if t.kind == "int" else types.encode(t, values.number(x))
    return arrays.build(t, dims, code)


def case(name, body, inputs, inits, d, reverse, associative, why, statement):
    dims = inputs[0].dims
    outputs, last = run(body, inputs, inits, d, reverse)
    results = [coded(body.t, dims, x) for x in outputs]
    results += [coded(body.t, body.dims, x) for x in last]
    program = Program("m", [*inputs, *inits]).region(body.text())
    operands = ", ".join(f"p{i}" for i in range(len(inputs) + len(inits)))
    flags = ", is_reverse=true" * reverse + ", is_associative=true" * associative
    carries = f", num_carries={len(inits)}"
    program.root("(" + ", ".join(x.shape for x in results) + ")",
                 f"scan({operands}), dimensions={{{d}}}{carries}{flags}, to_apply=body")
    return Case(name, statement, program, [bits(x) for x in results], why)


def small(t, dims, stream):
    def code(_):
        x = stream.below(19) - 9
        return t.wrap(x) if t.kind == "int" else types.encode(t, values.number(x))
    return arrays.build(t, dims, code)


def random_cases():
    for i in range(224):
        stream = Stream("scan", i)
        rank = 1 + stream.below(3)
        dims = tuple(stream.choice((0, 1, 2, 3, 4, 5)) for _ in range(rank))
        d = stream.below(rank)
        # 3^5 * 9 and more: small enough to be exact in f32.
        t = S32 if i % 2 else F32
        rest = dims[:d] + dims[d + 1:]
        body = Body(t, rest, 1 + stream.below(2), stream.below(3), stream.below(3))
        inputs = [small(t, dims, stream) for _ in range(body.inputs)]
        inits = [small(t, rest, stream) for _ in range(body.carries)]
        reverse = bool(stream.bits(1))
        associative = t is S32 and stream.below(4) == 0
        yield case(f"{t.name}/random_{i:03}", body, inputs, inits, d, reverse, associative,
                   ["Random", "Order"],
                   f"{body.carries} carries along dimension {d} of {list(dims)}"
                   + ", backwards" * reverse)


def rounded_sums():
    """A running sum in f32 and bf16: each step rounds to the type."""
    for name in ("f32", "bf16", "f64"):
        t = types.BY_NAME[name]
        stream = Stream("scan", "rounded", name)
        codes = [types.encode(t, values.number(Fraction(stream.below(1 << 30) - (1 << 29), 3 ** 9)))
                 for _ in range(300)]
        x, init = arrays.of(t, codes), arrays.splat(t, (), 0)
        sums, total = [], values.ZERO
        for code in codes:
            total = types.decode(t, types.encode(t, values.add(types.decode(t, code), total)))
            sums.append(types.encode(t, total))
        text = ("body {\n  x = # parameter(0)\n  c = # parameter(1)\n  s = # add(x, c)\n"
                "  ROOT r = (#, #) tuple(s, s)\n}").replace("#", f"{name}[]")
        program = Program("m", [x, init]).region(text)
        program.root(f"({x.shape}, {init.shape})",
                     "scan(p0, p1), dimensions={0}, num_carries=1, to_apply=body")
        yield Case(f"{name}/running_sum", "each step of a running sum rounds", program,
                   [bits(arrays.of(t, sums)), bits(arrays.splat(t, (), sums[-1]))],
                   ["Rounded", "Long"])


def sums_of_types():
    """Running sums of 12 elements of every type, two lines of them backwards."""
    for t in types.ALL:
        stream = Stream("scan", "type", t.name)
        x = arrays.build(t, (12, 2), lambda _: summand(t, stream))
        init = arrays.build(t, (2,), lambda _: summand(t, stream))
        last, found = list(init.codes), {}
        for k in reversed(range(12)):
            for j in range(2):
                last[j] = found[k, j] = add.RULE(t, x.at((k, j)), last[j])
        text = ("body {\n  x = # parameter(0)\n  c = # parameter(1)\n  s = # add(x, c)\n"
                "  ROOT r = (#, #) tuple(s, s)\n}").replace("#", init.shape)
        program = Program("m", [x, init]).region(text)
        program.root(f"({x.shape}, {init.shape})", "scan(p0, p1), dimensions={0}, "
                     "num_carries=1, is_reverse=true, to_apply=body")
        yield Case(f"{t.name}/sums", f"running sums of {t.name}, backwards", program,
                   [bits(arrays.build(t, (12, 2), lambda i: found[i])),
                    bits(arrays.of(t, last))], ["Type", "Rounded"])


def summand(t, stream):
    """Any integer, or a number near 1, a quarter of them zero where there is a zero."""
    if t.kind == "complex":
        return tuple(summand(types.component(t), stream) for _ in range(2))
    if t.kind != "float":
        return stream.bits(t.bits)
    if t.specials == "e8m0":
        return 120 + stream.below(9)
    x = Fraction(stream.below(129) - 64, 64) if stream.below(4) else Fraction(0)
    return types.encode(t, values.number(x))


def converting_body():
    """A copy rounds what it converts, also where the body is element-wise."""
    t = types.BY_NAME["bf16"]
    x = Array(F32, (2, 3), (0x3F808000, 0x3F818000, 0x40400000,
                            0x3F800001, 0xBF808001, 0x41200000))
    init = arrays.splat(t, (3,), 0)
    text = ("body {\n  x = f32[3] parameter(0)\n  c = bf16[3] parameter(1)\n"
            "  y = bf16[3] copy(x)\n  s = bf16[3] add(y, c)\n"
            "  ROOT r = (bf16[3], bf16[3]) tuple(s, s)\n}")
    sums, codes = [values.number(Fraction(0))] * 3, []
    for k in range(2):
        for i in range(3):
            copied = types.decode(t, types.encode(t, types.decode(F32, x.at((k, i)))))
            codes.append(types.encode(t, values.add(copied, sums[i])))
            sums[i] = types.decode(t, codes[-1])
    program = Program("m", [x, init]).region(text).root(
        "(bf16[2,3], bf16[3])", "scan(p0, p1), dimensions={0}, num_carries=1, to_apply=body")
    yield Case("bf16/copies", "the sum of copies of a wider type", program,
               [bits(Array(t, (2, 3), tuple(codes))), bits(Array(t, (3,), tuple(codes[3:])))],
               ["Body", "Rounded"])


def matrix_body():
    """Products of matrices do not commute, and are no element-wise body."""
    stream = Stream("scan", "matrix")
    x = arrays.build(S32, (5, 2, 2), lambda _: S32.wrap(stream.below(7) - 3))
    one = arrays.of(S32, (1, 0, 0, 1))
    init = Array(S32, (2, 2), one.codes)
    text = ("body {\n  x = s32[2,2] parameter(0)\n  c = s32[2,2] parameter(1)\n"
            "  p = s32[2,2] dot(c, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
            "  ROOT r = (s32[2,2], s32[2,2]) tuple(p, p)\n}")
    for reverse in (False, True):
        product = [[1, 0], [0, 1]]
        found = {}
        for k in reversed(range(5)) if reverse else range(5):
            m = [[S32.integer(x.at((k, i, j))) for j in range(2)] for i in range(2)]
            product = [[sum(product[i][n] * m[n][j] for n in range(2)) for j in range(2)]
                       for i in range(2)]
            found.update({(k, i, j): product[i][j] for i in range(2) for j in range(2)})
        outputs = arrays.build(S32, (5, 2, 2), lambda i: S32.wrap(found[i]))
        last = arrays.build(S32, (2, 2), lambda i: S32.wrap(product[i[0]][i[1]]))
        program = Program("m", [x, init]).region(text)
        flag = ", is_reverse=true" * reverse
        program.root(f"({x.shape}, {init.shape})",
                     f"scan(p0, p1), dimensions={{0}}, num_carries=1{flag}, to_apply=body")
        yield Case(f"s32/products_{'down' if reverse else 'up'}",
                   "the products of matrices up to each one", program,
                   [bits(outputs), bits(last)], ["Body", "Order"])


REGIONS = """body {
  x = f32[2] parameter(0)
  c = f32[2] parameter(1)
  s = f32[2] add(x, c)
  ROOT r = (f32[2], f32[2]) tuple(s, s)
}

two {
  x = f32[2] parameter(0)
  y = f32[2] parameter(1)
  c = f32[2] parameter(2)
  ROOT r = (f32[2], f32[2]) tuple(x, y)
}

nested {
  x = f32[2] parameter(0)
  c = f32[2] parameter(1)
  t = (f32[2]) tuple(x)
  ROOT r = ((f32[2]), f32[2]) tuple(t, c)
}

longer {
  x = f32[2] parameter(0)
  c = f32[2] parameter(1)
  d = f32[4] concatenate(c, c), dimensions={0}
  ROOT r = (f32[2], f32[4]) tuple(x, d)
}

few {
  x = f32[2] parameter(0)
  c = f32[2] parameter(1)
  ROOT r = () tuple()
}

three {
  x = f32[2] parameter(0)
  c = f32[2] parameter(1)
  d = f32[2] parameter(2)
  ROOT r = f32[2] add(x, c)
}"""
ROWS = [
    ("C1", "more carries than operands", "f32[3,2] ; f32[2]",
     "(f32[3,2], f32[2]) scan(p0, p1), dimensions={0}, num_carries=3, to_apply=body"),
    ("C1", "carries only", "f32[3,2] ; f32[2]",
     "(f32[3,2], f32[2]) scan(p0, p1), dimensions={0}, num_carries=2, to_apply=body"),
    ("C1", "a negative number of carries", "f32[3,2] ; f32[2]",
     "(f32[3,2], f32[2]) scan(p0, p1), dimensions={0}, num_carries=-1, to_apply=body"),
    ("C2", "the dimension is the rank", "f32[3,2] ; f32[2]",
     "(f32[3,2], f32[2]) scan(p0, p1), dimensions={2}, num_carries=1, to_apply=body"),
    ("C2", "two dimensions", "f32[3,2] ; f32[2]",
     "(f32[3,2], f32[2]) scan(p0, p1), dimensions={0,1}, num_carries=1, to_apply=body"),
    ("C3", "inputs of other lengths", "f32[3,2] ; f32[2,2] ; f32[2]",
     "(f32[3,2], f32[2]) scan(p0, p1, p2), dimensions={0}, num_carries=1, to_apply=two"),
    ("C4", "slices along the other dimension", "f32[3,2] ; f32[2]",
     "(f32[3,2], f32[2]) scan(p0, p1), dimensions={1}, num_carries=1, to_apply=body"),
    ("C4", "the computation takes an input more", "f32[3,2] ; f32[2]",
     "(f32[3,2], f32[2]) scan(p0, p1), dimensions={0}, num_carries=1, to_apply=two"),
    ("C4", "a carry of another type", "f32[3,2] ; s32[2]",
     "(f32[3,2], s32[2]) scan(p0, p1), dimensions={0}, num_carries=1, to_apply=body"),
    ("C5", "the computation returns an array for two carries", "f32[3,2] ; f32[2]",
     "(f32[2], f32[2]) scan(p0, p1, p1), dimensions={0}, num_carries=2, to_apply=three"),
    ("C5", "the computation returns the empty tuple", "f32[3,2] ; f32[2]",
     "(f32[3,2], f32[2]) scan(p0, p1), dimensions={0}, num_carries=1, to_apply=few"),
    ("C6", "an output is a tuple", "f32[3,2] ; f32[2]",
     "(f32[3,2], f32[2]) scan(p0, p1), dimensions={0}, num_carries=1, to_apply=nested"),
    ("C7", "a carry grows", "f32[3,2] ; f32[2]",
     "(f32[3,2], f32[2]) scan(p0, p1), dimensions={0}, num_carries=1, to_apply=longer"),
]


STATED_REGIONS = """doubled {
  x = f32[] parameter(0)
  y = f32[] add(x, x)
  ROOT t = (f32[]) tuple(y)
}

negated {
  x = f32[] parameter(0)
  ROOT y = f32[] negate(x)
}

columns {
  x = f32[2] parameter(0)
  ROOT y = f32[2] negate(x)
}

last {
  x = f32[] parameter(0)
  c = f32[] parameter(1)
  d = f32[] add(c, c)
  ROOT y = f32[] add(x, d)
}

running {
  x = f32[] parameter(0)
  c = f32[] parameter(1)
  y = f32[] add(x, c)
  ROOT t = (f32[], f32[]) tuple(y, y)
}

"""
STATED = [
    ("no_carry",
     "without carries the computation is applied to each slice",
     "f32[3] 3f800000 40000000 40400000",
     "(f32[3]) scan(p0), dimensions={0}, num_carries=0, to_apply=doubled",
     "f32[3] 40000000 40800000 40c00000"),
    ("output_alone", "the only output without a tuple, of a computation that returns one",
     "f32[3] 3f800000 40000000 40400000",
     "f32[3] scan(p0), dimensions={0}, num_carries=0, to_apply=doubled",
     "f32[3] 40000000 40800000 40c00000"),
    ("array_returned", "the computation returns the only output without a tuple",
     "f32[3] 3f800000 40000000 40400000",
     "(f32[3]) scan(p0), dimensions={0}, num_carries=0, to_apply=negated",
     "f32[3] bf800000 c0000000 c0400000"),
    ("arrays_only", "no tuple at all, backwards",
     "f32[3] 3f800000 40000000 40400000",
     "f32[3] scan(p0), dimensions={0}, num_carries=0, is_reverse=true, to_apply=negated",
     "f32[3] bf800000 c0000000 c0400000"),
    ("carry_alone", "the only carry and no output: 2 (2 (2 * 1 + 1) + 2) + 3",
     "f32[3] 3f800000 40000000 40400000 ; f32[] 3f800000",
     "f32[] scan(p0, p1), dimensions={0}, num_carries=1, to_apply=last",
     "f32[] 41980000"),
    ("vectors_alone", "slices of two elements, along the second dimension",
     "f32[2,3] 3f800000 40000000 40400000 40800000 40a00000 40c00000",
     "f32[2,3] scan(p0), dimensions={1}, num_carries=0, to_apply=columns",
     "f32[2,3] bf800000 c0000000 c0400000 c0800000 c0a00000 c0c00000"),
    ("nan_carry",
     "NaN in a carry is handed on",
     "f32[3] 3f800000 7fc00000 40000000 ; f32[] 00000000",
     "(f32[3], f32[]) scan(p0, p1), dimensions={0}, num_carries=1, to_apply=running",
     "f32[3] 3f800000 7fc00000*2 ; f32[] 7fc00000"),
]


def cases():
    for rows in (random_cases, rounded_sums, sums_of_types, matrix_body,
                 converting_body):
        yield from rows()
    yield from refused.cases("scan", ROWS, REGIONS)
    yield from (stated.case(row, regions=STATED_REGIONS) for row in STATED)
