"""Element-wise operations, changes of shape, control and CHLO."""

from __future__ import annotations

from fractions import Fraction

from assaygen import arrays
from assaygen.arrays import Array
from ops import custom_call
from sequences.elements import code_of, matrix, rule_of, vector
from stablehlo.forms import C64, F32, PRED, S32, S64, form, refused
from stablehlo.linear import carried
from stablehlo.operations import one

WHY = {
    "Exact": "functions where their values are numbers, in the pretty form",
    "Control": "choices, loops and tuples in the generic form",
}

# Functions with an argument and the exact value there.
POINTS = {
    "cbrt": (1, 1), "ceil": ("1.5", 2), "cosine": (0, 1), "exponential": (0, 1),
    "exponential_minus_one": (0, 0), "floor": ("-1.5", -2), "log": (1, 0), "log_plus_one": (0, 0),
    "round_nearest_afz": ("2.5", 3), "round_nearest_even": ("2.5", 2), "rsqrt": (4, "0.5"),
    "sine": (0, 0), "sqrt": (9, 3), "tan": (0, 0), "tanh": (0, 0), "logistic": (0, "0.5"),
}
CHLO_POINTS = {
    "acos": (1, 0), "acosh": (1, 0), "asin": (0, 0), "asinh": (0, 0), "atan": (0, 0),
    "atanh": (0, 0), "bessel_i1e": (0, 0), "cosh": (0, 1), "erf": (0, 0), "erf_inv": (0, 0),
    "erfc": (0, 1), "lgamma": (1, 0), "sinh": (0, 0), "square": (-3, 9), "tan": (0, 0),
    "conj": (-3, -3),
}


def points():
    for dialect, table in (("stablehlo", POINTS), ("chlo", CHLO_POINTS)):
        for op, (x, y) in table.items():
            colon = "->" if dialect == "chlo" else ":"
            pretty = (f"%r0 = {dialect}.{op} %a : $A" if colon == ":" else
                      f"%r0 = {dialect}.{op} %a : $A -> $R")
            yield form(f"{dialect}_{op}_at_{str(x).replace('-', 'minus_').replace('.', '_')}",
                       f"{op} where its value is {y}", "Exact", [vector(F32, x, x)],
                       f'{pretty}\n%r1 = "{dialect}.{op}"(%a) : ($A) -> $R',
                       [vector(F32, y, y)] * 2)
    for op in ("is_inf", "is_pos_inf", "is_neg_inf"):
        x = vector(F32, "inf", "-inf", "nan", 1)
        yes = {"is_inf": (1, 1, 0, 0), "is_pos_inf": (1, 0, 0, 0), "is_neg_inf": (0, 1, 0, 0)}[op]
        yield form(f"chlo_{op}", "infinities of either sign", "Exact", [x],
                   f"%r = chlo.{op} %a : $A -> $R", [Array(PRED, (4,), yes)])
    yield form("is_finite", "neither infinite nor NaN", "Exact", [x],
               "%r = stablehlo.is_finite %a : ($A) -> $R", [Array(PRED, (4,), (0, 0, 0, 1))])
    yield form("chlo_next_after", "the next number upwards or downwards", "Exact",
               [vector(F32, 1, 1, 0), vector(F32, 2, 0, 0)],
               "%r = chlo.next_after %a, %b : $A, $B -> $R",
               [Array(F32, (3,), (0x3F800001, 0x3F7FFFFF, 0))])
    yield form("cbrt_complex", "a complex root", "Exact", [vector(C64, (1, 0), (0, 0))],
               '%r = "stablehlo.cbrt"(%a) : ($A) -> $R', [vector(C64, (1, 0), (0, 0))])
    yield form("chlo_asin_acos_kernel", "sqrt(1 - z^2), and the size of an imaginary part", "Exact",
               [vector(C64, (0, 0), (1, 0))], '%r = "chlo._asin_acos_kernel"(%a) : ($A) -> $R',
               [vector(C64, (1, 0), (0, 0))])
    for case in custom_call.at_poles():
        if case.what.startswith("f32"):
            name = case.what.split("/")[1]
            yield carried(f"chlo_{name}", case, f"%r = chlo.{name.split('_')[0]} %a, %b : "
                          "$A, $B -> $R")
    rows = [(code_of(F32, x),) for x in ("0.25", 3, "5.5")]
    inputs, answers = custom_call.evaluated(custom_call.ONE["digamma"], F32, rows)
    case = custom_call.Case("", "digamma of a few numbers", "", [custom_call.expectation(
        "digamma", F32, answers)], [], inputs)
    yield carried("chlo_digamma", case, "%r = chlo.digamma %a : $A -> $R")


# Of the integer, or of its bits, by a number from 0 to the width.
SHIFTS = {"shift_left": lambda n, k: n << k, "shift_right_arithmetic": lambda n, k: n >> k,
          "shift_right_logical": lambda n, k: S32.wrap(n) >> k}


def bitwise():
    n, k = vector(S32, -8, 5, 1 << 30, 0), vector(S32, 1, 3, 31, 32)
    for op, shifted in SHIFTS.items():
        yield form(op, f"{op}, also by all bits", "Exact", [n, k],
                   f"%r0 = stablehlo.{op} %a, %b : $A\n"
                   f'%r1 = "stablehlo.{op}"(%a, %b) : ($A, $B) -> $R',
                   [vector(S32, *(S32.wrap(shifted(S32.integer(a), b))
                                  for a, b in zip(n.codes, k.codes)))] * 2)
    for op in ("not", "popcnt", "count_leading_zeros"):
        yield form(op, op, "Exact", [n], f"%r = stablehlo.{op} %a : $A",
                   [Array(S32, (4,), tuple(rule_of(op)(S32, c) for c in n.codes))])
    yield form("chlo_mulhi", "the upper half of a product", "Exact", [n, k],
               "%r = chlo.mulhi %a, %b : $A, $B -> $R",
               [Array(S32, (4,), tuple(rule_of("mulhi")(S32, a, b)
                                       for a, b in zip(n.codes, k.codes)))])


def parts():
    z = matrix(C64, [(1, 2), (3, -4)])
    w = matrix(C64, [(1, 5), (2, 9)])
    re, im = matrix(F32, [1, 3]), matrix(F32, [2, -4])
    yield form("complex", "of two parts", "Exact", [re, im],
               "%r0 = stablehlo.complex %a, %b : $R\n"
               '%r1 = "stablehlo.complex"(%a, %b) : ($A, $B) -> $R', [z, z])
    yield form("parts", "the real and the imaginary part", "Exact", [z],
               "%r0 = stablehlo.real %a : ($A) -> $R\n%r1 = stablehlo.imag %a : ($A) -> $R",
               [re, im])
    yield form("parts_of_real", "a real number has the imaginary part 0", "Exact", [im],
               '%r0 = "stablehlo.real"(%a) : ($A) -> $R\n%r1 = stablehlo.imag %a : $A',
               [im, matrix(F32, [0, 0])])
    yield form("extremes_complex", "the real parts count, or else the imaginary ones", "Exact",
               [z, w], '%r0 = "stablehlo.maximum"(%a, %b) : ($A, $B) -> $R\n'
               "%r1 = stablehlo.minimum %a, %b : $A",
               [matrix(C64, [(1, 5), (3, -4)]), matrix(C64, [(1, 2), (2, 9)])])
    yield form("reduce_precision", "a format of fewer bits", "Exact", [vector(F32, "1.40625", 3)],
               "%r0 = stablehlo.reduce_precision %a, format = e5m2 : $A\n"
               '%r1 = "stablehlo.reduce_precision"(%a) <{exponent_bits = 5 : i32, '
               "mantissa_bits = 2 : i32}> : ($A) -> $R", [vector(F32, "1.5", 3)] * 2)
    flags = Array(PRED, (2,), (1, 0))
    yield form("select", "of two arrays, by flags or by one", "Exact",
               [flags, vector(S32, 1, 2), vector(S32, 3, 4), Array(PRED, (), (0,))],
               "%r0 = stablehlo.select %a, %b, %c : $A, $B\n"
               "%r1 = stablehlo.select %d, %b, %c : ($D, $B, $C) -> $R",
               [vector(S32, 1, 4), vector(S32, 3, 4)])
    yield form("compare_totalorder", "-0 before 0, NaN behind all", "Exact",
               [vector(F32, "-0", "nan", 1), vector(F32, 0, "inf", 1)],
               "%r0 = stablehlo.compare LT, %a, %b, TOTALORDER : ($A, $B) -> $R\n"
               '%r1 = "stablehlo.compare"(%a, %b) <{compare_type = #stablehlo<comparison_type '
               "TOTALORDER>, comparison_direction = #stablehlo<comparison_direction GE>}> : "
               "($A, $B) -> $R", [Array(PRED, (3,), (1, 0, 0)), Array(PRED, (3,), (0, 1, 1))])


def moved():
    x = arrays.iota(S32, (2, 3))
    yield form("broadcast", "new dimensions before the others", "Shapes", [x],
               "%r0 = stablehlo.broadcast %a, sizes = [2, 1] : ($A) -> $R\n"
               '%r1 = "stablehlo.broadcast"(%a) <{broadcast_sizes = array<i64: 2, 1>}> : '
               "($A) -> $R", [arrays.build(S32, (2, 1, 2, 3), lambda i: x.at(i[2:]))] * 2)
    yield form("iota", "along either dimension", "Shapes", [],
               "%r0 = stablehlo.iota dim = 0 : $R\n"
               '%r1 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> $R',
               [matrix(S32, [0, 0, 0], [1, 1, 1]), matrix(S32, [0, 1, 2], [0, 1, 2])])
    turned = arrays.build(S32, (3, 2), lambda i: x.at((i[1], i[0])))
    yield form("transpose", "pretty and generic", "Shapes", [x],
               "%r0 = stablehlo.transpose %a, dims = [1, 0] : ($A) -> $R\n"
               '%r1 = "stablehlo.transpose"(%a) <{permutation = array<i64: 1, 0>}> : ($A) -> $R',
               [turned] * 2)
    both = arrays.build(S32, (2, 5), lambda i: x.at(i) if i[1] < 3 else x.at((i[0], i[1] - 3)))
    yield form("concatenate", "three operands, one without elements", "Shapes",
               [x, Array(S32, (2, 0), ())], "%0 = stablehlo.slice %a [0:2, 0:2] : ($A) -> "
               "tensor<2x2xi32>\n"
               "%r0 = stablehlo.concatenate %a, %b, %0, dim = 1 : ($A, $B, tensor<2x2xi32>) -> $R\n"
               '%r1 = "stablehlo.concatenate"(%a, %b, %0) <{dimension = 1 : i64}> : '
               "($A, $B, tensor<2x2xi32>) -> $R", [both] * 2)
    yield form("dynamic_reshape_rest", "a size of -1 takes what is left", "Sizes", [x],
               """%s = stablehlo.constant dense<[3, -1]> : tensor<2xi64>
               %0 = "chlo.dynamic_reshape"(%a, %s) : ($A, tensor<2xi64>) -> tensor<?x?xi32>
               %r = stablehlo.reshape %0 : (tensor<?x?xi32>) -> $R""",
               [Array(S32, (3, 2), x.codes)])
    yield form("sizes_open", "open sizes of broadcasts and iotas", "Sizes", [vector(S32, 5, 6)],
               """%s = stablehlo.constant dense<[3, 2]> : tensor<2xi32>
               %0 = "stablehlo.dynamic_broadcast_in_dim"(%a, %s) <{broadcast_dimensions =
                 array<i64: 1>}> : ($A, tensor<2xi32>) -> tensor<?x?xi32>
               %1 = "stablehlo.dynamic_iota"(%s) <{iota_dimension = 0 : i64}> : (tensor<2xi32>)
                 -> tensor<?x?xi32>
               %2 = stablehlo.add %0, %1 : tensor<?x?xi32>
               %r = stablehlo.reshape %2 : (tensor<?x?xi32>) -> $R""",
               [matrix(S32, [5, 6], [6, 7], [7, 8])])
    yield form("sizes_computed", "sizes of constants by operations and by a function", "Sizes", [x],
               """%c = stablehlo.constant dense<[1, 4]> : tensor<2xi64>
               %i = stablehlo.iota dim = 0 : tensor<2xi64>
               %0 = stablehlo.subtract %c, %i : tensor<2xi64>
               %1 = func.call @more(%0) : (tensor<2xi64>) -> tensor<2xi64>
               %2 = stablehlo.dynamic_reshape %a, %1 : ($A, tensor<2xi64>) -> tensor<?x?xi32>
               %r = stablehlo.reshape %2 : (tensor<?x?xi32>) -> $R""",
               [Array(S32, (2, 3), x.codes)], head="""\
func.func private @more(%a: tensor<2xi64>) -> tensor<2xi64> {
  %c = stablehlo.constant dense<[1, 0]> : tensor<2xi64>
  %0 = stablehlo.add %a, %c : tensor<2xi64>
  return %0 : tensor<2xi64>
}
""")
    yield form("open_function", "a function of open sizes, called with two shapes", "Sizes", [x],
               """%n = stablehlo.constant dense<[3, 2]> : tensor<2xi64>
               %x = stablehlo.convert %a : ($A) -> tensor<?x?xi32>
               %0 = call @shaped(%x, %n) : (tensor<?x?xi32>, tensor<2xi64>) -> tensor<?x?xi32>
               %2 = call @shaped(%0, %n) : (tensor<?x?xi32>, tensor<2xi64>) -> tensor<?x?xi32>
               %r = stablehlo.reshape %2 : (tensor<?x?xi32>) -> $R""",
               [Array(S32, (3, 2), tuple(S32.wrap(4 * S32.integer(c)) for c in x.codes))], head="""\
func.func private @shaped(%a: tensor<?x?xi32>, %n: tensor<2xi64>) -> tensor<?x?xi32> {
  %0 = stablehlo.add %a, %a : tensor<?x?xi32>
  %1 = stablehlo.dynamic_reshape %0, %n : (tensor<?x?xi32>, tensor<2xi64>) -> tensor<?x?xi32>
  return %1 : tensor<?x?xi32>
}
""")
    yield form("constants_inside", "a region in a region uses constants made outside", "Control",
               [vector(S32, 1, -2, 3)], """%c = stablehlo.constant dense<5> : tensor<i32>
               %k = stablehlo.negate %c : tensor<i32>
               %r = "stablehlo.map"(%a) <{dimensions = array<i64: 0>}> ({
               ^bb0(%x: tensor<i32>):
                 %p = stablehlo.compare LT, %x, %k : (tensor<i32>, tensor<i32>) -> tensor<i1>
                 %0 = "stablehlo.if"(%p) ({
                   stablehlo.return %k : tensor<i32>
                 }, {
                   %1 = stablehlo.multiply %x, %k : tensor<i32>
                   stablehlo.return %1 : tensor<i32>
                 }) : (tensor<i1>) -> tensor<i32>
                 stablehlo.return %0 : tensor<i32>
               }) : ($A) -> $R""", [vector(S32, -5, 10, -15)])
    yield form("set_dimension_size", "a size that it has already", "Sizes", [x],
               """%n = stablehlo.constant dense<3> : tensor<i32>
               %0 = "stablehlo.set_dimension_size"(%a, %n) <{dimension = 1 : i64}> : ($A,
                 tensor<i32>) -> $A
               %r = stablehlo.reshape %0 : ($A) -> $R""", [x])


def control():
    x = vector(S32, 1, 2)
    for flag in (0, 1):
        yield form(f"if_{flag}", "two results of each branch", "Control",
                   [Array(PRED, (), (flag,)), x], """%0:2 = "stablehlo.if"(%a) ({
                     %1 = stablehlo.negate %b : $B
                     stablehlo.return %1, %b : $B, $B
                   }, {
                     "stablehlo.return"(%b, %b) : ($B, $B) -> ()
                   }) : ($A) -> ($R, $R)
                   %r = stablehlo.subtract %0#0, %0#1 : $R""",
                   [vector(S32, -2, -4) if flag else vector(S32, 0, 0)])
    yield form("while_generic", "Fibonacci's numbers", "Control", [one(0), one(1), one(7)],
               """%0:3 = "stablehlo.while"(%a, %b, %c) ({
               ^bb0(%x: tensor<i32>, %y: tensor<i32>, %n: tensor<i32>):
                 %zero = stablehlo.constant dense<0> : tensor<i32>
                 %p = stablehlo.compare GT, %n, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
                 stablehlo.return %p : tensor<i1>
               }, {
               ^bb0(%x: tensor<i32>, %y: tensor<i32>, %n: tensor<i32>):
                 %one = stablehlo.constant dense<1> : tensor<i32>
                 %s = stablehlo.add %x, %y : tensor<i32>
                 %m = stablehlo.subtract %n, %one : tensor<i32>
                 stablehlo.return %y, %s, %m : tensor<i32>, tensor<i32>, tensor<i32>
               }) : ($A, $B, $C) -> ($A, $B, $C)
               %r0, %r1, %r2 = "stablehlo.optimization_barrier"(%0#0, %0#1, %0#2) :
                 ($A, $B, $C) -> ($A, $B, $C)""", [one(13), one(21), one(0)])
    yield form("tuples", "a tuple of an array and a tuple", "Control", [x, one(5)],
               """%0 = stablehlo.tuple %b : tuple<$B>
               %1 = "stablehlo.tuple"(%a, %0) : ($A, tuple<$B>) -> tuple<$A, tuple<$B>>
               %2 = stablehlo.get_tuple_element %1[1] : (tuple<$A, tuple<$B>>) -> tuple<$B>
               %r0 = "stablehlo.get_tuple_element"(%1) <{index = 0 : i32}> :
                 (tuple<$A, tuple<$B>>) -> $A
               %r1 = stablehlo.get_tuple_element %2[0] : (tuple<$B>) -> $B""", [x, one(5)])
    yield form("tokens", "tokens that nothing else needs", "Control", [x],
               """%0 = stablehlo.create_token : !stablehlo.token
               %1 = "stablehlo.after_all"(%0, %0) : (!stablehlo.token, !stablehlo.token) ->
                 !stablehlo.token
               %2 = stablehlo.after_all %1, %0 : !stablehlo.token
               %r = stablehlo.negate %a : $A""", [vector(S32, -1, -2)])


def at_end(i, x: Array):
    """The element of an operand of lower rank, or of sizes 1, at a place of the result."""
    i = i[len(i) - len(x.dims):]
    return x.at(tuple(0 if n == 1 else k for k, n in zip(i, x.dims)))


# What an operation of integers gives, the divisor never 0.
INTEGERS = {
    "multiply": lambda a, b: a * b, "divide": lambda a, b: int(Fraction(a, b)),
    "remainder": lambda a, b: a - int(Fraction(a, b)) * b, "maximum": max, "minimum": min,
    "and": lambda a, b: a & b, "or": lambda a, b: a | b, "xor": lambda a, b: a ^ b,
    "power": lambda a, b: a ** b, **SHIFTS,
}


def broadcasts():
    x, y = matrix(S32, [-7, 5, 9], [4, -2, 6]), vector(S32, 3, 2, 1)
    for op, rule in INTEGERS.items():
        yield form(f"broadcast_{op}", f"{op} of a matrix and of a row", "Chlo", [x, y],
                   f'%r0 = "chlo.broadcast_{op}"(%a, %b) : ($A, $B) -> $R\n'
                   f"%r1 = chlo.broadcast_{op} %a, %b : ($A, $B) -> $R",
                   [arrays.build(S32, x.dims, lambda i: S32.wrap(rule(
                       S32.integer(x.at(i)), S32.integer(y.at(i[1:])))))] * 2)
    column = matrix(F32, [1], [-2])
    row = vector(F32, -2, 0, 5)
    yield form("broadcast_complex", "the column has the real parts, the row the others", "Chlo",
               [column, row], '%r = "chlo.broadcast_complex"(%a, %b) : ($A, $B) -> $R',
               [arrays.build(C64, (2, 3), lambda i: (column.at((i[0], 0)), row.at(i[1:])))])
    yield form("broadcast_compare", "where the column is less than the row", "Chlo",
               [column, row], '%r0 = "chlo.broadcast_compare"(%a, %b) {comparison_direction = '
               "#chlo<comparison_direction LT>} : ($A, $B) -> $R\n"
               '%r1 = "chlo.broadcast_compare"(%a, %b) <{compare_type = #chlo<comparison_type '
               "TOTALORDER>, comparison_direction = #chlo<comparison_direction GE>}> : "
               "($A, $B) -> $R", [Array(PRED, (2, 3), (0, 0, 1, 0, 1, 1)),
                                  Array(PRED, (2, 3), (1, 1, 0, 1, 0, 0))])
    yield form("broadcast_select", "a flag for each column, a scalar, a column", "Chlo",
               [Array(PRED, (3,), (1, 0, 1)), one(9, F32), column],
               '%r = "chlo.broadcast_select"(%a, %b, %c) : ($A, $B, $C) -> $R',
               [matrix(F32, [9, 1, 9], [9, -2, 9])])
    yield form("broadcast_next_after", "towards a scalar", "Chlo", [vector(F32, 1, 2), one(1, F32)],
               '%r = "chlo.broadcast_next_after"(%a, %b) : ($A, $B) -> $R',
               [Array(F32, (2,), (0x3F800000, 0x3FFFFFFF))])
    yield form("broadcast_atan2", "angles on the real axis are 0", "Chlo",
               [matrix(F32, [0], [0]), vector(F32, 1, 2)],
               '%r = "chlo.broadcast_atan2"(%a, %b) : ($A, $B) -> $R',
               [matrix(F32, [0, 0], [0, 0])])
    yield form("broadcast_zeta", "poles at whole numbers that are not positive", "Chlo",
               [one(2, F32), vector(F32, 0, -3)],
               '%r = "chlo.broadcast_zeta"(%a, %b) : ($A, $B) -> $R',
               [vector(F32, "inf", "inf")])
    yield form("broadcast_polygamma", "a pole at 0", "Chlo", [vector(F32, 1, 2), one(0, F32)],
               '%r = "chlo.broadcast_polygamma"(%a, %b) : ($A, $B) -> $R',
               [vector(F32, "inf", "-inf")])
    yield refused("broadcast_sizes", "sizes of 2 and 3 meet", """\
func.func @main(%a: tensor<2xf32>, %b: tensor<3xf32>) -> tensor<3xf32> {
  %r = "chlo.broadcast_add"(%a, %b) : (tensor<2xf32>, tensor<3xf32>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}
""", "stablehlo.broadcast", [vector(F32, 1, 2), vector(F32, 1, 2, 3)])


def alike():
    x = arrays.iota(S32, (2, 2))
    yield form("chlo_constants", "one integer at every place, and an array", "Chlo", [x],
               """%r0 = "chlo.constant_like"(%a) <{value = 7 : i32}> : ($A) -> $R
               %c = "chlo.constant"() <{value = dense<[5, 6]> : tensor<2xi32>}> : () ->
                 tensor<2xi32>
               %0 = stablehlo.constant dense<1> : tensor<2xi32>
               %1 = stablehlo.add %c, %0 : tensor<2xi32>
               %r1 = stablehlo.broadcast_in_dim %1, dims = [1] : (tensor<2xi32>) -> $R""",
               [matrix(S32, [7, 7], [7, 7]), matrix(S32, [6, 7], [6, 7])])
    yield form("cluster", "the operations of a region", "Chlo", [x, one(3)],
               """%r = "chlo.rank_specialization_cluster"(%a, %b) ({
               ^bb0(%x: $A, %y: $B):
                 %0 = "chlo.broadcast_add"(%x, %y) : ($A, $B) -> $A
                 "chlo.rank_specialization_cluster_yield"(%0) : ($A) -> ()
               }) : ($A, $B) -> $R""", [matrix(S32, [4, 5], [6, 7])])


def scans():
    x = matrix(S32, [1, 2, 3], [4, 5, 6])
    body = """^bb0(%x: tensor<2xi32>, %y: tensor<2xi32>):
                 %s = stablehlo.add %x, %y : tensor<2xi32>
                 %t = stablehlo.multiply %s, %k : tensor<2xi32>
                 stablehlo.return %t, %s : tensor<2xi32>, tensor<2xi32>"""
    yield form("scan_outside", "a scan along rows that uses an argument, backwards", "Chlo",
               [x, vector(S32, 10, 20), vector(S32, 2, -1)],
               "%k = stablehlo.negate %c : $C\n"
               "%0:2 = chlo.scan(%a) inits(%b) dimension=1 attributes {is_reverse = true} {\n"
               f"{body}\n}} : ($A, $B) -> ($A, $B)\n"
               "%r0 = stablehlo.reshape %0#0 : ($A) -> $R\n"
               "%r1 = stablehlo.reshape %0#1 : ($B) -> $B",
               [matrix(S32, [-32, -30, -26], [35, 31, 26]), vector(S32, 16, 35)])
    yield form("scan_associative", "products of all numbers up to each", "Chlo",
               [vector(S32, 1, 2, 3, 4), one(1)], """%r0, %r1 = "chlo.scan"(%a, %b) <{dimension = 0
               : i64, is_associative = true, is_reverse = false, operandSegmentSizes = array<i32:
               1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
               ^bb0(%x: tensor<i32>, %c: tensor<i32>):
                 %s = stablehlo.multiply %x, %c : tensor<i32>
                 stablehlo.return %s, %s : tensor<i32>, tensor<i32>
               }) : ($A, $B) -> ($R, $B)""", [vector(S32, 1, 2, 6, 24), one(24)])


def ragged():
    """Rows of the left operand in groups, each group with a matrix of its own."""
    x, y = arrays.iota(S32, (4, 2)), arrays.iota(S32, (2, 2, 3), -3)
    group = [0, 1, 1, 1]
    found = arrays.build(S32, (4, 3), lambda i: S32.wrap(sum(
        S32.integer(x.at((i[0], k))) * S32.integer(y.at((group[i[0]], k, i[1])))
        for k in range(2))))
    yield form("ragged_dot", "a matrix for one row and another for three", "Chlo",
               [x, y, vector(S64, 1, 3)], """%r = "chlo.ragged_dot"(%a, %b, %c) <{
               ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1],
               rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0],
               rhs_group_dimensions = [0]>, precision_config = [#chlo<precision DEFAULT>,
               #chlo<precision HIGHEST>]}> : ($A, $B, $C) -> $R""", [found])


def cases():
    for part in (points, bitwise, parts, moved, control, broadcasts, alike, scans, ragged):
        yield from part()
