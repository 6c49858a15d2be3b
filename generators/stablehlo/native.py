"""Operations of StableHLO and CHLO, each in its pretty or its generic form."""

from __future__ import annotations

import itertools

from assaygen import arrays
from assaygen.arrays import Array
from ops import compare as comparison
from sequences.elements import matrix, rule_of, vector
from stablehlo.forms import C64, F32, PRED, S32, S64, U8, form, refused, tensor

WHY = {
    "Elements": "element-wise operations, pretty and generic",
    "Sizes": "sizes that are operands, some of them open in the types",
    "Attributes": "attributes in braces, in <{ }>, in both, and in pretty places",
    "Shapes": "operations of other names than HLO's, or with other attributes",
    "Chlo": "operations of CHLO that become several of HLO",
    "Refused": "what StableHLO's rules forbid",
}
BINARY = ["add", "subtract", "multiply", "divide", "maximum", "minimum", "remainder"]
X, Y = matrix(F32, [1, "-2.5", 3], [0, "0.5", -7]), matrix(F32, [2, 4, "0.25"], [1, -3, 2])
N = arrays.iota(S32, (2, 3))


def both(op: str, inputs, result, what: str = ""):
    """The pretty and the generic form side by side."""
    names = ", ".join(f"%{chr(97 + k)}" for k in range(len(inputs)))
    types = ", ".join(f"${chr(65 + k)}" for k in range(len(inputs)))
    alike = result.type is inputs[0].type
    pretty = f"%r0 = stablehlo.{op} {names} : " + ("$R" if alike else f"({types}) -> $R")
    return form(what or op, f"{op}, pretty and generic", "Elements", inputs,
                f'{pretty}\n%r1 = "stablehlo.{op}"({names}) : ({types}) -> $R', [result] * 2)


def elements():
    for op in BINARY:
        codes = tuple(rule_of(op)(F32, a, b) for a, b in zip(X.codes, Y.codes))
        yield both(op, [X, Y], Array(F32, X.dims, codes))
    for op in ("negate", "abs", "sign"):
        yield both(op, [X], Array(F32, X.dims, tuple(rule_of(op)(F32, c) for c in X.codes)))
    for op in ("and", "or", "xor"):
        m = arrays.iota(S32, (2, 3), -2)
        yield both(op, [N, m], Array(S32, N.dims, tuple(
            rule_of(op)(S32, a, b) for a, b in zip(N.codes, m.codes))))
    for direction in ("EQ", "NE", "LT", "LE", "GT", "GE"):
        found = Array(PRED, X.dims, tuple(comparison.rule(direction)(F32, a, b)
                                          for a, b in zip(X.codes, Y.codes)))
        yield form(f"compare_{direction.lower()}", "compare, pretty and generic", "Elements",
                   [X, Y], f"%r0 = stablehlo.compare {direction}, %a, %b, FLOAT : ($A, $B) -> $R\n"
                   '%r1 = "stablehlo.compare"(%a, %b) <{comparison_direction = '
                   f"#stablehlo<comparison_direction {direction}>}}> : ($A, $B) -> $R",
                   [found] * 2)
    low, high = (Array(F32, (), vector(F32, x).codes) for x in (-1, 2))
    yield form("clamp_scalars", "bounds that are scalars", "Elements", [low, X, high],
               "%r = stablehlo.clamp %a, %b, %c : ($A, $B, $C) -> $R",
               [Array(F32, X.dims, tuple(rule_of("clamp")(F32, low.codes[0], c, high.codes[0])
                                         for c in X.codes))])


def sizes():
    six = arrays.iota(S32, (6,))
    shaped = Array(S32, (2, 3), six.codes)
    yield form("dynamic_reshape_open", "two open sizes", "Sizes", [six],
               """%s = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
               %0 = stablehlo.dynamic_reshape %a, %s : ($A, tensor<2xi64>) -> tensor<?x?xi32>
               %r = stablehlo.reshape %0 : (tensor<?x?xi32>) -> $R""", [shaped])
    yield form("dynamic_reshape_known", "both sizes known", "Sizes", [six],
               """%s = stablehlo.constant dense<[2, 3]> : tensor<2xi32>
               %r = "stablehlo.dynamic_reshape"(%a, %s) : ($A, tensor<2xi32>) -> $R""", [shaped])
    wide = arrays.build(S32, (2, 2, 3), lambda i: shaped.at(i[1:]))
    yield form("dynamic_broadcast_in_dim", "sizes of a broadcast", "Sizes", [shaped],
               """%s = stablehlo.constant dense<[2, 2, 3]> : SIZES
               %r = stablehlo.dynamic_broadcast_in_dim %a, %s, dims = [1, 2] : ($A, SIZES) -> $R
               """.replace("SIZES", "tensor<3xi64>"),
               [wide])
    yield form("dynamic_iota", "sizes of an iota", "Sizes", [],
               """%s = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
               %r = stablehlo.dynamic_iota %s, dim = 1 : (tensor<2xi64>) -> $R""",
               [arrays.build(S32, (2, 3), lambda i: i[1])])
    yield form("real_dynamic_slice", "starts, limits and strides", "Sizes", [six],
               """%s = stablehlo.constant dense<1> : SIZE
               %l = stablehlo.constant dense<6> : SIZE
               %t = stablehlo.constant dense<2> : SIZE
               %r = stablehlo.real_dynamic_slice %a, %s, %l, %t : ($A, SIZE, SIZE, SIZE) -> $R
               """.replace("SIZE", "tensor<1xi64>"),
               [vector(S32, 2, 4, 6)])
    yield form("dynamic_pad", "edges of a pad, one of them negative", "Sizes", [six],
               """%v = stablehlo.constant dense<-1> : tensor<i32>
               %l = stablehlo.constant dense<1> : SIZE
               %h = stablehlo.constant dense<-2> : SIZE
               %i = stablehlo.constant dense<0> : SIZE
               %r = stablehlo.dynamic_pad %a, %v, %l, %h, %i : ($A, tensor<i32>, SIZE, SIZE, SIZE)
               """.rstrip().replace("SIZE", "tensor<1xi64>") + " -> $R",
               [vector(S32, -1, 1, 2, 3, 4)])
    yield form("get_dimension_size", "a known size", "Sizes", [shaped],
               "%r = stablehlo.get_dimension_size %a, dim = 1 : ($A) -> $R",
               [Array(S32, (), (3,))])


def attributes():
    """A gather of rows, whose attributes stand in four places."""
    rows, at = matrix(S32, [1, 2], [3, 4], [5, 6]), matrix(S64, [2], [0])
    numbers = ("dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = "
               "[0], start_index_map = [0], index_vector_dim = 1>")
    cut = "slice_sizes = array<i64: 1, 2>"
    found = matrix(S32, [5, 6], [1, 2])
    for name, text in (("braces", f"{{{numbers}, {cut}}}"),
                       ("properties", f"<{{{numbers}, {cut}}}>"),
                       ("both", f"<{{{numbers}}}> {{{cut}}}"),
                       ("others", f"<{{{cut}, {numbers}}}> {{a.b = \"c\", unit}}")):
        yield form(f"gather_{name}", f"attributes in {name}", "Attributes", [rows, at],
                   f'%r = "stablehlo.gather"(%a, %b) {text} : ($A, $B) -> $R', [found])
    yield form("reverse_pretty", "dimensions in their pretty place", "Attributes", [rows],
               """%0 = stablehlo.reverse %a, dims = [0] {mhlo.sharding = "{replicated}"} : $A
               %r = "stablehlo.reverse"(%0) <{dimensions = array<i64: 1>}> : ($A) -> $R""",
               [matrix(S32, [6, 5], [4, 3], [2, 1])])


def summed(config: str, x: Array, y: Array) -> Array:
    """einsum by its definition: over all values of the letters, the sum of the products."""
    operands, to = config.split("->")
    a, b = operands.split(",")
    sizes = dict(zip(a + b, x.dims + y.dims))
    found: dict = {}
    for numbers in itertools.product(*map(range, sizes.values())):
        place = dict(zip(sizes, numbers))
        i, j, k = (tuple(place[letter] for letter in names) for names in (a, b, to))
        found[k] = found.get(k, 0) + S32.integer(x.at(i)) * S32.integer(y.at(j))
    return arrays.build(S32, [sizes[letter] for letter in to], lambda k: S32.wrap(found[k]))


def einsums():
    """Letters that stand in one operand only and not in the result."""
    for what, config, left, right in (
            ("left", "ij,jk->k", (3, 2), (2, 4)), ("right", "ij,jk->i", (3, 2), (2, 4)),
            ("both", "ij,kl->kj", (3, 2), (4, 2)), ("batch", "aij,ajk->ka", (2, 3, 2), (2, 2, 4)),
            ("dot", "ij,jk->", (3, 2), (2, 4))):
        x, y = arrays.iota(S32, left, -2), arrays.iota(S32, right, 3)
        yield form(f"einsum_sum_{what}", f"{config}: what one operand has alone is summed over",
                   "Shapes", [x, y], '%r = "stablehlo.einsum"(%a, %b) {einsum_config = '
                   f'"{config}"}} : ($A, $B) -> $R', [summed(config, x, y)])


def shapes():
    yield from einsums()
    yield from extremes()
    rows, which = matrix(S32, [1, 2], [3, 4], [5, 6]), vector(S32, 2, 0, 2)
    yield form("torch_index_select", "rows by a vector of indices", "Shapes", [rows, which],
               '%r = "stablehlo.torch_index_select"(%a, %b) {dim = 0 : i64, batch_dims = 0 : '
               "i64} : ($A, $B) -> $R", [matrix(S32, [5, 6], [1, 2], [5, 6])])
    square = matrix(S32, [1, 2], [3, 4])
    yield form("einsum_product", "a product of matrices", "Shapes", [rows, square],
               '%r = "stablehlo.einsum"(%a, %b) {einsum_config = "ij,jk->ik"} : ($A, $B) -> $R',
               [matrix(S32, [7, 10], [15, 22], [23, 34])])
    yield form("einsum_turned", "a product of matrices, turned", "Shapes", [rows, square],
               '%r = "stablehlo.einsum"(%a, %b) {einsum_config = "ij,jk->ki"} : ($A, $B) -> $R',
               [matrix(S32, [7, 15, 23], [10, 22, 34])])
    yield form("unary_einsum", "a sum of rows", "Shapes", [rows],
               '%r = "stablehlo.unary_einsum"(%a) {einsum_config = "ij->i"} : ($A) -> $R',
               [vector(S32, 3, 7, 11)])
    yield form("broadcast_in_dim", "a dimension of size 1 that grows", "Shapes",
               [matrix(S32, [1], [2])],
               "%r = stablehlo.broadcast_in_dim %a, dims = [0, 1] : ($A) -> $R",
               [matrix(S32, [1, 1, 1], [2, 2, 2])])
    z = Array(C64, (2,), tuple(zip(vector(F32, 1, "-0").codes, vector(F32, 3, -4).codes)))
    yield form("convert_complex", "of complex numbers the real part counts", "Shapes", [z],
               "%r = stablehlo.convert %a : ($A) -> $R", [vector(F32, 1, "-0")])
    flags = Array(PRED, (8,), (1, 0, 0, 0, 0, 1, 0, 1))
    yield form("bitcast_of_bits", "eight i1 are the bits of a byte, the lowest first", "Shapes",
               [flags], "%r = stablehlo.bitcast_convert %a : ($A) -> $R",
               [Array(U8, (), (0b10100001,))])


def captures():
    """Regions that use values of outside."""
    for k, found in ((0, (-1, -2, -3)), (1, (2, 4, 6)), (7, (2, 4, 6)), (-1, (2, 4, 6))):
        yield form(f"case_{'minus_' * (k < 0)}{abs(k)}", "branches that use values of outside",
                   "Shapes", [Array(S32, (), (S32.wrap(k),)), vector(S32, 1, 2, 3)],
                   """%r = "stablehlo.case"(%a) ({
                     %0 = stablehlo.negate %b : $B
                     stablehlo.return %0 : $B
                   }, {
                     %1 = stablehlo.add %b, %b : $B
                     stablehlo.return %1 : $B
                   }) : ($A) -> $R""", [vector(S32, *found)])
    yield form("while_captures", "a loop whose body uses a value of outside", "Shapes",
               [vector(S32, 1, 2, 3)], """%i = stablehlo.constant dense<0> : tensor<i32>
               %n = stablehlo.constant dense<4> : tensor<i32>
               %one = stablehlo.constant dense<1> : tensor<i32>
               %w:2 = stablehlo.while(%j = %i, %x = %a) : tensor<i32>, $A
               cond {
                 %p = stablehlo.compare LT, %j, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
                 stablehlo.return %p : tensor<i1>
               } do {
                 %k = stablehlo.add %j, %one : tensor<i32>
                 %y = stablehlo.add %x, %a : $A
                 stablehlo.return %k, %y : tensor<i32>, $A
               }
               %r = stablehlo.reshape %w#1 : ($A) -> $R""", [vector(S32, 5, 10, 15)])


def least_ranks(given: list[list[int]]) -> list[list[int]]:
    """Neighbouring dimensions that the same shapes have beyond 1 are one; those of 1 in all
    shapes, and at the beginning of a shape, are none."""
    rank = max(map(len, given))
    groups: list[list[int]] = []
    for sizes in zip(*([1] * (rank - len(x)) + x for x in given)):
        if {*sizes} == {1}:
            continue
        if groups and [n == 1 for n in groups[-1]] == [n == 1 for n in sizes]:
            groups[-1] = [m * n for m, n in zip(groups[-1], sizes)]
        else:
            groups.append([*sizes])
    return [list(itertools.dropwhile(lambda n: n == 1, x)) for x in zip(*groups)]


def least_shapes():
    """Both forms of chlo.minimum_broadcast_shapes, of two shapes and of three."""
    for what, given in (("merged", [[5, 1, 2, 3], [2, 3]]), ("apart", [[2, 3, 5], [1, 3, 1]]),
                        ("three", [[2, 3, 4], [2, 3, 1], [4]]),
                        ("inner", [[7, 2, 1, 3, 2], [2, 1, 3, 1], [7, 1, 1, 1, 1]])):
        found = [vector(S64, *x) for x in least_ranks(given)]
        lines = [f"%s{k} = stablehlo.constant dense<{x}> : tensor<{len(x)}xi64>"
                 for k, x in enumerate(given)]
        names = ", ".join(f"%s{k}" for k in range(len(given)))
        out = ", ".join(f"%r{k}" for k in range(len(given)))
        taken = ", ".join(f"tensor<{len(x)}xi64>" for x in given)
        made = ", ".join(map(tensor, found))
        call = (f"chlo.minimum_broadcast_shapes {names} : {taken} -> {made}"
                if len(given) == 2 else
                f'"chlo.minimum_broadcast_shapes"({names}) : ({taken}) -> ({made})')
        yield form(f"minimum_broadcast_shapes_{what}", "shapes of least rank that broadcast "
                   f"as {', '.join(map(str, given))} do", "Chlo", [],
                   "\n".join([*lines, f"{out} = {call}"]), found)


def extremes():
    """The greatest of each row, or the least, for which chlo.top_k has no attribute."""
    rows = matrix(F32, [3, 1, 4, 1], [2, 7, "-1", 8])
    for what, said, best, places in (
            ("smallest", ", largest = false", [[1, 1, 3], [-1, 2, 7]], [[1, 3, 0], [2, 0, 1]]),
            ("largest", ", largest = true", [[4, 3, 1], [8, 7, 2]], [[2, 0, 1], [3, 1, 0]]),
            ("default", "", [[4, 3, 1], [8, 7, 2]], [[2, 0, 1], [3, 1, 0]])):
        yield form(f"topk_{what}", f"three of each row, {what}", "Shapes", [rows],
                   "%r0, %r1 = stablehlo.custom_call @mhlo.topk(%a) {mhlo.attributes = "
                   f"{{k = 3 : i64{said}}}}} : ($A) -> ($R, tensor<2x3xi32>)",
                   [matrix(F32, *best), matrix(S32, *places)])


def chlo():
    yield from least_shapes()
    row, matrix_ = vector(F32, 10, 20, 30), matrix(F32, [1, 2, 3], [4, 5, 6])
    yield form("broadcast_add", "operands of different rank, by their last dimensions", "Chlo",
               [matrix_, row], '%r = "chlo.broadcast_add"(%a, %b) : ($A, $B) -> $R',
               [matrix(F32, [11, 22, 33], [14, 25, 36])])
    yield form("broadcast_at", "broadcast_dimensions", "Chlo", [matrix_, vector(F32, 10, 20)],
               '%r = "chlo.broadcast_subtract"(%a, %b) {broadcast_dimensions = array<i64: 0>} : '
               "($A, $B) -> $R", [matrix(F32, [-9, -8, -7], [-16, -15, -14])])
    yield form("constant_like_dense", "a dense value at every place", "Chlo", [matrix_],
               '%r = "chlo.constant_like"(%a) {value = dense<3.0> : tensor<f32>} : ($A) -> $R',
               [matrix(F32, [3, 3, 3], [3, 3, 3])])
    yield form("constant_like", "a number at every place", "Chlo", [matrix_],
               '%r = "chlo.constant_like"(%a) {value = 3.0 : f32} : ($A) -> $R',
               [matrix(F32, [3, 3, 3], [3, 3, 3])])
    yield form("square_and_conj", "a square, and a conjugate", "Chlo",
               [Array(C64, (1,), ((0x3F800000, 0x40000000),))],
               '%r = "chlo.conj"(%a) : ($A) -> $R', [Array(C64, (1,), ((0x3F800000, 0xC0000000),))])
    yield form("top_k", "the two greatest of each row", "Chlo", [matrix(F32, [1, 4, 2])],
               "%r0, %r1 = chlo.top_k(%a, k = 2) : $A -> ($R, tensor<1x2xi32>)",
               [matrix(F32, [4, 2]), matrix(S32, [1, 2])])
    yield form("scan_inits", "a scan that begins with an initial value", "Chlo",
               [vector(S32, 1, 2, 3), Array(S32, (), (10,))],
               """%r0, %r1 = chlo.scan(%a) inits(%b) dimension=0 attributes {is_reverse = false} {
               ^bb0(%x: tensor<i32>, %c: tensor<i32>):
                 %s = stablehlo.add %x, %c : tensor<i32>
                 stablehlo.return %s, %s : tensor<i32>, tensor<i32>
               } : ($A, $B) -> ($R, $B)""", [vector(S32, 11, 13, 16), Array(S32, (), (16,))])


def refusals():
    yield refused("attribute_twice", "an attribute that stands in <{ }> and in { }", """\
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %r = "stablehlo.reverse"(%a) <{dimensions = array<i64: 0>}> {dimensions = array<i64: 0>} \
: (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}
""", "stablehlo.attribute", [vector(F32, 1, 2)])
    yield refused("open_size", "sizes that nothing says", """\
func.func @main(%a: tensor<4xf32>, %n: tensor<1xi32>) -> tensor<?xf32> {
  %r = stablehlo.dynamic_reshape %a, %n : (tensor<4xf32>, tensor<1xi32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
""", "stablehlo.dynamic", [vector(F32, 1, 2, 3, 4), vector(S32, 4)])
    yield refused("implicit_broadcast", "no operation broadcasts by itself", """\
func.func @main(%a: tensor<2x3xf32>, %b: tensor<3xf32>) -> tensor<2x3xf32> {
  %r = "stablehlo.add"(%a, %b) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
""", "add.C1", [X, vector(F32, 1, 2, 3)])
    yield refused("missing_attribute", "an attribute that the operation needs", """\
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %r = "stablehlo.reverse"(%a) : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}
""", "stablehlo.needs", [vector(F32, 1, 2)])


def cases():
    for part in (elements, sizes, attributes, shapes, captures, chlo, refusals):
        yield from part()
