"""Operations of several attributes or with regions, from the definitions of HLO's cases."""

from __future__ import annotations

import itertools
import re
from fractions import Fraction

from assaygen import arrays, contractions, types, windows
from assaygen.arrays import Array
from ops import convolution, select_and_scatter
from sequences.elements import code_of, matrix, vector
from stablehlo.forms import F32, PRED, S32, form, module, refused, tensor

WHY = {
    "Contraction": "products of arrays: dimensions, precisions, algorithms, windows, groups",
    "Windows": "reductions, also along windows: several operands, wider sums, values of outside",
    "Regions": "operations that apply a region at every place",
}
BF16, F16, F64, F8 = (types.BY_NAME[n] for n in ("bf16", "f16", "f64", "f8e5m2"))


def one(x: int, t=S32) -> Array:
    return Array(t, (), (code_of(t, x),))


def numbers(xs) -> str:
    return "[" + ", ".join(map(str, xs)) + "]"


def longs(xs) -> str:
    return "array<i64" + ": " * bool(xs) + ", ".join(map(str, xs)) + ">"


def product(config: str, x: Array, y: Array, t) -> Array:
    """Sums of products over the letters that the result has not, each of them exact."""
    a, b, to = re.split(",|->", config)
    sizes = dict(zip(a + b, x.dims + y.dims))
    found: dict = {}
    for place in itertools.product(*map(range, sizes.values())):
        at = dict(zip(sizes, place))
        i, j, k = (tuple(at[letter] for letter in names) for names in (a, b, to))
        found[k] = (found.get(k, Fraction(0))
                    + contractions.exact(x.type, x.at(i)) * contractions.exact(y.type, y.at(j)))
    return arrays.build(t, [sizes[letter] for letter in to], lambda k: code_of(t, found[k]))


def few(t, dims, start: int = 1) -> Array:
    """Numbers from 1 to 7, which every type of these cases has."""
    count = itertools.count(start)
    return arrays.build(t, dims, lambda _: code_of(t, next(count) * 3 % 7 + 1))


def dots():
    for what, config, left, right in (("vectors", "i,i->", (3,), (3,)),
                                      ("matrix_vector", "ij,j->i", (2, 3), (3,)),
                                      ("matrices", "ij,jk->ik", (2, 3), (3, 2))):
        x, y = few(F32, left), few(F32, right, 2)
        yield form(f"dot_{what}", "the last dimension with the first one", "Contraction", [x, y],
                   "%r0 = stablehlo.dot %a, %b, precision = [DEFAULT, HIGHEST] : ($A, $B) -> $R\n"
                   '%r1 = "stablehlo.dot"(%a, %b) : ($A, $B) -> $R\n'
                   "%r2 = stablehlo.dot %a, %b : ($A, $B) -> $R", [product(config, x, y, F32)] * 3)
    for what, config, left, right, pretty in (
            ("batch", "bij,bjk->bik", (2, 2, 3), (2, 3, 2), ("[0] x [0]", "[2] x [1]")),
            ("turned", "ibj,jbk->bik", (2, 3, 4), (4, 3, 2), ("[1] x [1]", "[2] x [0]")),
            ("outer", "i,j->ij", (2,), (3,), ("", "[] x []")),
            ("two", "ijk,kji->", (2, 3, 2), (2, 3, 2), ("", "[0, 1, 2] x [2, 1, 0]")),
            ("batches", "abi,bai->ab", (2, 3, 2), (3, 2, 2), ("[0, 1] x [1, 0]", "[2] x [2]"))):
        x, y = few(S32, left), few(S32, right, 3)
        batch, sums = pretty
        numbers_ = "".join(
            f"{side}_{kind}_dimensions = {part}, "
            for kind, pair in (("batching", batch), ("contracting", sums)) if pair
            for side, part in zip(("lhs", "rhs"), pair.split(" x ")))[:-2]
        yield form(f"dot_general_{what}", f"{config}, pretty and generic", "Contraction", [x, y],
                   f"""%r0 = stablehlo.dot_general %a, %b, {
                       f'batching_dims = {batch}, ' * bool(batch)
                   }contracting_dims = {sums}, precision = [HIGH, HIGHEST] : ($A, $B) -> $R
                   %r1 = "stablehlo.dot_general"(%a, %b) <{{dot_dimension_numbers =
                     #stablehlo.dot<{numbers_}>, precision_config =
                     [#stablehlo<precision HIGH>, #stablehlo<precision DEFAULT>]}}> : ($A, $B) -> $R
                   """, [product(config, x, y, S32)] * 2)


# What an algorithm takes, sums in, how many products it makes; the types of a case with it.
ALGORITHMS = (("f16", "f16", 1, F16, F16), ("f16", "f32", 1, F16, F32),
              ("bf16", "bf16", 1, BF16, BF16), ("bf16", "f32", 1, BF16, F32),
              ("bf16", "f32", 3, F32, F32), ("bf16", "f32", 6, F32, F32),
              ("bf16", "f32", 9, F32, F32), ("tf32", "f32", 1, F32, F32),
              ("tf32", "f32", 3, F32, F32), ("f32", "f32", 1, F32, F32),
              ("f64", "f64", 1, F64, F64), ("f8E5M2", "f32", 1, F8, F32))


def algorithms():
    for taken, sums, count, t, to in ALGORITHMS:
        for loose in ("false", "true") if t is F8 else ("false",):
            x, y = few(t, (2, 3)), few(t, (3, 2), 2)
            fields = (f"lhs_precision_type = {taken}, rhs_precision_type = {taken}, "
                      f"accumulation_type = {sums}, lhs_component_count = 1, rhs_component_count "
                      f"= 1, num_primitive_operations = {count}, "
                      f"allow_imprecise_accumulation = {loose}")
            yield form(f"algorithm_{taken.lower()}_{sums}_{count}" + "_loose" * (loose == "true"),
                       f"{taken} and {taken} with sums in {sums}", "Contraction", [x, y],
                       "%r0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], "
                       f"algorithm = <{fields}> : ($A, $B) -> $R\n"
                       '%r1 = "stablehlo.dot_general"(%a, %b) {dot_dimension_numbers = #stablehlo.'
                       "dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, "
                       f"algorithm = #stablehlo.dot_algorithm<{fields}>}} : ($A, $B) -> $R",
                       [product("ij,jk->ik", x, y, to)] * 2)
    x = few(F32, (2, 2))
    fields = fields.replace("f8E5M2", "f32").replace("= 1, allow", "= 2, allow")
    yield refused("algorithm", "an algorithm that HLO has not", module(
        [x], "%r = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0], algorithm = "
        f"<{fields}> : ({tensor(x)}, {tensor(x)}) -> {tensor(x)}", [x]), "stablehlo.algorithm", [x])


def labelled(names: str) -> str:
    return "[" + ", ".join(names) + "]"


def convolutions():
    for k, c in enumerate(convolution.CONFIGURATIONS):
        x, y = (few(S32, dims, n) for n, dims in enumerate(convolution.operand_dims(c)))
        dims, rows = convolution.sums_of(c, x, y)
        found = Array(S32, dims, tuple(contractions.summed((S32,) * 3, row)[0] for row in rows))
        left, right, out = map(labelled, convolution.split(convolution.labels_of(c)))
        stride, low, high, base, spread, turned = zip(*c["window"]) if c["window"] else [()] * 6
        edges = numbers(f"[{a}, {b}]" for a, b in zip(low, high))
        flags = ["true" if x else "false" for x in turned]
        counts = (f"batch_group_count = {c.get('batch_groups', 1)} : i64, "
                  f"feature_group_count = {c.get('groups', 1)} : i64")
        window = (f"stride = {numbers(stride)}, pad = {edges}, lhs_dilate = {numbers(base)}, "
                  f"rhs_dilate = {numbers(spread)}, reverse = {numbers(flags)}" if turned else "")
        edges = f"dense<{edges}>" if turned else "dense<>"
        edges += f" : tensor<{len(turned)}x2xi64>"
        flags = "array<i1" + ": " * bool(flags) + ", ".join(flags) + ">"
        yield form(f"convolution_{k}", f"{left} by {right} to {out}, pretty, generic and dynamic",
                   "Contraction", [x, y],
                   f"""%r0 = stablehlo.convolution(%a, %b) dim_numbers = {left}x{right}->{out},
                       window = {{{window}}} {{{counts}}} : ($A, $B) -> $R
                   %r1 = "stablehlo.convolution"(%a, %b) <{{
                       dimension_numbers = #stablehlo.conv<{left}x{right}->{out}>,
                       window_strides = {longs(stride)}, padding = {edges},
                       lhs_dilation = {longs(base)}, rhs_dilation = {longs(spread)},
                       window_reversal = {flags}, {counts}}}> : ($A, $B) -> $R
                   %p = stablehlo.constant {edges}
                   %r2 = "stablehlo.dynamic_conv"(%a, %b, %p) <{{
                       dimension_numbers = #stablehlo.conv<{left}x{right}->{out}>,
                       window_strides = {longs(stride)}, lhs_dilation = {longs(base)},
                       rhs_dilation = {longs(spread)}, window_reversal = {flags}, {counts}}}> :
                       ($A, $B, tensor<{len(turned)}x2xi64>) -> $R""", [found] * 3)


def region(names: str, t: str, lines: str) -> str:
    """({ ^bb0(%x: t, ...): lines }), the last of which defines %z."""
    given = ", ".join(f"%{n}: {t}" for n in names.split())
    body = "\n".join([*lines.replace("$T", t).splitlines(), f"stablehlo.return %z : {t}"])
    return f"({{\n^bb0({given}):\n{body}\n}})"


def joined(op: str, t: str = "tensor<i32>") -> str:
    return region("x y", t, f"%z = stablehlo.{op} %x, %y : $T")


# Another order of the values gives the same: the greatest, but not beyond %s of outside.
BOUNDED = ("%w = stablehlo.maximum %x, %y : $T\n%z = stablehlo.minimum %w, %s : $T")


def window_text(window) -> str:
    size, stride, low, high, base, spread = zip(*window)
    edges = numbers(f"[{a}, {b}]" for a, b in zip(low, high))
    return (f"window_dimensions = {longs(size)}, window_strides = {longs(stride)}, padding = "
            f"dense<{edges}> : tensor<{len(size)}x2xi64>, base_dilations = {longs(base)}, "
            f"window_dilations = {longs(spread)}")


def folded(x: Array, window, init: int, fold) -> Array:
    """fold of the initial value and the numbers of the cells, as a list."""
    return arrays.build(S32, windows.result_dims(x.dims, window), lambda i: S32.wrap(fold(
        [init, *map(S32.integer, windows.cells(x, window, i))])))


def window_sums():
    x = arrays.iota(S32, (3, 4), -5)
    for what, window in (("plain", [(2, 1, 0, 0, 1, 1)] * 2),
                         ("strided", [(2, 2, 1, 0, 1, 1), (3, 1, 1, 1, 1, 1)]),
                         ("dilated", [(2, 1, 0, 1, 2, 1), (2, 1, -1, 0, 1, 2)])):
        found = folded(x, window, 0, sum)
        yield form(f"reduce_window_{what}", "sums along windows", "Windows", [x, one(0)],
                   f'%r = "stablehlo.reduce_window"(%a, %b) <{{{window_text(window)}}}> '
                   f"{joined('add')} : ($A, $B) -> $R", [found])
    window = [(1, 1, 0, 0, 1, 1), (2, 2, 0, 0, 1, 1)]
    yield form("reduce_window_outside", "a region that uses an argument", "Windows",
               [x, one(-9), one(-2)],
               '%s = stablehlo.negate %c : $C\n%r = "stablehlo.reduce_window"(%a, %b) '
               "<{window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 2>}> "
               f"{region('x y', '$B', BOUNDED)} : ($A, $B) -> $R",
               [folded(x, window, -9, lambda row: min(max(row), 2))])


# The greater value, and of equal ones the first, with the place of it.
GREATEST = """({
^bb0(%v: tensor<i32>, %i: tensor<i32>, %w: tensor<i32>, %j: tensor<i32>):
  %p = stablehlo.compare GE, %v, %w, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %x = stablehlo.select %p, %v, %w : tensor<i1>, tensor<i32>
  %y = stablehlo.select %p, %i, %j : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
  stablehlo.return %x, %y : tensor<i32>, tensor<i32>
})"""


def several():
    """The greatest of each row and of each pair, and their places."""
    x = matrix(S32, [3, 9, -4, 8], [7, 5, 6, -1])
    k = matrix(S32, [0, 1, 2, 3], [0, 1, 2, 3])
    inits, places = [one(-100), one(-1)], [vector(S32, 9, 7), vector(S32, 1, 0)]
    yield form("reduce_several", "two operands, generic", "Windows", [x, k, *inits],
               '%r0, %r1 = "stablehlo.reduce"(%a, %b, %c, %d) <{dimensions = array<i64: 1>}> '
               f"{GREATEST} : ($A, $B, $C, $D) -> ($R, $R)", places)
    body = GREATEST.split("):\n")[1].rsplit(")", 1)[0]
    yield form("reduce_reducer", "two operands, with a reducer", "Windows", [x, k, *inits],
               "%0:2 = stablehlo.reduce(%a init: %c), (%b init: %d) across dimensions = [1] "
               "{a.note} : ($A, $B, $C, $D) -> ($R, $R)\n"
               "reducer(%v: $C, %w: $C) (%i: $C, %j: $C) {\n"
               f"{body}\n%r0 = stablehlo.reshape %0#0 : ($R) -> $R\n"
               "%r1 = stablehlo.reshape %0#1 : ($R) -> $R", places)
    yield form("reduce_window_several", "two operands along windows", "Windows", [x, k, *inits],
               '%0:2 = "stablehlo.reduce_window"(%a, %b, %c, %d) <{window_dimensions = '
               f"array<i64: 1, 2>}}> {GREATEST} : ($A, $B, $C, $D) -> ($R, $R)\n"
               "%r0, %r1 = stablehlo.optimization_barrier %0#0, %0#1 : $R, $R",
               [matrix(S32, [9, 9, 8], [7, 6, 6]), matrix(S32, [1, 1, 3], [0, 2, 2])])


def reductions():
    yield from several()
    x = arrays.iota(S32, (2, 3, 2), -4)
    cells = {d: [S32.integer(x.at(i)) for i in x.indices() if i[1] == d] for d in range(3)}
    for op, init, fold in (("add", 0, sum), ("maximum", -9, max), ("minimum", 99, min)):
        yield form(f"reduce_{op}", f"applies {op}", "Windows", [x, one(init)],
                   f"%r0 = stablehlo.reduce(%a init: %b) applies stablehlo.{op} across "
                   "dimensions = [0, 2] : ($A, $B) -> $R\n"
                   '%r1 = "stablehlo.reduce"(%a, %b) '
                   f"{joined(op)} {{dimensions = array<i64: 0, 2>}} : ($A, $B) -> $R",
                   [vector(S32, *(fold([init, *cells[d]]) for d in range(3)))] * 2)
    yield form("reduce_outside", "a region that uses an argument", "Windows",
               [x, one(-9), one(3)], '%s = stablehlo.negate %c : $C\n'
               "%r = stablehlo.reduce(%a init: %b) across dimensions = [0, 2] : ($A, $B) -> $R\n"
               f"reducer(%x: $B, %y: $B) {{\n{BOUNDED.replace('$T', '$B')}\n"
               "stablehlo.return %z : $B\n}",
               [vector(S32, *(min(max(-9, *cells[d]), -3) for d in range(3)))])
    wide = vector(BF16, 256, 1, 1, 1)
    yield form("reduce_wider", "a region of a wider type than the operand's", "Windows",
               [wide, one(0, BF16)], '%r = "stablehlo.reduce"(%a, %b) <{dimensions = array<i64: 0>}'
               f"> {joined('add', 'tensor<f32>')} : ($A, $B) -> $R", [one(259, F32)])
    yield form("reduce_window_wider", "sums along windows in a wider type", "Windows",
               [wide, one(0, BF16)], '%r = "stablehlo.reduce_window"(%a, %b) <{window_dimensions = '
               f"array<i64: 2>}}> {joined('add', 'tensor<f32>')} : ($A, $B) -> $R",
               [vector(F32, 257, 2, 2)])


def chosen(op: str, names: str = "x y") -> str:
    x, y = (f"%{n}" for n in names.split())
    return ("({\n^bb0(%x: $C, %y: $C):\n"
            f"%p = stablehlo.compare {op}, {x}, {y} : ($C, $C) -> tensor<i1>\n"
            "stablehlo.return %p : tensor<i1>\n})")


SCALED = """({
^bb0(%x: $C, %y: $C):
  %u = stablehlo.multiply %x, %d : $C
  %v = stablehlo.multiply %y, %d : $C
  %p = stablehlo.compare GE, %u, %v : ($C, $C) -> tensor<i1>
  stablehlo.return %p : tensor<i1>
})"""


def scattered():
    x = matrix(S32, [3, 8, 1, 6], [5, 2, 9, 4], [7, 0, 11, 10])
    window = [(2, 1, 0, 0, 1, 1), (2, 2, 1, 1, 1, 1)]
    source = arrays.iota(S32, windows.result_dims(x.dims, window), 1)

    def sums(direction, fold):
        met = select_and_scatter.meetings(x, window, direction)
        return arrays.build(S32, x.dims, lambda i: S32.wrap(fold(
            [S32.integer(source.at(k)) for k in met.get(i, [])])))
    said = window_text(window).split(", base")[0]
    call = f'%r = "stablehlo.select_and_scatter"(%a, %b, %c) <{{{said}}}>'
    for op in ("GE", "LE"):
        yield form(f"select_and_scatter_{op.lower()}", f"sources go where {op} chooses", "Windows",
                   [x, source, one(20)], f"{call} ({chosen(op)[1:-1]}, {joined('add')[1:-1]}) : "
                   "($A, $B, $C) -> $R", [sums(op, lambda row: 20 + sum(row))])
    yield form("select_and_scatter_outside", "both regions use an argument", "Windows",
               [x, source, one(0), one(-1), one(4)],
               f"{call} ({SCALED[1:-1]}, {region('x y', '$C', BOUNDED.replace('%s', '%e'))[1:-1]})"
               " : ($A, $B, $C) -> $R", [sums("LE", lambda row: min(max(0, *row, 0), 4))])
    narrow = vector(BF16, 2, 1)
    yield form("select_and_scatter_wider", "sums in a wider type than the operand's", "Windows",
               [narrow, vector(BF16, 1), one(256, BF16)],
               '%r = "stablehlo.select_and_scatter"(%a, %b, %c) <{window_dimensions = array<i64: '
               f"2>}}> ({chosen('GE')[1:-1]}, {joined('add', 'tensor<f32>')[1:-1]}) : "
               "($A, $B, $C) -> $R", [vector(F32, 257, 256)])


def maps():
    x, y = arrays.iota(S32, (2, 3), -2), arrays.iota(S32, (2, 3), 5)
    pairs = [(S32.integer(a), S32.integer(b)) for a, b in zip(x.codes, y.codes)]
    yield form("map_two", "a region of two values", "Regions", [x, y],
               f'%r = "stablehlo.map"(%a, %b) <{{dimensions = array<i64: 0, 1>}}> '
               f"{joined('multiply')} : ($A, $B) -> $R",
               [Array(S32, (2, 3), tuple(S32.wrap(a * b) for a, b in pairs))])
    yield form("map_outside", "a region that uses an argument, and a constant", "Regions",
               [x, one(10)], '%two = stablehlo.constant dense<2> : $B\n%r = "stablehlo.map"(%a) '
               f"""<{{dimensions = array<i64: 0, 1>}}> {region('x', '$B',
                   "%y = stablehlo.multiply %x, %two : $T" + chr(10)
                   + "%z = stablehlo.add %y, %b : $T")} : ($A) -> $R""",
               [Array(S32, (2, 3), tuple(S32.wrap(2 * a + 10) for a, _ in pairs))])
    words = Array(PRED, (2, 3), tuple(int(a < b - 7) for a, b in pairs))
    yield form("map_type", "a result of another type", "Regions", [x, y], '''
               %r = "stablehlo.map"(%a, %b) ({
               ^bb0(%x: tensor<i32>, %y: tensor<i32>):
                 %k = stablehlo.constant dense<7> : tensor<i32>
                 %u = stablehlo.subtract %y, %k : tensor<i32>
                 %p = stablehlo.compare LT, %x, %u : (tensor<i32>, tensor<i32>) -> tensor<i1>
                 stablehlo.return %p : tensor<i1>
               }) {dimensions = array<i64: 0, 1>} : ($A, $B) -> $R''', [words])


def sorts():
    keys, tags = matrix(S32, [3, 1, 2], [1, 3, 1]), matrix(S32, [10, 11, 12], [13, 14, 15])
    for what, dimension, flag, found in (
            ("rows", "1", "true", ([[1, 2, 3], [1, 1, 3]], [[11, 12, 10], [13, 15, 14]])),
            ("last", "-1", "true", ([[1, 2, 3], [1, 1, 3]], [[11, 12, 10], [13, 15, 14]])),
            ("columns", "0", "false", ([[1, 1, 1], [3, 3, 2]], [[13, 11, 15], [10, 14, 12]]))):
        yield form(f"sort_{what}", f"two operands along dimension {dimension}", "Regions",
                   [keys, tags], f"""%r0, %r1 = "stablehlo.sort"(%a, %b) <{{dimension = {dimension}
                   : i64, is_stable = {flag}}}> ({{
                   ^bb0(%x: tensor<i32>, %y: tensor<i32>, %v: tensor<i32>, %w: tensor<i32>):
                     %p = stablehlo.compare LT, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
                     stablehlo.return %p : tensor<i1>
                   }}) : ($A, $B) -> ($R, $R)""", [matrix(S32, *part) for part in found])
    yield form("sort_outside", "a comparator that uses an argument", "Regions",
               [vector(S32, 4, -1, 3), one(-1)], """%r = "stablehlo.sort"(%a) ({
               ^bb0(%x: $B, %y: $B):
                 %u = stablehlo.multiply %x, %b : $B
                 %v = stablehlo.multiply %y, %b : $B
                 %p = stablehlo.compare LT, %u, %v : ($B, $B) -> tensor<i1>
                 stablehlo.return %p : tensor<i1>
               }) {dimension = 0 : i64} : ($A) -> $R""", [vector(S32, 4, 3, -1)])


def cases():
    for part in (dots, algorithms, convolutions, window_sums, reductions, scattered, maps, sorts):
        yield from part()
