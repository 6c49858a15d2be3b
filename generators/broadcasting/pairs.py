"""Binary operations on two shapes: the builder's program, and others of the same values."""

from __future__ import annotations

from assaygen import arrays, pools, types
from assaygen.arrays import Array
from assaygen.cases import Case, bits
from assaygen.programs.regions import leaves, module, shape_of
from assaygen.streams import Stream
from assaygen.types import BY_NAME, F32, PRED, S32
from broadcasting import rules
from ops import compare as comparison
from sequences.elements import order, rule_of
from sequences.steps import Steps

WHY = {
    "Scalar": "a scalar goes with every array",
    "InDim": "broadcast_dimensions match the dimensions of the array of lower rank",
    "Degenerate": "dimensions of size 1 are repeated",
    "Both": "broadcast_dimensions, and then dimensions of size 1",
    "Equal": "the program with the builder's broadcasts next to one that makes its operands "
             "fit by other instructions: both results have the values of the rules",
    "Operation": "every binary operation behind broadcasts",
    "Layout": "operands and results in other layouts",
    "Later": "the operation first and the broadcast behind it, where that is the same",
}
U8, F16, BF16, C64 = BY_NAME["u8"], BY_NAME["f16"], BY_NAME["bf16"], BY_NAME["c64"]
# Why, lhs, rhs, broadcast_dimensions.
SHAPES = [
    ("Scalar", (2, 3), (), ()), ("Scalar", (), (2, 3), ()), ("Scalar", (), (), ()),
    ("Scalar", (0, 3), (), ()), ("Scalar", (1, 1), (), ()), ("Scalar", (2, 3, 2, 2), (), ()),
    ("InDim", (2, 3), (3,), (1,)), ("InDim", (3,), (2, 3), (1,)), ("InDim", (3, 3), (3,), (1,)),
    ("InDim", (3, 3), (3,), (0,)), ("InDim", (2, 3, 4), (3, 4), (1, 2)),
    ("InDim", (2, 3, 4), (2, 4), (0, 2)), ("InDim", (2, 3, 4), (2, 3), (0, 1)),
    ("InDim", (2, 3, 4), (2,), (0,)), ("InDim", (2, 3, 4), (3,), (1,)),
    ("InDim", (2, 2, 2), (2,), (0,)), ("InDim", (2, 2, 2), (2,), (1,)),
    ("InDim", (2, 2, 2), (2, 2), (0, 2)), ("InDim", (0, 3), (3,), (1,)),
    ("InDim", (2, 3, 2, 4), (4,), (3,)), ("InDim", (2, 3, 2, 4), (2,), (2,)),
    ("InDim", (2, 3, 2, 4), (3,), (1,)), ("InDim", (2, 3, 2, 4), (2,), (0,)),
    ("InDim", (2, 3, 2, 4), (2, 4), (2, 3)), ("InDim", (2, 3, 2, 4), (3, 2), (1, 2)),
    ("InDim", (2, 3, 2, 4), (2, 4), (0, 3)), ("InDim", (2, 3, 2, 4), (2, 3, 4), (0, 1, 3)),
    ("Degenerate", (2, 1), (2, 3), ()), ("Degenerate", (1, 2, 3), (4, 2, 3), ()),
    ("Degenerate", (4, 2, 3), (4, 1, 3), ()), ("Degenerate", (2, 1), (1, 3), ()),
    ("Degenerate", (1,), (4,), ()), ("Degenerate", (1, 1), (1, 1), ()),
    ("Degenerate", (1, 3), (0, 3), ()), ("Degenerate", (1, 3, 1), (2, 1, 4), ()),
    ("Degenerate", (2, 1, 1, 2), (1, 3, 2, 1), ()), ("Degenerate", (1, 1), (2, 3), ()),
    ("Both", (4,), (1, 2), (0,)), ("Both", (1, 2), (4, 3, 1), (1, 2)),
    ("Both", (1,), (2, 3), (0,)), ("Both", (1,), (2, 3), (1,)), ("Both", (2, 3), (1,), (1,)),
    ("Both", (3, 1), (2, 1, 4), (1, 2)), ("Both", (2, 1, 2), (2,), (1,)),
    ("Both", (1, 1, 1), (3, 2), (0, 2)), ("Both", (1,), (1, 0), (0,)),
]
ARITHMETIC = ("add", "subtract", "multiply", "divide", "remainder", "maximum", "minimum")
BITS = ("and", "or", "xor")
OTHERS = {"joints": rules.by_joints, "rows": rules.by_rows, "sums": rules.by_sums,
          "dot": rules.by_dot}


def operand(t, dims, *words) -> Array:
    """Any numbers; small ones, for sums by other instructions, of integers."""
    stream = Stream("broadcasting", t.name, dims, *words)
    if t.kind == "float":
        return arrays.build(t, dims, lambda _: pools.finite_float(t, stream))
    if t.kind == "complex":
        return arrays.build(t, dims, lambda _: tuple(
            pools.finite_float(types.component(t), stream) for _ in "ri"))
    return arrays.build(t, dims, lambda _: stream.bits(t.bits))


def name_of(lhs, rhs, dims) -> str:
    words = ["x".join(map(str, x)) or "scalar" for x in (lhs, rhs)]
    return "_and_".join(words) + ("_at_" + "_".join(map(str, dims)) if dims else "")


def said(lhs, rhs, dims) -> str:
    return f"{list(lhs)} and {list(rhs)}" + (f" at {list(dims)}" if dims else "")


def program(what, statement, why, inputs, results, write, laid=None) -> Case:
    """results are the values of the rules; write(steps, names) gives the root."""
    arguments = laid or inputs
    stream = Stream("broadcasting", what) if laid else None
    main = Steps("main", *map(shape_of, arguments), arranged=stream)
    main.root = write(main, *list(main.shapes)) or main.root
    # Two computations of one value: the rules, and the instructions one by one.
    found = leaves(main.run(*arguments))
    assert [x.text() for x in found] == [x.text() for x in results], what
    return Case(what, statement, module(main), [bits(x) for x in results], list(why),
                list(arguments))


def of_shapes():
    for number, (why, lhs, rhs, dims) in enumerate(SHAPES):
        t = (F32, S32, BF16, U8)[number % 4]
        op = ("subtract", "multiply", "maximum")[number % 3]
        x, y = operand(t, lhs, number, "x"), operand(t, rhs, number, "y")
        z = rules.value(t, lambda a, b, t=t, op=op: rule_of(op)(t, a, b), x, y, dims)

        def write(b, p, q, make=rules.built, op=op, dims=dims):
            sizes = b.dims(p), b.dims(q)
            return b.two(op, make(b, p, sizes[1], dims), make(b, q, sizes[0], dims))
        what = f"{t.name}/{name_of(lhs, rhs, dims)}"
        yield program(what, f"{op} of {said(lhs, rhs, dims)}", [why], [x, y], [z], write)
        yield from arranged(what, lhs, rhs, dims, why, (x, y), z, write)
        how = list(OTHERS)[number // 4 % (4 if t.kind == "int" else 2)]
        yield program(f"{what}.{how}", f"{op} of {said(lhs, rhs, dims)}, by {how} too",
                      [why, "Equal"], [x, y], [z, z], lambda b, p, q, w=write, how=how: b.tuple(
                          w(b, p, q), w(b, p, q, OTHERS[how])))


def arranged(what, lhs, rhs, dims, why, inputs, z, write):
    if max(len(lhs), len(rhs)) < 2:
        return
    stream = Stream("broadcasting", what, "layouts")
    laid = [x.with_layout(order(stream, len(x.dims))) for x in inputs]
    yield program(f"{what}.arranged", f"{said(lhs, rhs, dims)} in other layouts",
                  [why, "Layout"], list(inputs), [z], write, laid)


def of_operations():
    """Each operation on a matrix and a row, and on a column and a row."""
    for t in (F32, S32, U8, F16, PRED, C64):
        for op in operations_of(t):
            for lhs, rhs, dims in (((2, 3), (3,), (1,)), ((2, 1), (1, 3), ()), ((), (3,), ())):
                yield of_operation(t, op, lhs, rhs, dims)


def operations_of(t) -> tuple:
    if t is PRED:
        return *BITS, "EQ", "NE", "LT"
    if t is C64:
        return "add", "subtract", "EQ", "NE"
    more = ("EQ", "NE", "LT", "LE", "GT", "GE")
    return ARITHMETIC + (BITS if t.kind == "int" else ()) + more


def of_operation(t, op, lhs, rhs, dims) -> Case:
    x, y = (operand(t, d, op, k) for k, d in enumerate((lhs, rhs)))
    if op in ("divide", "remainder") and t.kind == "int":
        y = Array(t, y.dims, tuple(c or 1 for c in y.codes))
    rule = comparison.rule(op) if op.isupper() else rule_of(op)
    out = PRED if op.isupper() else t
    z = rules.value(out, lambda a, b: rule(t, a, b), x, y, dims)

    def write(b, p, q):
        first, other = b.dims(p), b.dims(q)
        operands = rules.built(b, p, other, dims), rules.built(b, q, first, dims)
        return b.compare(*operands, op) if op.isupper() else b.two(op, *operands)
    return program(f"{t.name}/{op.lower()}_of_{name_of(lhs, rhs, dims)}",
                   f"{op} of {said(lhs, rhs, dims)}", ["Operation"], [x, y], [z], write)


def later():
    """The operation on narrow arrays, and the broadcast of its result."""
    for t in (S32, F32):
        x, y, m = (operand(t, d, "later", k) for k, d in enumerate(((3,), (3,), (2, 3))))
        s = Array(t, (), (x.codes[0],))

        def sums(*rows, t=t):
            return rules.value(t, lambda a, b: rule_of("add")(t, a, b), *rows)
        wide = arrays.build(t, (2, 3), lambda i, x=x, y=y, t=t: rule_of("add")(
            t, x.codes[i[1]], y.codes[i[1]]))
        yield program(f"{t.name}/sum_of_broadcasts", "a sum of two broadcasts is the broadcast "
                      "of a sum", ["Later"], [x, y], [wide, wide], lambda b, p, q: b.tuple(
                          b.two("add", *(b.broadcast(v, (2, 3), (1,)) for v in (p, q))),
                          b.broadcast(b.two("add", p, q), (2, 3), (1,))))
        yield program(f"{t.name}/scalar_twice", "a broadcast of a broadcast scalar is one",
                      ["Later"], [m, s], [sums(m, s)] * 2, lambda b, p, q: b.tuple(
                          b.two("add", p, b.broadcast(q, (2, 3), ())),
                          b.two("add", p, b.broadcast(b.broadcast(q, (3,), ()), (2, 3), (1,)))))
        turned = arrays.build(t, (3, 2), lambda i, m=m: m.at((i[1], i[0])))
        yield program(f"{t.name}/turned", "a matrix and a row, and their transposes with a column",
                      ["Later"], [m, turned, x],
                      [rules.value(t, lambda a, b, t=t: rule_of("add")(t, a, b), *row)
                       for row in ((m, x, (1,)), (turned, x, (0,)))],
                      lambda b, p, q, v: b.tuple(
                          b.two("add", p, b.broadcast(v, (2, 3), (1,))),
                          b.two("add", q, b.broadcast(v, (3, 2), (0,)))))


def cases():
    yield from of_shapes()
    yield from of_operations()
    yield from later()
