"""special_terms: sums of infinities, NaN and finite numbers by every operation that
has sums, in float and complex types. Each sum is one of 36 rows of four terms; where
they are products, of such a row and one of 6 columns. Parts of complex sums are sums
of reals (spec/ops/dot.md); the finite ones are exact in any order.
"""

from __future__ import annotations

from typing import Callable, Iterable

from assaygen import arrays, types, values
from assaygen.arrays import Array
from assaygen.cases import Case, bits
from assaygen.program import Program, scalar_region
from assaygen.types import Type
from assaygen.values import INF, NAN, ZERO, Value, add, multiply, number

WHY = {"Infinite": "infinities and NaN among the terms of a sum or the factors of a product"}

TYPES = [types.BY_NAME[name] for name in ("f16", "bf16", "f32", "f64", "c64", "c128")]
SOME = [number(2), number(-2), ZERO, INF, INF.negated(), NAN]
ROWS, TERMS, COLUMNS = 36, 4, 6
DEVICES = TERMS  # of a collective: each has one term of every sum

Term = tuple[Value, ...]  # the parts of a number
NOTHING = {"float": (ZERO,), "complex": (ZERO, ZERO)}


def real_rows() -> list[list[Term]]:
    """The odd number keeps a sum of finite terms from being 0."""
    return [[(a,), (number(1),), (b,), (number(4),)] for a in SOME for b in SOME]


def real_columns() -> list[list[Term]]:
    return [[(c,), (number(1),), (number(1),), (number(1),)] for c in SOME]


def complex_rows() -> list[list[Term]]:
    return [[(a, b), (number(3), number(5)), (SOME[i % 6], number(2)), (number(0), number(4))]
            for i, (a, b) in enumerate((a, b) for a in SOME for b in SOME)]


def complex_columns() -> list[list[Term]]:
    one = (number(1), ZERO)
    firsts = [one, (ZERO, number(1)), (number(2), number(-2)), (INF, ZERO),
              (number(1), NAN), (ZERO, ZERO)]
    return [[first, one, one, one] for first in firsts]


def product(x: Term, y: Term) -> Iterable[list[Value]]:
    """The terms of each part."""
    if len(x) == 1:
        return [[multiply(x[0], y[0])]]
    (a, b), (c, d) = x, y
    return [[multiply(a, c), multiply(b, d).negated()], [multiply(a, d), multiply(b, c)]]


def total(terms: Iterable[Value]) -> Value:
    found = ZERO
    for term in terms:
        found = add(found, term)
    return found


class Terms:
    """The numbers of a type, and what their sums are."""

    def __init__(self, t: Type) -> None:
        self.type = t
        is_complex = t.kind == "complex"
        self.part = types.component(t) if is_complex else t
        self.rows = complex_rows() if is_complex else real_rows()
        self.columns = complex_columns() if is_complex else real_columns()

    def code(self, x: Term):
        codes = tuple(types.encode(self.part, v) for v in x)
        return codes if len(codes) > 1 else codes[0]

    def array(self, dims: tuple[int, ...], at: Callable[..., Term]) -> Array:
        return arrays.build(self.type, dims, lambda index: self.code(at(*index)))

    def sums(self, dims=(ROWS,)) -> Array:
        found = [tuple(total(parts) for parts in zip(*row)) for row in self.rows]
        return Array(self.type, dims, tuple(map(self.code, found)))

    def products(self) -> Array:
        def at(i, j):
            parts = [product(x, y) for x, y in zip(self.rows[i], self.columns[j])]
            return tuple(total(v for terms in own for v in terms) for own in zip(*parts))
        return self.array((ROWS, COLUMNS), at)

    def left(self, dims=(ROWS, TERMS)) -> Array:
        return Array(self.type, dims, tuple(self.code(x) for row in self.rows for x in row))

    def right(self, *begin: int) -> Array:
        return self.array((*begin, TERMS, COLUMNS),
                          lambda *index: self.columns[index[-1]][index[-2]])

    def term(self, k: int) -> Array:
        return self.array((ROWS,), lambda i: self.rows[i][k])

    def reducer(self) -> str:
        return scalar_region("sum", self.type.name, f"{self.type.name}[] add(a, b)")

    def case(self, name: str, program: Program, expect: list[Array],
             inputs: list[Array] | None = None) -> Case:
        return Case(f"{self.type.name}/{name}",
                    f"{name.replace('_', '-')} of infinities, NaN and numbers", program,
                    [bits(one) for one in expect], ["Infinite"], inputs)


def zero(own: Terms) -> str:
    return f"zero = {own.type.name}[] constant({'(0, 0)' if own.type.kind == 'complex' else 0})"


def reduce(own: Terms) -> Case:
    program = Program("m", [own.left()]).region(own.reducer()).line(zero(own))
    expect = own.sums()
    program.root(expect.shape, "reduce(p0, zero), dimensions={1}, to_apply=sum")
    return own.case("reduce", program, [expect])


def reduce_window(own: Terms) -> Case:
    """Only the last window of each row has all terms; padding adds zeros."""
    program = Program("m", [own.left()]).region(own.reducer()).line(zero(own))
    expect = own.sums((ROWS, 1))
    program.root(expect.shape, "reduce-window(p0, zero), window={size=1x6 pad=0_0x1_1}, "
                 "to_apply=sum")
    return own.case("reduce_window", program, [expect])


def scan(own: Terms) -> Case:
    """Running sums of each row, and the carry, which is the last of them."""
    each = Array(own.type, (ROWS,), ()).shape
    running = [[tuple(total(parts) for parts in zip(*row[:k + 1])) for k in range(TERMS)]
               for row in own.rows]
    program = Program("m", [own.left(), Array(own.type, (), (own.code(NOTHING[own.type.kind]),))])
    program.region(f"body {{\n  a = {each} parameter(0)\n  b = {each} parameter(1)\n"
                   f"  c = {each} add(b, a)\n  ROOT r = ({each}, {each}) tuple(c, c)\n}}")
    program.line(f"none = {each} broadcast(p1), dimensions={{}}")
    sums = own.array((ROWS, TERMS), lambda i, k: running[i][k])
    program.root(f"({sums.shape}, {each})",
                 "scan(p0, none), dimensions={1}, num_carries=1, to_apply=body")
    return own.case("scan", program, [sums, own.sums()])


def scatter(own: Terms) -> Case:
    """Row by row, into zeros."""
    s32 = types.S32
    places = Array(s32, (ROWS * TERMS,), tuple(i // TERMS for i in range(ROWS * TERMS)))
    updates = own.left((ROWS * TERMS,))
    expect = own.sums()
    program = Program("m", [places, updates]).region(own.reducer()).line(zero(own))
    program.line(f"zeros = {expect.shape} broadcast(zero), dimensions={{}}")
    program.root(expect.shape, "scatter(zeros, p0, p1), update_window_dims={}, "
                 "inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, "
                 "index_vector_dim=1, to_apply=sum")
    return own.case("scatter", program, [expect])


def dot(own: Terms) -> Case:
    expect = own.products()
    program = Program("m", [own.left(), own.right()]).root(
        expect.shape, "dot(p0, p1), lhs_contracting_dims={1}, rhs_contracting_dims={0}")
    return own.case("dot", program, [expect])


def ragged_dot(own: Terms) -> Case:
    """Two groups with equal matrices."""
    sizes = Array(types.S32, (2,), (ROWS - 16, 16))
    expect = own.products()
    program = Program("m", [own.left(), own.right(2), sizes])
    program.root(expect.shape, "ragged-dot(p0, p1, p2), lhs_contracting_dims={1}, "
                 "rhs_contracting_dims={1}, lhs_ragged_dims={0}, rhs_group_dims={0}")
    return own.case("ragged_dot", program, [expect])


def convolution(own: Terms) -> Case:
    """Terms are features, and windows have one point."""
    expect = own.products()
    shape = Array(own.type, (ROWS, COLUMNS, 1), ()).shape
    program = Program("m", [own.left((ROWS, TERMS, 1)), own.right(1)])
    program.line(f"c = {shape} convolution(p0, p1), window={{size=1}}, dim_labels=bf0_0io->bf0")
    program.root(expect.shape, "reshape(c)")
    return own.case("convolution", program, [expect])


def all_reduce(own: Terms) -> Case:
    expect = own.sums()
    inputs = [own.term(k) for k in range(DEVICES)]
    program = Program("m", inputs[:1], f", replica_count={DEVICES}").region(own.reducer())
    program.root(expect.shape, "all-reduce(p0), to_apply=sum")
    return own.case("all_reduce", program, [expect] * DEVICES, inputs)


def reduce_scatter(own: Terms) -> Case:
    whole, each = own.sums(), ROWS // DEVICES
    expect = [Array(own.type, (each,), whole.codes[k * each:(k + 1) * each])
              for k in range(DEVICES)]
    inputs = [own.term(k) for k in range(DEVICES)]
    program = Program("m", inputs[:1], f", replica_count={DEVICES}").region(own.reducer())
    program.root(expect[0].shape, "reduce-scatter(p0), dimensions={0}, to_apply=sum")
    return own.case("reduce_scatter", program, expect, inputs)


def cases():
    for t in TYPES:
        own = Terms(t)
        for make in (reduce, reduce_window, scan, scatter, dot, ragged_dot, convolution,
                     all_reduce, reduce_scatter):
            yield make(own)
