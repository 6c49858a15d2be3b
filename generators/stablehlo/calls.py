"""Functions, composites, custom calls, checks, and instructions of HLO that a call carries."""

from __future__ import annotations

import json

from assaygen import arrays
from assaygen.arrays import Array
from assaygen.cases import bits
from assaygen.types import BY_NAME
from sequences.elements import matrix, vector
from stablehlo.forms import F32, PRED, S32, Text, form

WHY = {
    "Calls": "functions that call each other, composites, computations that run beside others",
    "OpenCalls": "functions whose sizes are those that they are called with",
    "CustomCalls": "targets that are functions or marks, with the attributes that calls have",
    "Lapack": "factors and solutions as LAPACK gives them",
    "Checks": "values that a program expects of itself, and those that pass through probes",
    "Carried": "instructions of HLO that a call of the target hlo.OPCODE has as text",
}
F64 = BY_NAME["f64"]
X, Y = vector(S32, 1, -2, 3), vector(S32, 10, 20, 30)
FUNCTIONS = """\
func.func private @double(%a: tensor<3xi32>) -> tensor<3xi32> {
  %0 = func.call @"sum of <two>"(%a, %a) : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  return %0 : tensor<3xi32>
}
func.func private @"sum of <two>"(%a: tensor<3xi32>, %b: tensor<3xi32>) -> tensor<3xi32> {
  %0 = stablehlo.add %a, %b : tensor<3xi32>
  "func.return"(%0) : (tensor<3xi32>) -> ()
}
func.func private @swap(%a: tensor<3xi32>, %b: tensor<3xi32>) -> (tensor<3xi32>, tensor<3xi32>) {
  return %b, %a : tensor<3xi32>, tensor<3xi32>
}
func.func private @nothing(%a: tensor<3xi32>) {
  return
}
func.func private @unused(%a: tensor<3xi32>) -> tensor<?xi32> {
  %0 = call @declared(%a) : (tensor<3xi32>) -> tensor<?xi32>
  return %0 : tensor<?xi32>
}
func.func private @declared(tensor<3xi32>) -> tensor<?xi32>
"""


def scalar(x: int) -> Array:
    return Array(S32, (), (S32.wrap(x),))


def numbers(rule, *xs: Array) -> Array:
    return Array(S32, xs[0].dims, tuple(S32.wrap(rule(*map(S32.integer, codes)))
                                        for codes in zip(*(x.codes for x in xs))))


def calls():
    yield form("call", "functions before they are defined, twice, and of no results", "Calls",
               [X, Y], """%0 = call @double(%a) : ($A) -> $A
               call @nothing(%0) : ($A) -> ()
               %1:2 = "func.call"(%0, %b) <{callee = @swap}> : ($A, $B) -> ($B, $A)
               %r0, %r1 = func.call @swap(%1#1, %1#0) : ($A, $B) -> ($B, $A)
               %r2 = call @double(%r0) : ($B) -> $B""",
               [Y, numbers(lambda x: 2 * x, X), numbers(lambda y: 2 * y, Y)], head=FUNCTIONS)
    yield form("composite", "a composite is what it is made of", "Calls", [X, Y],
               """%r0 = stablehlo.composite "my.double" %a {composite_attributes = {n = 2 : i64, \
flag, list = [1, "two"]}, decomposition = @double, version = 1 : i32} : ($A) -> $A
               %r1, %r2 = "stablehlo.composite"(%a, %b) <{name = "my.swap", decomposition = \
@swap}> : ($A, $B) -> ($B, $A)""", [numbers(lambda x: 2 * x, X), Y, X], head=FUNCTIONS)
    x = vector(F32, 3, "-inf", 2, "0.5")
    yield form("composite_of_chlo", "functions of CHLO keep their meaning", "Calls", [x],
               """%r0, %r1 = stablehlo.composite "chlo.top_k" %a {composite_attributes = {k = 2 : \
i64}, decomposition = @top} : ($A) -> (tensor<2xf32>, tensor<2xi32>)
               %r2 = stablehlo.composite "chlo.square" %a {decomposition = @other} : ($A) -> $A
               %r3 = stablehlo.composite "chlo.is_neg_inf" %a {decomposition = @flags} : ($A) -> \
tensor<4xi1>""", [vector(F32, 3, 2), vector(S32, 0, 2), vector(F32, 9, "inf", 4, "0.25"),
                  Array(PRED, (4,), (0, 1, 0, 0))], head="""\
func.func private @top(%a: tensor<4xf32>) -> (tensor<2xf32>, tensor<2xi32>) {
  %0:2 = chlo.top_k(%a, k = 2) : tensor<4xf32> -> (tensor<2xf32>, tensor<2xi32>)
  return %0#0, %0#1 : tensor<2xf32>, tensor<2xi32>
}
func.func private @other(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.multiply %a, %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @flags(%a: tensor<4xf32>) -> tensor<4xi1> {
  %0 = "chlo.is_neg_inf"(%a) : (tensor<4xf32>) -> tensor<4xi1>
  return %0 : tensor<4xi1>
}
""")
    yield from asynchronous()


def asynchronous():
    for what, start, future in (
            ("region", """"stablehlo.async_start"(%b) ({
              ^bb0(%x: tensor<3xi32>):
                %t = stablehlo.slice %x [0:3:2] : (tensor<3xi32>) -> tensor<2xi32>
                stablehlo.return %t : tensor<2xi32>
              })""", "tensor<2xi32>"),
            ("name", '"stablehlo.async_start"(%a, %b) {called_computation = @swap}',
             "tensor<3xi32>, tensor<3xi32>")):
        found = [Y, X] if what == "name" else [vector(S32, 10, 30)]
        made = f"({future})" if what == "name" else future
        out, taken = ("%r0, %r1", "($A, $B)") if what == "name" else ("%r", "($B)")
        yield form(f"async_{what}", "a computation that runs beside others", "Calls", [X, Y],
                   f"%f = {start} : {taken} -> !stablehlo.future<{future}>\n"
                   f'{out} = "stablehlo.async_done"(%f) : (!stablehlo.future<{future}>) -> {made}',
                   found, head=FUNCTIONS if what == "name" else "")


OPEN = """\
func.func private @double(%a: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.add %a, %a : tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func private @flat(%n: tensor<i64>, %a: tensor<?x?xf32>) -> tensor<?xf32> {
  %two = stablehlo.constant dense<2> : tensor<i64>
  %0 = call @product(%n, %two) : (tensor<i64>, tensor<i64>) -> tensor<1xi64>
  %1 = stablehlo.dynamic_reshape %a, %0 : (tensor<?x?xf32>, tensor<1xi64>) -> tensor<?xf32>
  %2 = call @double(%1) : (tensor<?xf32>) -> tensor<?xf32>
  return %2 : tensor<?xf32>
}
func.func private @product(%m: tensor<i64>, %n: tensor<i64>) -> tensor<1xi64> {
  %0 = stablehlo.multiply %m, %n : tensor<i64>
  %1 = stablehlo.reshape %0 : (tensor<i64>) -> tensor<1xi64>
  return %1 : tensor<1xi64>
}
"""


def open_calls():
    one, two = matrix(F32, [1, 2], [3, "-4"]), vector(F32, "0.5", 8, -1)
    yield form("open_function", "one function for each list of sizes, twice for one", "OpenCalls",
               [one, two], """%n = stablehlo.get_dimension_size %a, dim = 0 : ($A) -> tensor<i32>
               %c = stablehlo.constant dense<1> : tensor<i32>
               %p = stablehlo.compare GE, %n, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
               stablehlo.custom_call @shape_assertion(%p, %n) {api_version = 2 : i32, \
error_message = "a size of {0}", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
               %m = stablehlo.convert %n : (tensor<i32>) -> tensor<i64>
               %0 = stablehlo.convert %a : ($A) -> tensor<?x?xf32>
               %1 = call @flat(%m, %0) : (tensor<i64>, tensor<?x?xf32>) -> tensor<?xf32>
               %2 = stablehlo.convert %b : ($B) -> tensor<?xf32>
               %3 = call @double(%2) : (tensor<?xf32>) -> tensor<?xf32>
               %4 = call @double(%3) : (tensor<?xf32>) -> tensor<?xf32>
               %r0 = stablehlo.reshape %1 : (tensor<?xf32>) -> tensor<4xf32>
               %r1 = stablehlo.convert %4 : (tensor<?xf32>) -> tensor<3xf32>""",
               [vector(F32, 2, 4, 6, -8), vector(F32, 2, 32, -4)], head=OPEN)
    yield form("unranked_function", "a function of any rank", "OpenCalls", [one, two],
               """%0 = stablehlo.convert %a : ($A) -> tensor<*xf32>
               %1 = stablehlo.convert %b : ($B) -> tensor<*xf32>
               %2 = call @negated(%0) : (tensor<*xf32>) -> tensor<*xf32>
               %3 = call @negated(%1) : (tensor<*xf32>) -> tensor<*xf32>
               %r0 = stablehlo.convert %2 : (tensor<*xf32>) -> $A
               %r1 = stablehlo.convert %3 : (tensor<*xf32>) -> $B""",
               [matrix(F32, [-1, -2], [-3, 4]), vector(F32, "-0.5", -8, 1)], head="""\
func.func private @negated(%a: tensor<*xf32>) -> tensor<*xf32> {
  %0 = stablehlo.negate %a : tensor<*xf32>
  return %0 : tensor<*xf32>
}
""")


def custom_calls():
    x = matrix(F32, [1, -2, 3], [4, 5, -6])
    layouts = ("operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = "
               "[dense<[0, 1]> : tensor<2xindex>]")
    alias = ("output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], "
             "operand_index = 0, operand_tuple_indices = []>]")
    yield form("custom_call_mark", "marks, with what calls may have beside them", "CustomCalls",
               [x], f"""%0 = stablehlo.custom_call @Sharding(%a) {{backend_config = "", \
has_side_effect = true, api_version = 1 : i32}} : ($A) -> $A
               %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {{api_version = 2 : i32, \
{layouts}}} : ($A) -> $A
               %2 = "stablehlo.custom_call"(%1) <{{call_target_name = "xla.sdy.mark", api_version \
= 4 : i32, backend_config = {{a = 1 : i32, b = "two", c = [true, 2.5 : f32]}}, {alias}}}> : ($A) \
-> $A
               %3 = stablehlo.custom_call @annotate_device_placement(%2) {{api_version = 3 : i32, \
called_computations = [], mhlo.frontend_attributes = {{place = "host"}}}} \
: ($A) -> $A
               %r = stablehlo.transpose %3, dims = [1, 0] : ($A) -> $R""",
               [matrix(F32, [1, 4], [-2, 5], [3, -6])])
    one = vector(F32, 1, -1, "inf")
    yield form("custom_call_function", "targets that are functions", "CustomCalls", [one],
               """%r0 = stablehlo.custom_call @chlo.is_pos_inf(%a) : ($A) -> $R
               %z = stablehlo.constant dense<0.0> : $A
               %r1 = stablehlo.custom_call @mhlo.next_after(%a, %z) {api_version = 0 : i32} : \
($A, $A) -> $A
               %r2 = stablehlo.custom_call @check.eq(%a, %r1) : ($A, $A) -> tensor<i1>""",
               [Array(PRED, (3,), (0, 0, 1)), Array(F32, (3,), tuple(c - 1 for c in one.codes)),
                Array(PRED, (), (0,))])
    yield form("custom_call_computations", "functions that a call names", "CustomCalls", [X],
               """%r = stablehlo.custom_call @interpreter.run_parallel(%a) {backend_config = \
"{\\22infeed\\22:[1]}", called_computations = [@f, @q], has_side_effect = true} : ($A) -> $A""",
               [numbers(lambda x: x + 7, X)], head="""\
func.func private @q() -> tensor<3xi32> {
  %0 = stablehlo.constant dense<7> : tensor<3xi32>
  return %0 : tensor<3xi32>
}
func.func private @f(%a: tensor<3xi32>) -> tensor<3xi32> {
  %t = stablehlo.create_token : !stablehlo.token
  %0:2 = "stablehlo.infeed"(%t) : (!stablehlo.token) -> (tensor<3xi32>, !stablehlo.token)
  %1 = stablehlo.add %a, %0#0 : tensor<3xi32>
  return %1 : tensor<3xi32>
}
""")


LOWER, UPPER, NOT, TURNED, LEFT, RIGHT, UNIT = (ord(c) for c in "LUNTLRU")


def lapack():
    a = matrix(F32, [4, 2], [2, 5])
    for letter, uplo, found in (("s", LOWER, [[2, 2], [1, 2]]), ("d", UPPER, [[2, 1], [2, 2]])):
        t = F32 if letter == "s" else F64
        x = matrix(t, [4, 2], [2, 5])
        yield form(f"potrf_{letter}", "the other triangle stays what it was", "Lapack", [x],
                   f"%r0, %r1 = stablehlo.custom_call @lapack_{letter}potrf_ffi(%a) "
                   f"{{mhlo.backend_config = {{uplo = {uplo} : ui8}}, api_version = 4 : i32}} : "
                   "($A) -> ($R, tensor<i32>)", [matrix(t, *found), Array(S32, (), (0,))])
    z = BY_NAME["c64"]
    yield form("potrf_c", "a Hermitian matrix", "Lapack", [matrix(z, [4, (2, -2)], [(2, 2), 6])],
               "%r0, %r1 = stablehlo.custom_call @lapack_cpotrf_ffi(%a) {api_version = 4 : i32, "
               f"backend_config = {{uplo = {LOWER} : ui8}}}} : ($A) -> ($R, tensor<i32>)",
               [matrix(z, [2, (2, -2)], [(1, 1), 2]), Array(S32, (), (0,))])
    several = matrix(F32, [[1, 2], [2, 1]], [[4, 2], [2, 5]], [[9, 3], [3, 2]])
    yield form("potrf_batch", "the first matrix has no factor", "Lapack", [several],
               "%0, %r1 = stablehlo.custom_call @lapack_spotrf_ffi(%a) {mhlo.backend_config = "
               f"{{uplo = {LOWER} : ui8}}}} : ($A) -> ($A, tensor<3xi32>)\n"
               "%r0 = stablehlo.slice %0 [1:3, 0:2, 0:2] : ($A) -> $R",
               [matrix(F32, [[2, 2], [1, 2]], [[3, 3], [1, 1]]), vector(S32, 1, 0, 0)])
    yield form("potrf_empty", "no matrices, and matrices of no elements", "Lapack",
               [Array(F32, (0, 2, 2), ()), Array(F32, (2, 0, 0), ())],
               "%r1, %r0 = stablehlo.custom_call @lapack_spotrf_ffi(%b) {api_version = 4 : i32, "
               f"backend_config = {{uplo = {UPPER} : ui8}}}} : ($B) -> ($B, tensor<2xi32>)\n"
               "%r2, %r3 = stablehlo.custom_call @lapack_spotrf_ffi(%a) {api_version = 4 : i32, "
               f"backend_config = {{uplo = {LOWER} : ui8}}}} : ($A) -> ($A, tensor<0xi32>)",
               [vector(S32, 0, 0), Array(F32, (2, 0, 0), ()), Array(F32, (0, 2, 2), ()),
                Array(S32, (0,), ())])
    yield from solutions()


def solutions():
    """The right side is made of the solution, so that both are integers."""
    lower = [[2, 0], [1, 4]]
    for what, side, uplo, trans, diag in (
            ("left", LEFT, LOWER, NOT, NOT), ("turned", LEFT, LOWER, TURNED, NOT),
            ("upper", LEFT, UPPER, NOT, NOT), ("right", RIGHT, LOWER, NOT, NOT),
            ("unit", LEFT, LOWER, NOT, UNIT), ("right_turned", RIGHT, UPPER, TURNED, UNIT)):
        m = lower if uplo == LOWER else [[2, 1], [0, 4]]
        m = [[1 if diag == UNIT and i == j else m[i][j] for j in (0, 1)] for i in (0, 1)]
        m = [list(row) for row in zip(*m)] if trans == TURNED else m
        x = [[3, -1], [2, 5]]
        left, right = (m, x) if side == LEFT else (x, m)
        product = [[sum(left[i][k] * right[k][j] for k in (0, 1)) for j in (0, 1)] for i in (0, 1)]
        # The other triangle, and a diagonal of ones, are not looked at.
        a = [[7 if (j > i) == (uplo == LOWER) and i != j else 0 for j in (0, 1)] for i in (0, 1)]
        kept = lower if uplo == LOWER else [[2, 1], [0, 4]]
        a = [[a[i][j] or kept[i][j] for j in (0, 1)] for i in (0, 1)]
        config = (f"{{diag = {diag} : ui8, side = {side} : ui8, trans_x = {trans} : ui8, uplo = "
                  f"{uplo} : ui8}}")
        yield form(f"trsm_{what}", "a triangular system", "Lapack",
                   [matrix(F32, *a), matrix(F32, *product)],
                   "%r = stablehlo.custom_call @lapack_strsm_ffi(%a, %b) {mhlo.backend_config = "
                   f"{config}, api_version = 4 : i32}} : ($A, $B) -> $R", [matrix(F32, *x)])
    yield form("trsm_factor", "the older form multiplies the right side", "Lapack",
               [matrix(F64, [2, 9], [1, 4]), matrix(F64, [1], ["4.5"]), Array(F64, (), vector(
                   F64, 2).codes)],
               "%r = stablehlo.custom_call @lapack_dtrsm_ffi(%a, %b, %c) {api_version = 4 : i32, "
               "backend_config = {diag = "
               f"{NOT} : ui8, side = {LEFT} : ui8, trans_x = {NOT} : ui8, uplo = {LOWER} : ui8}}}} "
               ": ($A, $B, $C) -> $R", [matrix(F64, [1], [2])])


def checks():
    x = vector(F32, 1, "-0", "inf")
    yield form("checks", "a program that says what it expects", "Checks", [x],
               """check.expect_eq %a, %a : $A
               check.expect_eq_const %a, dense<[1.0, -0.0, 0x7F800000]> : $A
               "check.expect_eq_const"(%a) {value = dense<[1.0, -0.0, 0x7F800000]> : $A} : \
($A) -> ()
               check.expect_almost_eq %a, %a : $A
               check.expect_almost_eq_const %a, dense<[1.00005, 0.0, 0x7F800000]> : $A
               "check.expect_almost_eq"(%a, %a) {tolerance = 5.000000e-01 : f64} : ($A, $A) -> ()
               check.expect_close %a, %a, max_ulp_difference = 1, min_ulp_difference = 0 : $A, $A
               "check.expect_close"(%a, %a) : ($A, $A) -> ()
               stablehlo.custom_call @check.expect_eq(%a, %a) {has_side_effect = true} : \
($A, $A) -> ()
               %0 = "interpreter.probe"(%a) {probe_id = "the \\22first\\22"} : ($A) -> $A
               "check.expect_serialized_eq"(%0) <{probe_id = "the \\22first\\22", iteration = 0 : \
ui32}> : ($A) -> ()
               %e = "check.eq"(%a, %0) : ($A, $A) -> tensor<i1>
               "interpreter.print"(%0) : ($A) -> ()
               %r0 = stablehlo.negate %0 : $A
               %r1 = stablehlo.not %e : tensor<i1>""",
               [vector(F32, -1, 0, "-inf"), Array(PRED, (), (0,))])


def carrying(opcode: str, hlo: str, operands: str, types: str) -> str:
    """A call that has an instruction of HLO as text."""
    text = json.dumps(hlo)[1:-1].replace('\\"', "\\22").replace("\\n", "\\0A")
    return (f'stablehlo.custom_call @"hlo.{opcode}"({operands}) {{backend_config = "{text}"}} : '
            f"{types}")


def entry(parameters, root: str, before: str = "") -> str:
    given = "\n".join(f"  p{k} = {shape} parameter({k})" for k, shape in enumerate(parameters))
    return f"HloModule c\n\n{before}ENTRY main {{\n{given}\n  ROOT r = {root}\n}}\n"


BRANCHES = """same {
  ROOT a = s32[3] parameter(0)
}

less {
  a = s32[3] parameter(0)
  ROOT n = s32[3] negate(a)
}

"""
LEAST = """least {
  a = s32[] parameter(0)
  b = s32[] parameter(1)
  ROOT m = s32[] minimum(a, b)
}

"""


def carried():
    yield form("carried", "an instruction on its parameters", "Carried", [X, Y],
               "%r = " + carrying("subtract", entry(
                   ["s32[3]", "s32[3]"], "s32[3] subtract(p0, p1)"), "%a, %b",
                   "(tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>"),
               [numbers(lambda x, y: x - y, X, Y)])
    yield form("carried_tuple", "operands and results of which tuples are made", "Carried", [X, Y],
               "%r0, %r1, %r2 = " + carrying("opt-barrier", entry(
                   ["(s32[3], (s32[3], s32[3]))"],
                   "(s32[3], (s32[3], s32[3])) opt-barrier(p0)"), "%a, %b, %a",
                   "(tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> (tensor<3xi32>, "
                   "tensor<3xi32>, tensor<3xi32>)"), [X, Y, X])
    yield form("carried_region", "computations come with it", "Carried", [
        matrix(S32, [4, 1, 7], [-3, 2, 5]), Array(S32, (), (3,))],
               "%r0 = " + carrying("reduce", entry(
                   ["s32[2,3]", "s32[]"], "s32[2] reduce(p0, p1), dimensions={1}, to_apply=least",
                   LEAST), "%a, %b", "(tensor<2x3xi32>, tensor<i32>) -> tensor<2xi32>")
               + "\n%r1 = " + carrying("reduce", entry(
                   ["s32[2,3]", "s32[]"], "s32[3] reduce(p0, p1), dimensions={0}, to_apply=least",
                   LEAST), "%a, %b", "(tensor<2x3xi32>, tensor<i32>) -> tensor<3xi32>"),
               [vector(S32, 1, -3), vector(S32, -3, 1, 3)])
    yield form("carried_branches", "branches, which are several computations", "Carried",
               [scalar(1), X, Y], "%r = " + carrying("conditional", entry(
                   ["s32[]", "s32[3]", "s32[3]"], "s32[3] conditional(p0, p1, p2), "
                   "branch_computations={same, less}", BRANCHES), "%a, %b, %c",
                   "(tensor<i32>, tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>"),
               [numbers(lambda y: -y, Y)])
    yield form("carried_layout", "bits of a layout that values of StableHLO have not", "Carried",
               [matrix(S32, [1, 2, 3], [4, 5, 6])],
               "%r = " + carrying("bitcast", entry(["s32[2,3]{0,1}"], "s32[6]{0} bitcast(p0)"),
                                  "%a", "(tensor<2x3xi32>) -> tensor<6xi32>"),
               [vector(S32, 1, 4, 2, 5, 3, 6)])
    yield from carried_transfers()


def carried_transfers():
    """What a send gives is what its done takes: each partition sends to the next."""
    pairs = ('channel_id=1, frontend_attributes={_xla_send_recv_source_target_pairs='
             '"{{0,1},{1,2}}"}')
    state = "(s32[3], u32[], token[])"
    leaves = "tensor<3xi32>, tensor<ui32>, !stablehlo.token"
    lines = [
        "%t = stablehlo.create_token : !stablehlo.token",
        "%s:3 = " + carrying("send", entry(["s32[3]", "token[]"], f"{state} send(p0, p1), {pairs}"),
                             "%a, %t", f"(tensor<3xi32>, !stablehlo.token) -> ({leaves})"),
        "%v:3 = " + carrying("recv", entry(["token[]"], f"{state} recv(p0), {pairs}"), "%t",
                             f"(!stablehlo.token) -> ({leaves})"),
        "%d = " + carrying("send-done", entry([state], "token[] send-done(p0), channel_id=1"),
                           "%s#0, %s#1, %s#2", f"({leaves}) -> !stablehlo.token"),
        "%r, %e = " + carrying("recv-done", entry(
            [state], "(s32[3], token[]) recv-done(p0), channel_id=1"), "%v#0, %v#1, %v#2",
            f"({leaves}) -> (tensor<3xi32>, !stablehlo.token)")]
    body = "\n".join(f"    {line}" for line in lines)
    text = ("module attributes {mhlo.num_partitions = 3 : i32} {\n  func.func @main(%a: "
            f"tensor<3xi32>) -> tensor<3xi32> {{\n{body}\n    return %r : tensor<3xi32>\n"
            "  }\n}\n")
    zero = arrays.splat(S32, (3,), 0)
    yield Text("s32/carried_transfer", "halves of transfers stay together", text,
               [bits(x, "same") for x in (zero, X, Y)], ["Carried"], [X, Y, X])


def cases():
    for part in (calls, open_calls, custom_calls, lapack, checks, carried):
        yield from part()
