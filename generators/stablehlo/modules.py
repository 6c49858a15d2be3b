"""Modules and their functions: which is run, and what may stand beside them."""

from __future__ import annotations

from assaygen.cases import bits
from sequences.elements import vector
from stablehlo.forms import F32, S32, Text, refused

WHY = {
    "Entries": "the function that is run: main, or else the first that no other calls",
    "Kept": "attributes of modules, functions, arguments and operations, which change no value",
}
X = vector(S32, 1, -2, 3)


def negated(name: str, visibility: str = "", operation: str = "negate %a") -> str:
    return (f"func.func {visibility}@{name}(%a: tensor<3xi32>) -> tensor<3xi32> {{\n"
            f"  %0 = stablehlo.{operation} : tensor<3xi32>\n"
            "  return %0 : tensor<3xi32>\n}\n")


CALLER = """\
func.func public @caller(%a: tensor<3xi32>) -> tensor<3xi32> {
  %0 = call @callee(%a) : (tensor<3xi32>) -> tensor<3xi32>
  %1 = stablehlo.add %0, %0 : tensor<3xi32>
  return %1 : tensor<3xi32>
}
"""


def text(what, statement, why, program, inputs, results) -> Text:
    return Text(f"{results[0].type.name}/{what}", statement, program, [bits(x) for x in results],
                [why], inputs)


def entries():
    less, twice = vector(S32, -1, 2, -3), vector(S32, -2, 4, -6)
    callee = negated("callee", "private ")
    for what, program, found in (
            ("main_last", negated("f", operation="add %a, %a") + negated("main"), less),
            ("no_main", callee + CALLER, twice),
            ("no_main_two", CALLER + callee + negated("other", operation="add %a, %a"), twice),
            ("declared_main", "func.func private @main(tensor<3xi32>) -> tensor<3xi32>\n"
             + callee + CALLER, twice),
            ("module", f"module @m {{\n{negated('main')}}}\n", less),
            ("two_programs", "// -----\n\n" + negated("main") + "\n// -----\n", less),
            ("generic", """\
"builtin.module"() <{sym_name = "m"}> ({
  "func.func"() <{function_type = (tensor<3xi32>) -> tensor<3xi32>, sym_name = "main"}> ({
  ^bb0(%a: tensor<3xi32>):
    %0 = "stablehlo.negate"(%a) : (tensor<3xi32>) -> tensor<3xi32>
    "func.return"(%0) : (tensor<3xi32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32} : () -> ()
""", less)):
        yield text(f"entry_{what}", "the function that is run", "Entries", program, [X], [found])


MODULE = """\
#here = loc("file.py":3:1)
!row = tensor<3xf32>
module @jit_f attributes {jax.uses_shape_polymorphism = false, mhlo.num_partitions = 1 : i32, \
mhlo.num_replicas = 1 : i32, my.unit, my.word = #stablehlo<precision HIGH>, my.list = \
[1, 2.5 : f64, "text", @main], my.type = tensor<2xf32>, my.dense = dense<[1, 2]> : tensor<2xi32>, \
my.long = dense<0.5> : tensor<65xf32>, my.fields = {a = true, b = unit}, my.handle = \
#stablehlo.channel_handle<handle = 1, type = 1>} {
  func.func public @main(%a: !row {mhlo.sharding = "{replicated}", tf.aliasing_output = 0 : i32, \
jax.arg_info = "x"}, %b: !row {jax.buffer_donor = true, mhlo.layout_mode = "default"} loc("b")) \
-> (!row {jax.result_info = "[0]"}, !row {jax.result_info = "[1]", mhlo.sharding = "not one"}) \
attributes {my.function = 1 : i64} {
    %0 = stablehlo.add %a, %b {mhlo.frontend_attributes = {key = "value", other = "a \\22b\\22"}, \
my.symbol = {of = @main}, my.number = 7 : i32} : !row loc(#here)
    %1 = stablehlo.sqrt %0 {result_accuracy = #stablehlo.result_accuracy<mode = \
#stablehlo.result_accuracy_mode<HIGHEST>>} : !row loc(fused["x", #here])
    %2 = stablehlo.sqrt %0 {result_accuracy = #stablehlo.result_accuracy<atol = 0.0, rtol = 0.0, \
ulps = 1, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>, mhlo.sharding = "maximal"} : !row
    %3 = stablehlo.subtract %1, %a {mhlo.sharding = "{maximal device=0}"} : !row
    return %3, %2 : !row, !row loc(unknown)
  } loc(#here)
} loc(#here)
"""


def kept():
    a, b = vector(F32, 1, 4, 16), vector(F32, 3, 5, "0.0")
    yield text("kept_attributes", "attributes of every kind", "Kept", MODULE, [a, b],
               [vector(F32, 1, -1, -12), vector(F32, 2, 3, 4)])


def refusals():
    given = [X]
    for what, statement, rule, program in (
            ("no_entry", "only functions without a body", "stablehlo.entry",
             "func.func private @main(tensor<3xi32>) -> tensor<3xi32>\n"),
            ("unknown", "an operation that there is not", "stablehlo.unknown",
             'func.func @main(%a: tensor<3xi32>) -> tensor<3xi32> {\n  %0 = "my.negate"(%a) : '
             "(tensor<3xi32>) -> tensor<3xi32>\n  return %0 : tensor<3xi32>\n}\n"),
            ("two_programs", "two programs", "stablehlo.programs",
             negated("main") + "// -----\n" + negated("main")),
            ("devices", "a number of devices that is none", "text.range",
             f"module attributes {{mhlo.num_replicas = 0 : i32}} {{\n{negated('main')}}}\n"),
            ("accuracy", "a tolerance below 0", "stablehlo.needs",
             MODULE.replace("atol = 0.0", "atol = -1.0"))):
        yield refused(f"module_{what}", statement, program, rule,
                      given if what != "accuracy" else [vector(F32, 1, 4, 16)] * 2)


def cases():
    for part in (entries, kept, refusals):
        yield from part()
