"""Calls, collectives and regions that StableHLO's rules forbid."""

from __future__ import annotations

import re

from assaygen.arrays import Array
from sequences.elements import vector
from stablehlo.calls import LEFT, LOWER, NOT, carrying, entry
from stablehlo.devices import GLOBAL, Grid
from stablehlo.forms import S32, refused

WHY: dict[str, str] = {}
SUM = """\
func.func private @sum(%x: tensor<4xi32>, %y: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
  return %x, %y : tensor<4xi32>, tensor<4xi32>
}
"""
GATHER = '%r = "stablehlo.all_gather"(%a) <{{all_gather_dim = 0 : i64, {}}}> : (X) -> tensor<8xi32>'
EXCHANGE = ('%r = "stablehlo.all_to_all"(%a) <{{split_dimension = {} : i64, concat_dimension = {} '
            ": i64, split_count = {} : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}}> "
            ": (X) -> X")
PAIR = "replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>"
LIMITED = """({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %s = stablehlo.minimum %x, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  })"""
TOKEN = "%t = stablehlo.create_token : !stablehlo.token\n  "
CONFIG = f"diag = {NOT} : ui8, side = {LEFT} : ui8, uplo = {LOWER} : ui8"

CALLS = [
    ("callee", "a function that is only declared", "stablehlo.callee",
     "%r = call @declared(%a) : (X) -> X"),
    ("callee_of_custom_call", "a computation that is not defined", "stablehlo.callee",
     "%r = stablehlo.custom_call @f(%a) {called_computations = [@none]} : (X) -> X"),
    ("callee_text", "a callee that is a string", "stablehlo.needs",
     '%r = "func.call"(%a) {callee = "sum"} : (X) -> X'),
    ("computations_text", "a computation that is a string", "stablehlo.needs",
     '%r = stablehlo.custom_call @f(%a) {called_computations = ["sum"]} : (X) -> X'),
    ("call_results", "fewer results than the function gives", "stablehlo.result-count",
     "%r:3 = call @sum(%a, %a) : (X, X) -> (X, X, X)"),
    ("api_version", "a version that there is not", "stablehlo.needs",
     "%r = stablehlo.custom_call @Sharding(%a) {api_version = 5 : i32} : (X) -> X"),
    ("alias", "an alias that is a number", "stablehlo.needs",
     "%r = stablehlo.custom_call @f(%a) {output_operand_aliases = [1]} : (X) -> X"),
    ("layout", "a layout that names a dimension twice", "layout.C1",
     "%0 = stablehlo.reshape %a : (X) -> tensor<2x2xi32>\n  %r = stablehlo.custom_call @f(%0) "
     "{operand_layouts = [dense<[1, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : "
     "tensor<2xindex>]} : (tensor<2x2xi32>) -> tensor<2x2xi32>"),
    ("call_open", "a result of open size", "stablehlo.dynamic",
     "%r = stablehlo.custom_call @f(%a) : (X) -> tensor<?xi32>"),
    ("topk", "no number of elements", "stablehlo.needs",
     "%r:2 = stablehlo.custom_call @mhlo.topk(%a) : (X) -> (tensor<2xi32>, tensor<2xi32>)"),
    ("assertion", "a size that is too small", "stablehlo.assertion",
     "%n = stablehlo.get_dimension_size %a, dim = 0 : (X) -> tensor<i32>\n  %c = "
     "stablehlo.constant dense<5> : tensor<i32>\n  %p = stablehlo.compare GE, %n, %c : "
     "(tensor<i32>, tensor<i32>) -> tensor<i1>\n  stablehlo.custom_call @shape_assertion(%p) "
     "{has_side_effect = true} : (tensor<i1>) -> ()"),
    ("assertion_open", "an assertion about an argument", "stablehlo.dynamic",
     "%p = stablehlo.compare GE, %b, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>\n  "
     "stablehlo.custom_call @shape_assertion(%p) {has_side_effect = true} : (tensor<i1>) -> ()"),
    ("async_outside", "an asynchronous region that uses a value of outside", "stablehlo.capture",
     '%f = "stablehlo.async_start"(%a) ({\n  ^bb0(%x: X):\n    %s = stablehlo.add %x, %a : X\n    '
     "stablehlo.return %s : X\n  }) : (X) -> !stablehlo.future<X>"),
    ("async_done", "what async_start did not give", "stablehlo.operand-count",
     '%r = "stablehlo.async_done"(%a) : (X) -> X'),
    ("async_nothing", "an asynchronous region that returns nothing", "stablehlo.result-count",
     '%f = "stablehlo.async_start"(%a) ({\n  ^bb0(%x: X):\n    "stablehlo.return"() : () -> ()\n  '
     '}) : (X) -> !stablehlo.future<X, X>\n  %r, %s = "stablehlo.async_done"(%f) : '
     "(!stablehlo.future<X, X>) -> (X, X)"),
    ("async_fewer", "two results of three", "stablehlo.result-count",
     '%f = "stablehlo.async_start"(%a) ({\n  ^bb0(%x: X):\n    "stablehlo.return"(%x, %x, %x) : '
     '(X, X, X) -> ()\n  }) : (X) -> !stablehlo.future<X, X, X>\n  %r, %s = '
     '"stablehlo.async_done"(%f) : (!stablehlo.future<X, X, X>) -> (X, X)'),
    ("check_value", "an expected value that is a string", "stablehlo.needs",
     '"check.expect_eq_const"(%a) {value = "1"} : (X) -> ()'),
    ("lapack_config", "no letters", "stablehlo.needs",
     "%0 = stablehlo.convert %a : (X) -> tensor<4xf32>\n  %1 = stablehlo.reshape %0 : "
     "(tensor<4xf32>) -> tensor<2x2xf32>\n  %2, %3 = stablehlo.custom_call @lapack_spotrf_ffi(%1) "
     ": (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<i32>)"),
    ("lapack_letter", "a letter that there is not", "stablehlo.needs",
     "%0 = stablehlo.convert %a : (X) -> tensor<4xf32>\n  %1 = stablehlo.reshape %0 : "
     "(tensor<4xf32>) -> tensor<2x2xf32>\n  %2 = stablehlo.custom_call @lapack_strsm_ffi(%1, %1) "
     f"{{api_version = 4 : i32, mhlo.backend_config = {{{CONFIG}, trans_x = 88 : ui8}}}} : "
     "(tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>"),
    ("lapack_vector", "a vector has no factor", "stablehlo.needs",
     "%0 = stablehlo.convert %a : (X) -> tensor<4xf32>\n  %2, %3 = stablehlo.custom_call "
     f"@lapack_spotrf_ffi(%0) {{api_version = 4 : i32, mhlo.backend_config = {{uplo = {LOWER} : "
     "ui8}} : (tensor<4xf32>) -> (tensor<4xf32>, tensor<i32>)"),
]
CARRIED = [
    ("opcode", "the target names another instruction", "abs", "s32[4] negate(p0)", "%a"),
    ("operands", "more operands than the instruction takes", "abs", "s32[4] abs(p0)", "%a, %a"),
    ("twice", "the instruction takes a parameter twice", "add", "s32[4] add(p0, p0)", "%a"),
    ("text", "no program", "abs", "", "%a"),
    ("shape", "an operand of another shape", "abs", "s32[4] abs(p0)", "%b"),
    ("parameter", "no instruction at all", "parameter", "", "%a"),
]
PARAMETER = "ENTRY main {\n  ROOT p = s32[4] parameter(0)\n}\n"
MEETINGS = [
    ("groups_text", "groups that are a string", "stablehlo.needs",
     GATHER.format('replica_groups = "all"')),
    ("groups_rank", "groups in one row", "stablehlo.needs",
     GATHER.format("replica_groups = dense<[0, 1]> : tensor<2xi64>")),
    ("groups_axes", "axes that are no list", "stablehlo.sharding", GATHER.format(
        "replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = 1>, "
        + GLOBAL)),
    ("groups_mesh", "no mesh", "stablehlo.sharding", GATHER.format(
        "replica_groups = #stablehlo.replica_group_mesh_axes<axes = []>, " + GLOBAL)),
    ("exchange_count", "a count that does not divide", "stablehlo.needs", EXCHANGE.format(0, 0, 3)),
    ("exchange_parts", "more parts than members", "stablehlo.needs", EXCHANGE.format(0, 0, 4)),
    ("exchange_dimension", "a dimension that there is not", "stablehlo.needs",
     EXCHANGE.format(0, 1, 2)),
    ("combiner_arguments", "a region without arguments", "stablehlo.regions",
     f'%r = "stablehlo.all_reduce"(%a) <{{{PAIR}}}> ({{\n    stablehlo.return %b : tensor<i32>\n'
     "  }) : (X) -> X"),
    ("combiner_array", "a region that uses an array of outside", "stablehlo.capture",
     f'%r = "stablehlo.all_reduce"(%a) <{{{PAIR}}}> ({{\n  ^bb0(%x: tensor<i32>, %y: '
     "tensor<i32>):\n    %v = stablehlo.reverse %a, dims = [0] : X\n    %w = stablehlo.slice %v "
     "[0:1] : (X) -> tensor<1xi32>\n    %s = stablehlo.reshape %w : (tensor<1xi32>) -> "
     "tensor<i32>\n    stablehlo.return %s : tensor<i32>\n  }) : (X) -> X"),
    ("scatter_dimension", "a dimension that there is not, and a scalar of outside",
     "stablehlo.needs", f'%r = "stablehlo.reduce_scatter"(%a) <{{scatter_dimension = 1 : i64, '
     f"{PAIR}}}> {LIMITED} : (X) -> tensor<2xi32>"),
    ("outfeed", "no token", "stablehlo.operand-count",
     '%r = "stablehlo.outfeed"() : () -> !stablehlo.token'),
    ("outfeed_tokens", "a token among the data", "stablehlo.operand-count", TOKEN +
     '%u = "stablehlo.outfeed"(%a, %t, %t) : (X, !stablehlo.token, !stablehlo.token) -> '
     "!stablehlo.token"),
    ("pairs", "pairs that an attribute says otherwise", "stablehlo.needs",
     TOKEN + '%u = "stablehlo.send"(%a, %t) <{channel_handle = #stablehlo.channel_handle<handle '
     "= 1, type = 1>, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> "
     '{mhlo.frontend_attributes = {_xla_send_recv_source_target_pairs = "{{1,0}}"}} : '
     "(X, !stablehlo.token) -> !stablehlo.token"),
    ("infeed", "no results", "stablehlo.result-count",
     TOKEN + '"stablehlo.infeed"(%t) : (!stablehlo.token) -> ()'),
    ("programs", "rows of programs of two lengths", "stablehlo.needs",
     '%r:3 = "interpreter.run_parallel"() {programs = [[@f, @f], [@f]]} : () -> (X, X, X)'),
    ("programs_text", "a program that is a string", "stablehlo.needs",
     '%r = "interpreter.run_parallel"() {programs = [["f"]]} : () -> X'),
    ("programs_none", "no programs", "stablehlo.needs",
     '"interpreter.run_parallel"() {programs = []} : () -> ()'),
    ("programs_list", "a row of programs that is no list", "stablehlo.needs",
     '%r = "interpreter.run_parallel"() {programs = [@f]} : () -> X'),
]


def program(lines: str) -> str:
    """@main of %a and %b; X is the type of %a."""
    lines = re.sub(r"\bX\b", "tensor<4xi32>", lines)
    return ("  func.func @main(%a: tensor<4xi32>, %b: tensor<i32>) -> tensor<4xi32> {\n"
            f"  {lines}\n    return %a : tensor<4xi32>\n  }}\n")


GIVEN = [vector(S32, 1, 2, 3, 4), Array(S32, (), (5,))]
FUNCTIONS = SUM + "func.func private @declared(tensor<4xi32>) -> tensor<4xi32>\n"
CONSTANT = """\
  func.func private @f() -> tensor<4xi32> {
    %0 = stablehlo.constant dense<1> : tensor<4xi32>
    return %0 : tensor<4xi32>
  }
"""
RECURSION = """\
func.func @main(%a: tensor<4xi32>, %b: tensor<i32>) -> tensor<4xi32> {
  %0 = call @f(%a) : (tensor<4xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}
func.func private @f(%a: tensor<4xi32>) -> tensor<4xi32> {
  %0 = call @g(%a) : (tensor<4xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}
func.func private @g(%a: tensor<4xi32>) -> tensor<4xi32> {
  %0 = stablehlo.composite "my.f" %a {decomposition = @f} : (tensor<4xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}
"""


def cases():
    for what, statement, rule, lines in CALLS:
        yield refused(f"call_{what}", statement, FUNCTIONS + program(lines), rule, GIVEN)
    for what, statement, opcode, root, operands in CARRIED:
        shapes = ", ".join("X" if n == "%a" else "tensor<i32>" for n in operands.split(", "))
        hlo = entry(["s32[4]"], root) if root else "HloModule c\n\n" + PARAMETER * (what != "text")
        lines = "%r = " + carrying(opcode, hlo, operands, f"({shapes}) -> X")
        yield refused(f"carried_{what}", statement, program(lines), "stablehlo.carried", GIVEN)
    grid = Grid(2)
    for what, statement, rule, lines in MEETINGS:
        yield refused(f"meeting_{what}", statement,
                      f"{grid.head()}{CONSTANT}{program(lines)}}}\n", rule,
                      GIVEN * len(grid.devices))
    yield refused("recursion", "two functions that call each other", RECURSION,
                  "stablehlo.recursion", GIVEN)
