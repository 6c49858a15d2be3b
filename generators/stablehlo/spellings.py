"""The same things in every spelling that the text has: numbers, aliases, names, modules."""

from __future__ import annotations

from assaygen import arrays, types
from assaygen.arrays import Array
from assaygen.cases import bits
from sequences.elements import code_of, matrix, vector
from stablehlo.forms import C64, F32, PRED, S32, S64, Text, form, tensor
from stablehlo.operations import BF16, F16, F64, one

WHY = {
    "Literals": "elements of constants: nested, one for all, bits, bytes",
    "Spelling": "aliases, locations, comments, names and modules",
    "Attribute": "attributes of every form, which change nothing",
}
S4, U4, S8, U8, C128, F8, E8 = (types.BY_NAME[n] for n in (
    "s4", "u4", "s8", "u8", "c128", "f8e4m3fn", "f8e8m0fnu"))
X = vector(S32, 1, -2, 3)


def codes(t, *found) -> Array:
    return Array(t, (len(found),), found)


# What stands between dense< and >, and the elements.
DENSE = {
    "nested": ("[[[1, 2], [3, 4]], [[-5, 6], [7, 8]]]",
               matrix(S32, [[1, 2], [3, 4]], [[-5, 6], [7, 8]])),
    "splat": ("7", arrays.splat(S32, (2, 3), 7)),
    "splat_parts": ("(1.0, -2.0)", arrays.splat(C64, (2,), code_of(C64, (1, -2)))),
    "scalar": ("-1.500000e+00", one("-1.5", F32)),
    "none": ("", Array(F32, (2, 0), ())),
    "nothing_in_brackets": ("[[], []]", Array(S32, (2, 0), ())),
    "wrapping": ("[255, 128, -128, 0xF]", codes(S8, 255, 128, 128, 15)),
    "unsigned": ("[255, 0x80]", codes(U8, 255, 128)),
    "long": ("[-9223372036854775808, 18446744073709551615]", codes(S64, 1 << 63, (1 << 64) - 1)),
    "four_bits": ("[-8, 7, 15, 0x9]", codes(S4, 8, 7, 15, 9)),
    "flags": ("[true, false, true]", codes(PRED, 1, 0, 1)),
    "flags_as_numbers": ("[0, 1, -1]", codes(PRED, 0, 1, 1)),
    "flag": ("true", arrays.splat(PRED, (2, 2), 1)),
    "decimals": ("[1.0, -2.5E-1, 3.e+2, 1.0e1, -0.0, 0.1]",
                 codes(F32, 0x3F800000, 0xBE800000, 0x43960000, 0x41200000, 1 << 31, 0x3DCCCCCD)),
    # Halfway between two numbers, then beyond by what a double would lose.
    "rounded": ("[1.00390625, 1.00390625000000000001, 1.01171875]",
                codes(BF16, 0x3F80, 0x3F81, 0x3F82)),
    "rounded_wide": ("[0.1, 4.9e-324, 2.2250738585072011e-308]",
                     codes(F64, 0x3FB999999999999A, 1, 0x000FFFFFFFFFFFFF)),
    "half": ("[65504.0, 6.0e-8, 0x7C00, 1.5]", codes(F16, 0x7BFF, 1, 0x7C00, 0x3E00)),
    "patterns": ("[0x7FC00001, 0xFF800000, 0x00000001, -1.0]",
                 codes(F32, 0x7FC00001, 0xFF800000, 1, 0xBF800000)),
    "patterns_half": ("[0x7FC1, 0xFF80]", codes(BF16, 0x7FC1, 0xFF80)),
    "patterns_wide": ("[0x7FF0000000000000, 0x8000000000000000]",
                      codes(F64, 0x7FF0 << 48, 1 << 63)),
    "patterns_parts": ("[(0x7F800000, 1.0), (-0.0, 0xFFC00000)]",
                       codes(C64, (0x7F800000, 0x3F800000), (0x80000000, 0xFFC00000))),
    "parts": ("[[(1.0, 2.0), (3.0, 4.0)], [(0.5, -0.5), (0.0, 1.0)]]",
              matrix(C128, [(1, 2), (3, 4)], [("0.5", "-0.5"), (0, 1)])),
    "eight_bits": ("[1.0, -448.0, 0x7F, 0.0009765625]", codes(F8, 0x38, 0xFE, 0x7F, 0)),
    "powers": ("[1.0, 2.0, 0.25, 0x00]", codes(E8, 127, 128, 125, 0)),
    "blob": ('"0x0100000000000080FFFFFF7F"', codes(S32, 1, 1 << 31, (1 << 31) - 1)),
    "blob_floats": ('"0x0000803F0000C07F00000080"', codes(F32, 0x3F800000, 0x7FC00000, 1 << 31)),
    "blob_half": ('"0x803f0040"', codes(BF16, 0x3F80, 0x4000)),
    "blob_parts": ('"0x0000803F000000400000404000008040"', matrix(C64, [(1, 2), (3, 4)])),
    "blob_narrow": ('"0x010F07"', codes(S4, 1, 15, 7)),
    "blob_narrow_unsigned": ('"0x010F"', codes(U4, 1, 15)),
    "blob_flags": ('"0x010001"', codes(PRED, 1, 0, 1)),
    "blob_splat": ('"0x05000000"', arrays.splat(S32, (3, 2), 5)),
    "blob_rows": ('"0x010203040506"', matrix(U8, [1, 2, 3], [4, 5, 6])),
}


def literals():
    for what, (text, found) in DENSE.items():
        lines = f"%r = stablehlo.constant dense<{text}> : $R"
        yield form(f"dense_{what}", f"dense<{text}>", "Literals", [], lines, [found], nan="same")
    packed = codes(PRED, *([1, 0, 1, 1, 0, 0, 1, 0, 1, 1]))
    yield form("dense_blob_packed", "older texts have eight truth values in a byte, the lowest "
               "bit first", "Literals", [],
               '%r = stablehlo.constant dense<"0x4D03"> : $R', [packed])
    yield form("dense_generic", "a constant in its generic forms", "Literals", [],
               '%r0 = "stablehlo.constant"() <{value = dense<[1, 2]> : $R}> : () -> $R\n'
               "%r1 = stablehlo.constant() {value = dense<3> : $R} : () -> $R\n"
               "%r2 = stablehlo.constant {a.b = 1 : i32} dense<[4, 5]> : $R",
               [vector(S32, 1, 2), vector(S32, 3, 3), vector(S32, 4, 5)])
    section = ("{-#\n  dialect_resources: {\n    builtin: {\n"
               '      w: "0x04000000010000000200000003000000",\n'
               '      "other one": "0x01000000010001"\n    }\n  },\n'
               '  external_resources: {\n    x: {\n      y: true\n    }\n  }\n#-}\n')
    for place in ("before", "behind"):
        text = ("func.func @main() -> (tensor<3xi32>, tensor<3xi1>) {\n"
                "  %0 = stablehlo.constant dense_resource<w> : tensor<3xi32>\n"
                '  %1 = stablehlo.constant dense_resource<"other one"> : tensor<3xi1>\n'
                "  return %0, %1 : tensor<3xi32>, tensor<3xi1>\n}\n")
        yield spelled(f"resource_{place}", f"elements in a section {place} the functions",
                      section + text if place == "before" else text + section, [],
                      [vector(S32, 1, 2, 3), codes(PRED, 1, 0, 1)], "Literals")


def spelled(what: str, statement: str, text: str, inputs, results, why: str = "Spelling") -> Text:
    """A program as it is written."""
    return Text(f"{results[0].type.name}/{what}", statement, text, [bits(x) for x in results],
                [why], list(inputs))


NEGATED = vector(S32, -1, 2, -3)
T = tensor(X)
PROGRAMS = {
    "aliases": ("types and attributes with names of their own", """\
#order = array<i64: 0>
!three = tensor<3xi32>
!line = !three
!number = i32
#note = {a = #order, b = [#order, "x"]}
module attributes {a.note = #note} {
  func.func @main(%a: !line) -> !line {
    %0 = "stablehlo.reverse"(%a) <{dimensions = #order}> {a.note = #note} : (!line) -> !line
    %1 = stablehlo.reverse %0, dims = [0] : !line
    %2 = stablehlo.add %1, %1 : !line
    %3 = stablehlo.subtract %a, %2 : !three
    return %3 : tensor<3x!number>
  }
}
"""),
    "aliases_behind": ("aliases that are defined behind their use", """\
func.func @main(%a: !line) -> !line {
  %0 = stablehlo.negate %a {a.b = #note} : !line
  return %0 : !line
}
#note = [#part, #part]
!line = tensor<3x!number>
#part = "x"
!number = i32
"""),
    "locations": ("locations of every form, and comments", """\
#loc = loc(unknown)
#loc1 = loc("file.py":1:2)
#loc2 = loc("name"(#loc1))
// A line that says nothing.
module {
  func.func @main(%a: tensor<3xi32> loc("a")) -> tensor<3xi32> { // behind a line
    %0 = stablehlo.abs %a : tensor<3xi32> loc(#loc2)
    %1 = stablehlo.subtract %a, %0 : tensor<3xi32> loc(callsite("f" at "g"("file.py":3:4)))
    %2 = "stablehlo.subtract"(%1, %a) : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32> \
loc(fused<"pass">["x", #loc1])
    %3 = stablehlo.add %2, %0 : tensor<3xi32> loc(fused[#loc, #loc2])
    %4 = stablehlo.subtract %3, %a : tensor<3xi32> loc("file.py":1:2 to 3:4)
    return %4 : tensor<3xi32> loc(#loc)
  } loc(#loc1)
} loc(#loc)
// The end.
"""),
    "names": ("names of values and results of several", """\
func.func @main(%arg-0: tensor<3xi32>) -> tensor<3xi32> {
  %0:2 = stablehlo.optimization_barrier %arg-0, %arg-0 : tensor<3xi32>, tensor<3xi32>
  %a_.b$c:2, %d = "stablehlo.optimization_barrier"(%0#1, %0#0, %0#0) : (tensor<3xi32>, \
tensor<3xi32>, tensor<3xi32>) -> (tensor<3xi32>, tensor<3xi32>, tensor<3xi32>)
  %12 = stablehlo.add %a_.b$c#0, %a_.b$c#1 : tensor<3xi32>
  %-x = stablehlo.subtract %d, %12 : tensor<3xi32>
  return %-x : tensor<3xi32>
}
"""),
    "module": ("a module with a name, visible and hidden functions", """\
module @"a module" attributes {a.b = 1 : i32, c.d} {
  func.func private @"never used"(%a: tensor<f32>) -> tensor<f32> {
    return %a : tensor<f32>
  }
  func.func private @declared(tensor<f32> {a.b}) -> (tensor<f32> {c.d = "x"})
  func.func public @main(%a: tensor<3xi32> {jax.arg_info = "x", jax.buffer_donor = true, \
mhlo.layout_mode = "default"}) \
-> (tensor<3xi32> {jax.result_info = "result"}) attributes {a.b = unit} {
    %0 = stablehlo.negate %a : tensor<3xi32>
    func.return %0 : tensor<3xi32>
  }
}
"""),
    "module_generic": ("a module and its functions in the generic form", """\
"builtin.module"() <{sym_name = "m"}> ({
  "func.func"() <{function_type = (tensor<3xi32>) -> tensor<3xi32>, sym_name = "main", \
arg_attrs = [{a.b = "x"}], res_attrs = [{}], sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<3xi32>):
    %0 = "stablehlo.negate"(%arg0) : (tensor<3xi32>) -> tensor<3xi32>
    "func.return"(%0) : (tensor<3xi32>) -> ()
  }) {a.c = 1 : i64} : () -> ()
  "func.func"() <{function_type = (tensor<f32>) -> tensor<f32>, sym_name = "f", \
sym_visibility = "private"}> ({
  }) : () -> ()
}) {a.d} : () -> ()
"""),
    "builtin_module": ("the module with its dialect, a function of another name", """\
builtin.module @m {
  func.func @entry(%a: tensor<3xi32>) -> (tensor<3xi32>) {
    %0 = stablehlo.negate %a : (tensor<3xi32>) -> tensor<3xi32>
    "func.return"(%0) : (tensor<3xi32>) -> ()
  }
}
"""),
    "checks": ("checks of what is expected, and probes", """\
func.func @main(%a: tensor<3xi32>) -> tensor<3xi32> {
  %0 = stablehlo.negate %a : tensor<3xi32>
  %1 = interpreter.probe %0, probe_id = "here" : tensor<3xi32>
  interpreter.print %1 : tensor<3xi32>
  %2 = stablehlo.constant dense<[-1, 2, -3]> : tensor<3xi32>
  check.expect_eq %1, %2 : tensor<3xi32>
  check.expect_eq_const %1, dense<[-1, 2, -3]> : tensor<3xi32>
  %3 = stablehlo.convert %1 : (tensor<3xi32>) -> tensor<3xf32>
  check.expect_almost_eq_const %3, dense<[-1.0, 2.0, -3.0]> : tensor<3xf32>
  check.expect_almost_eq %3, %3, tolerance = 0.5 : tensor<3xf32>
  check.expect_almost_eq_const %3, dense<[-1.0, 2.0, -3.25]> : tensor<3xf32>, tolerance = 0.5
  check.expect_close %3, %3, max_ulp_difference = 3, min_ulp_difference = 0 : tensor<3xf32>, \
tensor<3xf32>
  return %1 : tensor<3xi32>
}
"""),
    "marks": ("marks of compilers, which change nothing", """\
module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%a: tensor<3xi32> {mhlo.sharding = \
"{replicated}", tf.aliasing_output = 0 : i32}) -> (tensor<3xi32> {jax.result_info = "x"}) {
    %0 = stablehlo.convert %a : (tensor<3xi32>) -> tensor<3xf32>
    %1 = "stablehlo.sqrt"(%0) {result_accuracy = #stablehlo.result_accuracy<ulps = 1, mode = \
#stablehlo.result_accuracy_mode<TOLERANCE>>} : (tensor<3xf32>) -> tensor<3xf32>
    %2 = "stablehlo.cbrt"(%1) <{result_accuracy = #stablehlo.result_accuracy<mode = \
#stablehlo.result_accuracy_mode<HIGHEST>>}> : (tensor<3xf32>) -> tensor<3xf32>
    %3 = stablehlo.multiply %0, %0 {mhlo.frontend_attributes = {fast = "no", a.b = "c"}, \
mhlo.sharding = "{maximal device=0}"} : tensor<3xf32>
    %4 = stablehlo.negate %a {mhlo.sharding = "of no spelling"} : tensor<3xi32>
    return %4 : tensor<3xi32>
  }
}
"""),
}


def programs():
    for what, (statement, text) in PROGRAMS.items():
        yield spelled(what, statement, text, [X], [NEGATED])


# Attributes of other dialects, which change nothing, and call no function.
ATTRIBUTES = (
    "unit", "true", "false", "5", "-5 : i8", "0x1F : i32", "1.5", "-2.5e-3 : f32",
    "0x7FC00000 : f32",
    '"text \\22 \\0A \\\\"', '"typed" : i32', "tensor<2x?xf32>",
    "i7", "f32", "(tensor<f32>, i1) -> (tensor<2xi8>, f64)", "[1, [], \"x\", [2.0]]", "[]", "{}",
    "{a, \"b c\" = 1, d = {e = []}}", "dense<[1, 2]> : tensor<2xi64>", "dense<> : tensor<0xf32>",
    "array<i64>", "array<i1: true, false>", "array<f32: 1.0, -2.5>", "array<i8: -1>",
    "affine_map<(d0, d1)[s0] -> (d0 + s0, d1)>", "affine_set<(d0) : (d0 == 0)>",
    "affine_set<(d0, d1) : (d0 >= 0, d1 - d0 >= 1)>", "@symbol", '@a::@"b c"', "[@main]",
    "strided<[1, ?], offset: 2>", "distinct[0]<unit>", 'loc("x")',
    "#stablehlo<precision HIGH>", "#stablehlo.bounds<3, ?>",
    "#stablehlo.channel_handle<handle = 1, type = 0>", "#chlo<precision HIGHEST>",
    "!stablehlo.token", "tuple<i32, tensor<f32>>", "none", "complex<f32>", "vector<2x[4]xf32>",
    "memref<2xf32>", "index", "tensor<*xf32>", "dense<(1.0, 2.0)> : tensor<2xcomplex<f32>>",
)


# Those of dialects that are not known are kept as they are written.
UNKNOWN = ('#other.kind<a, [b -> "c>"]>', '#other<"x">', "!other.type<a, (b)>", "#other.word",
           'tensor<2xf32, "x">', "tensor<2xf32, #other.sparse<[0]>>")


def attributes():
    yield from kept("attributes", "attributes of every form", ATTRIBUTES)
    yield from kept("attributes_unknown", "attributes of unknown dialects", UNKNOWN)


def kept(what: str, statement: str, forms):
    given = ",\n".join(f"t.a{k} = {text}" for k, text in enumerate(forms))
    yield spelled(what, statement, f"""\
module attributes {{{given}}} {{
  func.func @main(%a: tensor<3xi32> {{{given}}}) -> (tensor<3xi32> {{{given}}})
  attributes {{{given}}} {{
    %0 = stablehlo.negate %a {{{given}}} : tensor<3xi32>
    %1 = "stablehlo.negate"(%0) {{{given}}} : (tensor<3xi32>) -> tensor<3xi32>
    %2 = stablehlo.negate %1 : tensor<3xi32>
    return %2 : tensor<3xi32>
  }}
}}
""", [X], [NEGATED], "Attribute")


def shortened():
    """Parts that may be left out, and older spellings."""
    x, k = arrays.iota(S32, (1, 4, 1)), arrays.iota(S32, (2, 1, 1), 5)
    found = arrays.build(S32, (1, 3, 1), lambda i: S32.wrap(
        sum((i[1] + j + 1) * (5 + j) for j in range(2))))
    labels = "dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f]"
    counts = "{batch_group_count = 1 : i64, feature_group_count = 1 : i64}"
    yield form("convolution_parts", "windows of few parts, and the raw dimension numbers",
               "Spelling", [x, k],
               f"""%r0 = stablehlo.convolution(%a, %b) {labels}, window = {{}} {counts} :
                 ($A, $B) -> $R
               %r1 = stablehlo.convolution(%a, %b) {labels}, window = {{pad = [[0, 0]]}} {{
                 batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config =
                 [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}} : ($A, $B) -> $R
               %r2 = "stablehlo.convolution"(%a, %b) {{dimension_numbers = #stablehlo.conv<raw
                 input_batch_dimension = 0, input_feature_dimension = 2,
                 input_spatial_dimensions = [1], kernel_input_feature_dimension = 1,
                 kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0],
                 output_batch_dimension = 0, output_feature_dimension = 2,
                 output_spatial_dimensions = [1]>, padding = dense<0> : tensor<1x2xi64>,
                 batch_group_count = 1 : i64, feature_group_count = 1 : i64}} : ($A, $B) -> $R""",
               [found] * 3)
    yield form("lists", "lists of integers as arrays, in brackets and as elements", "Spelling",
               [matrix(S32, [1, 2], [3, 4])],
               """%0 = "stablehlo.transpose"(%a) {permutation = dense<[1, 0]> : tensor<2xi64>} :
                 ($A) -> $A
               %r = "stablehlo.reverse"(%0) {dimensions = array<i64: 0, 1>} : ($A) -> $R""",
               [matrix(S32, [4, 2], [3, 1])])
    eye = matrix(S32, [1, 2], [3, 4])
    yield form("words", "words as strings, attributes within those of their dialect, "
               "lists of pairs", "Spelling", [eye, one(0)],
               """%r0 = "stablehlo.dot_general"(%a, %a) {dot_dimension_numbers = #stablehlo<dot<
                 lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [1]>>,
                 precision_config = [#stablehlo<precision HIGHEST>,
                 #stablehlo<precision DEFAULT>]} : ($A, $A) -> $R
               %0 = "stablehlo.compare"(%a, %a) {comparison_direction = "GE"} : ($A, $A) ->
                 tensor<2x2xi1>
               %r1 = stablehlo.select %0, %r0, %a : tensor<2x2xi1>, $A
               %r2 = "stablehlo.reduce_window"(%a, %b) <{window_dimensions = array<i64: 2, 1>,
                 padding = [[1, 0], [0, 0]]}> ({
               ^bb0(%x: tensor<i32>, %y: tensor<i32>):
                 %z = stablehlo.add %x, %y : tensor<i32>
                 stablehlo.return %z : tensor<i32>
               }) : ($A, $B) -> $A""",
               [matrix(S32, [7, 15], [10, 22]), matrix(S32, [7, 15], [10, 22]),
                matrix(S32, [1, 2], [4, 6])])
    chain = "\n".join(f"  %v{k + 1} = stablehlo.negate %v{k} : tensor<3xi32>" for k in range(101))
    yield spelled("many_names", "more names than a small table holds",
                  f"func.func @main(%v0: tensor<3xi32>) -> tensor<3xi32> {{\n{chain}\n"
                  "  return %v101 : tensor<3xi32>\n}\n", [X], [NEGATED])
    for what, encoding in (("bounds", "#stablehlo.bounds<4>"),
                           ("extensions", "#stablehlo.type_extensions<bounds = [4]>")):
        yield form(what, "an open size with a bound", "Spelling", [vector(S32, 1, 2, 3, 4), one(3)],
                   f"""%z = stablehlo.constant dense<0> : tensor<i32>
                   %0 = "stablehlo.set_dimension_size"(%a, %b) <{{dimension = 0 : i64}}> :
                     ($A, $B) -> tensor<?xi32, {encoding}>
                   %r0 = stablehlo.reduce(%0 init: %z) applies stablehlo.add across dimensions =
                     [0] : (tensor<?xi32, {encoding}>, $B) -> $B
                   %r1 = stablehlo.get_dimension_size %0, dim = 0 : (tensor<?xi32, {encoding}>) ->
                     $B""", [one(6), one(3)])


def cases():
    for part in (literals, programs, attributes, shortened):
        yield from part()
