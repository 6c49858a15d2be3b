"""Texts that break one rule each of spec/stablehlo.md or spec/stablehlo_operations.md."""

from __future__ import annotations

from assaygen.arrays import Array
from sequences.elements import matrix, vector
from stablehlo.forms import F32, PRED, S32, refused

WHY = {}
T, N = "tensor<2x3xf32>", "tensor<2xi32>"
INPUTS = [matrix(F32, [1, 2, 3], [4, 5, 6]), vector(S32, 1, 0), Array(PRED, (), (1,))]
HEAD = f"func.func @main(%a: {T}, %n: {N}, %p: tensor<i1>) -> {T} {{\n"
Z = "%z = stablehlo.constant dense<0.0> : tensor<f32>\n  %0 ="
ONE = f"({T}, tensor<f32>)"
CONSTANT = "%0 = stablehlo.constant"
SUM = "({\n^bb0(%x: tensor<f32>, %y: tensor<f32>):\n  %s = stablehlo.add %x, %y : tensor<f32>\n" \
      "  stablehlo.return %s : tensor<f32>\n})"
CONV = "stablehlo.convolution(%a, %a) dim_numbers ="
CONV_TYPES = ": (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>"

# Lines of a function that has %a, %n and %p, by the rule that they break.
LINES = {
    "stablehlo.syntax": {
        "result_name": f"%0, 1 = stablehlo.optimization_barrier %a, %a : {T}, {T}",
        "one_type": f"%0 = stablehlo.slice %a [0:1, 0:1] : {T}",
        "comma": f"%0 = stablehlo.add %a %a : {T}",
        "keyword": f"%0 = stablehlo.transpose %a, perm = [1, 0] : ({T}) -> tensor<3x2xf32>",
        "no_keyword": f"%0 = stablehlo.transpose %a : ({T}) -> tensor<3x2xf32>",
        "ranges": f"%0 = stablehlo.slice %a [0-1, 0:1] : ({T}) -> tensor<1x1xf32>",
        "format": f"%0 = stablehlo.reduce_precision %a, format = e5x2 : {T}",
        "no_results": f"%0 = stablehlo.negate %a : ({T})",
        "init": f"%0 = stablehlo.reduce(%a) applies stablehlo.add across dimensions = [0] : ({T})"
                " -> tensor<3xf32>",
        "across": f"%0 = stablehlo.reduce(%a init: %a) applies stablehlo.add : ({T}, {T}) -> {T}",
        "cond": f"%0 = stablehlo.while(%x = %a) : {T} do {{\n}}",
        "inits": f"%0 = chlo.scan(%a) dimension=0 {{\n}} : ({T}) -> {T}",
        "window": f"%0 = {CONV} [b, f]x[i, o]->[b, f], window = {{size = [1]}} {CONV_TYPES}",
        "element_of_tuple": f"%0 = stablehlo.get_tuple_element %a : ({T}) -> {T}",
        "open_region": f'%0 = "stablehlo.if"(%p) ({{\n  stablehlo.return %a : {T}\n',
    },
    "stablehlo.string": {"escape": f'%0 = stablehlo.negate %a {{a.b = "\\q"}} : {T}',
                         "open": f'%0 = stablehlo.negate %a {{a.b = "x}} : {T}'},
    "stablehlo.number": {
        "flag": f"{CONSTANT} dense<2> : tensor<i1>",
        "integer_of_float": f"{CONSTANT} dense<[1, 2]> : tensor<2xf32>",
        "float_of_integer": f"{CONSTANT} dense<[1.5, 2.0]> : tensor<2xi32>",
        "word": f"{CONSTANT} dense<yes> : tensor<i1>",
        "scale": f"%0 = stablehlo.uniform_quantize %a : ({T}) -> tensor<2x3x!quant.uniform<i8:f32"
                 ", x>>",
    },
    "stablehlo.range": {
        "below": f"{CONSTANT} dense<-129> : tensor<i8>",
        "above": f"{CONSTANT} dense<16> : tensor<i4>",
        "negative": f"{CONSTANT} dense<-1> : tensor<ui8>",
        "bits": f"{CONSTANT} dense<0x10000> : tensor<bf16>",
        "minus_bits": f"{CONSTANT} dense<-0x3F80> : tensor<bf16>",
        "long": f"{CONSTANT} dense<18446744073709551616> : tensor<i64>",
    },
    "stablehlo.type": {
        "word": f"%0 = stablehlo.negate %a {{a.b = tensr}} : {T}",
        "commas": f"{CONSTANT} dense<1> : tensor<2,3xi32>",
        "stored": f"%0 = stablehlo.uniform_quantize %a : ({T}) -> tensor<2x3x!quant.uniform<x8:f32"
                  ", 0.5>>",
        "width": f"{CONSTANT} dense<1> : tensor<i3>",
        "parts": f"{CONSTANT} dense<(1, 2)> : tensor<complex<i32>>",
        "word_for_type": f"{CONSTANT} dense<1> : tensor<2xinteger>",
        "no_tensor": f"{CONSTANT} dense<1> : i32",
        "open": f"{CONSTANT} dense<1> : tensor<?xi32>",
        "token": f"%0 = stablehlo.negate %a : ({T}) -> tensor<2x!stablehlo.token>",
        "array": f"%0 = stablehlo.negate %a {{a.b = array<word: 1>}} : {T}",
        "bounds": f"%0 = stablehlo.negate %a : ({T}) -> tensor<2x?xf32, #stablehlo.bounds<?>>",
    },
    "stablehlo.elements": {
        "short_text": f"{CONSTANT} dense<[1, 2]> : tensor<100000xi32>",
        "few": f"{CONSTANT} dense<[1, 2]> : tensor<3xi32>",
        "many": f"{CONSTANT} dense<[1, 2, 3]> : tensor<2xi32>",
        "none": f"{CONSTANT} dense<> : tensor<2xi32>",
        "flat": f"{CONSTANT} dense<[1, 2, 3, 4]> : tensor<2x2xi32>",
    },
    "stablehlo.blob": {
        "length": f'{CONSTANT} dense<"0x000000000000"> : tensor<2xi32>',
        "odd": f'{CONSTANT} dense<"0x000"> : tensor<2xi8>',
        "digit": f'{CONSTANT} dense<"0x0g00"> : tensor<2xi8>',
        "decimal": f'{CONSTANT} dense<"0100"> : tensor<2xi8>',
    },
    "stablehlo.resource": {"name": f"{CONSTANT} dense_resource<nowhere> : tensor<2xi32>"},
    "stablehlo.size": {"splat": f"{CONSTANT} dense<0> : tensor<4294967296x8xi8>"},
    "stablehlo.alias": {"no_type": "%0 = stablehlo.constant dense<1> : !nowhere",
                        "no_attribute": f"%0 = stablehlo.negate %a {{a.b = #nowhere}} : {T}"},
    "stablehlo.attribute": {
        "keyword": f"%0 = stablehlo.reverse %a, dims = [0], dims = [0] : {T}",
        "again": f"%0 = stablehlo.negate %a {{a.b = 1, c, a.b}} : {T}",
        "pretty": f"%0 = stablehlo.reverse %a, dims = [0] {{dimensions = array<i64: 1>}} : {T}",
    },
    "stablehlo.dimensions": {
        "twice": f"%0 = {CONV} [b, f]x[i, i]->[b, f], window = {{}} {CONV_TYPES}",
        "gap": f"%0 = {CONV} [b, 1, f]x[0, i, o]->[b, 0, f], window = {{}} {CONV_TYPES}",
        "letter": f"%0 = {CONV} [b, o]x[i, o]->[b, f], window = {{}} {CONV_TYPES}",
    },
    "stablehlo.name": {
        "again": f"%a = stablehlo.negate %a : {T}",
        "before": f"%0 = stablehlo.negate %1 : {T}\n  %1 = stablehlo.negate %a : {T}",
        "of_region": f'%0 = "stablehlo.if"(%p) ({{\n  %x = stablehlo.negate %a : {T}\n'
                     f"  stablehlo.return %x : {T}\n}}, {{\n  stablehlo.return %x : {T}\n}}) : "
                     f"(tensor<i1>) -> {T}",
        "number": f"%0:2 = stablehlo.optimization_barrier %a, %a : {T}, {T}\n"
                  f"  %1 = stablehlo.negate %0#2 : {T}",
    },
    "stablehlo.results": {
        "many": f"%0:2 = stablehlo.negate %a : {T}",
        "zero": f"%0:0 = stablehlo.negate %a : {T}",
        "few": f"%0 = stablehlo.optimization_barrier %a, %a : {T}, {T}",
    },
    "stablehlo.operation": {
        "pretty": f"%0 = stablehlo.gather %a, %n : ({T}, {N}) -> {T}",
        "applies": f"{Z} stablehlo.reduce(%a init: %z) applies stablehlo.negate across dimensions "
                   f"= [0] : {ONE} -> tensor<3xf32>",
    },
    "stablehlo.operands": {"one": f"%0 = stablehlo.add %a : {T}",
                           "three": f"%0 = stablehlo.add %a, %a, %a : {T}"},
    "stablehlo.types": {
        "two": f"%0 = stablehlo.transpose %a, dims = [1, 0] : tensor<3x2xf32>, {T}",
        "other": f"%0 = stablehlo.negate %a : tensor<3x2xf32>",
        "generic": f'%0 = "stablehlo.add"(%a, %a) : ({T}, {N}) -> {T}',
        "count": f'%0 = "stablehlo.add"(%a, %a) : ({T}) -> {T}',
        "one": f"%0 = stablehlo.select %p, %a, %a : {T}",
        "barrier": f"%0, %1 = stablehlo.optimization_barrier %a, %a : {T}",
    },
    "stablehlo.region": {
        "blocks": '%0 = "stablehlo.case"(%n) ({\n^one:\n  stablehlo.return\n^two:\n'
                  f"  stablehlo.return\n}}) : ({N}) -> {T}",
        "branch": f'%0 = "stablehlo.negate"(%a)[^one] : ({T}) -> {T}',
        "reducer": f"{Z} stablehlo.reduce(%a "
                   f"init: %z) across dimensions = [0] : ({T}, tensor<f32>) -> tensor<3xf32>\n"
                   "  reducer(%x: tensor<f32>) {\n    stablehlo.return %x : tensor<f32>\n  }",
    },
    "stablehlo.unknown": {"operation": f'%0 = "stablehlo.frobnicate"(%a) : ({T}) -> {T}',
                          "dialect": f'%0 = "tosa.add"(%a, %a) : ({T}, {T}) -> {T}'},
    "stablehlo.operand-count": {
        "missing": f'%0 = "stablehlo.convert"() : () -> {T}',
        "missing_of_shape": f'%0 = "stablehlo.reverse"() {{dimensions = array<i64: 0>}} : () -> {T}',
        "bitcast": f'%0 = "stablehlo.bitcast_convert"(%a, %a) : ({T}, {T}) -> {T}',
        "conj": f'%0 = "chlo.conj"(%a, %a) : ({T}, {T}) -> {T}',
        "dynamic_reshape": f'%0 = "stablehlo.dynamic_reshape"(%a) : ({T}) -> {T}',
        "einsum": f'%0 = "stablehlo.einsum"(%a, %a, %a) <{{einsum_config = "ab,ab->ab"}}> : '
                  f"({T}, {T}, {T}) -> {T}",
        "maximum": '%c = stablehlo.constant dense<(1.0, 2.0)> : tensor<complex<f32>>\n  %0 = '
                   '"stablehlo.maximum"(%c, %c, %c) : (tensor<complex<f32>>, tensor<complex<f32>>, '
                   "tensor<complex<f32>>) -> tensor<complex<f32>>",
        "pad": f'{Z} "stablehlo.pad"(%a, %z, %z) <{{edge_padding_high = array<i64: 0, 0>, '
               "edge_padding_low = array<i64: 0, 0>, interior_padding = array<i64: 0, 0>}> : "
               f"({T}, tensor<f32>, tensor<f32>) -> {T}",
        "quantize": f'%0 = "stablehlo.uniform_quantize"(%a, %a) : ({T}, {T}) -> tensor<2x3x'
                    "!quant.uniform<i8:f32, 0.5>>",
        "reduce": f'%0 = "stablehlo.reduce"(%a) <{{dimensions = array<i64: 0>}}> {SUM} : ({T}) -> '
                  "tensor<3xf32>",
        "slice": f'%0 = "stablehlo.slice"(%a, %a) <{{start_indices = array<i64: 0, 0>, '
                 "limit_indices = array<i64: 2, 3>, strides = array<i64: 1, 1>}> : "
                 f"({T}, {T}) -> {T}",
        "scatter": '%0 = "stablehlo.scatter"(%a, %n) <{scatter_dimension_numbers = #stablehlo.'
                   f"scatter<index_vector_dim = 0>}}> {SUM} : ({T}, {N}) -> {T}",
        "select_and_scatter": f'%0 = "stablehlo.select_and_scatter"(%a, %a) ({SUM[1:-1]}, '
                              f"{SUM[1:-1]}) : ({T}, {T}) -> {T}",
    },
    "stablehlo.result-count": {"none": f'"stablehlo.convert"(%a) : ({T}) -> ()'},
    "stablehlo.result-type": {"square": f'%0 = "chlo.square"(%a) : ({T}) -> tensor<3x2xf32>'},
    "stablehlo.regions": {
        "add": f'%0 = "stablehlo.add"(%a, %a) ({{\n  stablehlo.return %a : {T}\n}}) : '
               f"({T}, {T}) -> {T}",
        "return": f'%0 = "stablehlo.if"(%p) ({{\n  "stablehlo.return"(%a) ({{\n  stablehlo.return '
                  f"%a : {T}\n  }}) : ({T}) -> ()\n}}, {{\n  stablehlo.return %a : {T}\n}}) : "
                  f"(tensor<i1>) -> {T}",
        "if": f'%0 = "stablehlo.if"(%p) ({{\n  stablehlo.return %a : {T}\n}}) : (tensor<i1>) '
              f"-> {T}",
        "case": f'%0 = "stablehlo.case"(%n) : ({N}) -> {T}',
        "while": f'%0 = "stablehlo.while"(%a) ({{\n  stablehlo.return %p : tensor<i1>\n}}, {{\n'
                 f"  stablehlo.return %a : {T}\n}}) : ({T}) -> {T}",
        "odd": f'{Z} "stablehlo.reduce"(%a, %z)'
               " <{dimensions = array<i64: 0>}> ({\n^bb0(%x: tensor<f32>):\n"
               f"  stablehlo.return %x : tensor<f32>\n}}) : ({T}, tensor<f32>) -> tensor<3xf32>",
    },
    "stablehlo.capture": {
        "array": f'%0 = "stablehlo.map"(%n) <{{dimensions = array<i64: 0>}}> ({{\n'
                 "^bb0(%x: tensor<i32>):\n  %r = stablehlo.reverse %n, dims = [0] : tensor<2xi32>\n"
                 "  %s = stablehlo.slice %r [0:1] : (tensor<2xi32>) -> tensor<1xi32>\n"
                 "  %t = stablehlo.reshape %s : (tensor<1xi32>) -> tensor<i32>\n"
                 f"  stablehlo.return %t : tensor<i32>\n}}) : ({N}) -> {N}"},
    "stablehlo.dynamic": {
        "argument_of_region": f'{Z} "stablehlo.reduce"(%a, %z) <{{dimensions = array<i64: 0>}}> '
                              "({\n^bb0(%x: tensor<?xf32>, %y: tensor<?xf32>):\n"
                              f"  stablehlo.return %x : tensor<?xf32>\n}}) : {ONE} -> {T}",
        "iota": "%0 = stablehlo.iota dim = 0 : tensor<?xi32>",
        "pad": f"{Z} stablehlo.dynamic_pad %a, "
               f"%z, %n, %n, %n : ({T}, tensor<f32>, {N}, {N}, {N}) -> tensor<?x?xf32>",
        "rest": f"%s = stablehlo.constant dense<-1> : tensor<2xi64>\n  %0 = "
                f"stablehlo.dynamic_reshape %a, %s : ({T}, tensor<2xi64>) -> tensor<?x?xf32>",
    },
    "stablehlo.einsum": {
        "letters": f'%0 = "stablehlo.einsum"(%a, %a) {{einsum_config = "ijk,jk->i"}} : ({T}, {T}) '
                   "-> tensor<2xf32>",
        "arrow": f'%0 = "stablehlo.unary_einsum"(%a) {{einsum_config = "ij,i"}} : ({T}) -> '
                 "tensor<2xf32>",
        "result": f'%0 = "stablehlo.unary_einsum"(%a) {{einsum_config = "ij->k"}} : ({T}) -> '
                  "tensor<2xf32>",
    },
    "stablehlo.needs": {
        "kind_of_accuracy": f'%0 = "stablehlo.cbrt"(%a) {{result_accuracy = "highest"}} : ({T}) -> {T}',
        "algorithm": f'%0 = "stablehlo.dot_general"(%a, %a) <{{algorithm = "bf16", '
                     "dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], "
                     f"rhs_contracting_dimensions = [0]>}}> : ({T}, {T}) -> tensor<3x3xf32>",
        "window_of_points": '%o = stablehlo.constant dense<1.0> : tensor<1x1xf32>\n  %0 = '
                            "stablehlo.convolution(%o, %o) dim_numbers = [b, f]x[i, o]->[b, f], "
                            "window = {stride = [7, 7]} {batch_group_count = 1 : i64, "
                            f"feature_group_count = 1 : i64}} {CONV_TYPES}",
        "accuracy": f'%0 = "stablehlo.tanh"(%a) {{result_accuracy = #stablehlo.result_accuracy<'
                    "ulps = -1, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : "
                    f"({T}) -> {T}",
        "precision_type": "%0 = stablehlo.dot_general %a, %a, contracting_dims = [0, 1] x [0, 1], "
                          f"algorithm = <lhs_precision_type = 1> : ({T}, {T}) -> tensor<f32>",
        "word": f'%0 = "stablehlo.compare"(%a, %a) {{comparison_direction = 1}} : ({T}, {T}) -> '
                "tensor<2x3xi1>",
        "pair": f'{Z} "stablehlo.reduce_window"(%a, %z) <{{window_dimensions = array<i64: 1, 1>, '
                f"padding = [[0, 0], 1]}}> {SUM} : {ONE} -> {T}",
        "kind": f'%0 = "stablehlo.reverse"(%a) {{dimensions = "all"}} : ({T}) -> {T}',
        "integer": f'%0 = "stablehlo.concatenate"(%a) {{dimension = "x"}} : ({T}) -> {T}',
        "structure": '%0 = "stablehlo.gather"(%a, %n) {slice_sizes = array<i64: 1, 1>} : '
                     f"({T}, {N}) -> {T}",
        "field": '%0 = "stablehlo.gather"(%a, %n) {dimension_numbers = #stablehlo.gather<offset_'
                 f'dims = "x">, slice_sizes = array<i64: 1, 1>}} : ({T}, {N}) -> {T}',
        "words": f'%0 = "stablehlo.dot"(%a, %a) {{precision_config = [1]}} : ({T}, {T}) -> {T}',
        "pairs": f'{Z} "stablehlo.reduce_window"(%a, %z) <{{window_dimensions = array<i64: 1, 1>, '
                 f"padding = dense<0> : tensor<3xi64>}}> {SUM} : {ONE} -> {T}",
        "window": f'{Z} "stablehlo.reduce_window"(%a, %z) <{{window_dimensions = array<i64: 1>}}> '
                  f"{SUM} : {ONE} -> {T}",
        "slice": f'%0 = "stablehlo.slice"(%a) {{start_indices = array<i64: 0>, limit_indices = '
                 f"array<i64: 1, 1>, strides = array<i64: 1>}} : ({T}) -> {T}",
        "pad": f'{Z} "stablehlo.pad"(%a, %z) {{edge_padding_low = array<i64: 0>, edge_padding_'
               f"high = array<i64: 0, 0>}} : {ONE} -> {T}",
        "broadcast": f'%0 = "stablehlo.broadcast_in_dim"(%a) {{broadcast_dimensions = array<i64: 0>'
                     f"}} : ({T}) -> {T}",
        "select": f'%0 = "stablehlo.torch_index_select"(%a, %n) {{dim = 2 : i64}} : ({T}, {N}) '
                  f"-> {T}",
        "element": f"%t = stablehlo.tuple %a : tuple<{T}>\n  %0 = stablehlo.get_tuple_element %t[1]"
                   f" : (tuple<{T}>) -> {T}",
        "epsilon": '%0 = "stablehlo.batch_norm_inference"(%a, %a, %a, %a, %a) {epsilon = "x", '
                   f"feature_index = 0 : i64}} : ({T}, {T}, {T}, {T}, {T}) -> {T}",
        "like": f'%0 = "chlo.constant_like"(%a) : ({T}) -> {T}',
        "constant": f'%0 = "stablehlo.constant"() {{value = "x"}} : () -> {T}',
        "target": f'%0 = "stablehlo.custom_call"(%a) {{call_target_name = 1}} : ({T}) -> {T}',
    },
}
FUNCTION = f"{HEAD}  return %a : {T}\n}}\n"

# Whole texts.
TEXTS = {
    "stablehlo.module": {"name": FUNCTION + '"func.func"() <{sym_name = 1, function_type = () '
                                 '-> ()}> ({\n}) : () -> ()\n',
                         "two": f"module {{\n{FUNCTION}}}\nmodule {{\n}}\n",
                         "inside": f'module {{\n{FUNCTION}"stablehlo.add"() : () -> ()\n}}\n',
                         "generic": f'{FUNCTION}"func.func"() ({{\n}}) : () -> ()\n',
                         "two_generic": f'{FUNCTION}"builtin.module"() ({{\n}}) : () -> ()\n',
                         "no_region": '"builtin.module"() : () -> ()\n',
                         "inside_generic": '"builtin.module"() ({\n  "stablehlo.add"() : () -> ()\n'
                                           "}) : () -> ()\n"},
    "stablehlo.dynamic": {"argument": f"func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {{\n"
                                      "  return %a : tensor<?xf32>\n}\n"},
    "text.range": {"partitions": f"module attributes {{mhlo.num_partitions = 0 : i32}} {{\n"
                                 f"{FUNCTION}}}\n",
                   "replicas": f'module attributes {{mhlo.num_replicas = "1"}} {{\n{FUNCTION}}}\n'},
    "stablehlo.syntax": {"module": f"module {{\n{FUNCTION}",
                         "section": FUNCTION + "{-#\n  dialect_resources: {\n",
                         "member": FUNCTION + "constant\n"},
    "stablehlo.name": {"function": FUNCTION * 2},
    "stablehlo.alias": {"twice": f"#x = 1\n#x = 2\n{FUNCTION}",
                        "itself": f"#x = [#y]\n#y = #x\n{FUNCTION}",
                        "in_line": f"{FUNCTION} #x = 1 #y = 2\n",
                        "behind_brace": f"{FUNCTION[:-1]} #x = 2\n#x = 1\n"},
    "stablehlo.types": {
        "returned": f"func.func @main(%a: {T}) -> {N} {{\n  return %a : {T}\n}}\n",
        "none_returned": f"func.func @main(%a: {T}) -> {T} {{\n  return\n}}\n",
        "arguments": f'"func.func"() <{{function_type = ({T}) -> {T}, sym_name = "main"}}> ({{\n'
                     f'^bb0(%a: {N}):\n  %0 = "stablehlo.constant"() {{value = dense<0.0> : {T}}} '
                     f': () -> {T}\n  "func.return"(%0) : ({T}) -> ()\n}}) : () -> ()\n'},
    "stablehlo.blob": {"alignment": FUNCTION.replace(
        "  return", "  %0 = stablehlo.constant dense_resource<w> : tensor<2xi8>\n  return")
        + '{-#\n  dialect_resources: {\n    builtin: {\n      w: "0x030000000102"\n    }\n  }\n'
        "#-}\n"},
    "stablehlo.callee": {"no_function": FUNCTION.replace(
        "  return", f"  %0 = call @nowhere(%a) : ({T}) -> {T}\n  return")},
    "stablehlo.recursion": {"itself": FUNCTION.replace(
        "  return", f"  %0 = call @main(%a, %n, %p) : ({T}, {N}, tensor<i1>) -> {T}\n  return")},
    "stablehlo.depth": {"brackets": f"module attributes {{a.b = {'[' * 250}{']' * 250}}} {{\n"
                                    f"{FUNCTION}}}\n"},
}


def cases():
    for rule, table in LINES.items():
        for what, lines in table.items():
            yield case(rule, what, f"{HEAD}  {lines}\n  return %a : {T}\n}}\n")
    for rule, table in TEXTS.items():
        for what, text in table.items():
            yield case(rule, "text_" + what, text)


def case(rule: str, what: str, text: str):
    name = rule.split(".")[1].replace("-", "_")
    return refused(f"{name}_{what}", f"{name.replace('_', ' ')}: {what.replace('_', ' ')}", text,
                   rule, INPUTS)
