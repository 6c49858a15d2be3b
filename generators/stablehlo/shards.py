"""Computations on shards of arrays, and what programs take from the host or from each other."""

from __future__ import annotations

import math

from assaygen import arrays
from assaygen.cases import bits
from sequences.elements import matrix, vector
from stablehlo.devices import CHANNEL, GLOBAL, Grid, combiner, everywhere, given
from stablehlo.forms import F32, S32, Text, form, refused, tensor
from stablehlo.meshes import Mesh

WHY = {
    "Shards": "computations on shards, which each device cuts out of whole arrays",
    "Marks": "shardings that change no value",
    "Transfers": "what devices send to each other and to the host, and tokens",
    "Parallel": "programs that differ from device to device, and what is in their queue",
}
LINE, SQUARE = Mesh((("x", 4),)), Mesh((("x", 2), ("y", 2)))
TURNED = Mesh(LINE.axes, (3, 2, 1, 0))
CROSSED = Mesh(SQUARE.axes, (0, 3, 1, 2))
WHOLE = arrays.iota(S32, (4, 2))


def owner(mesh: Mesh, cuts, dims, index) -> int:
    """The device whose shard has the index; the first axis of a dimension is the slowest."""
    at = {name: 0 for name, _ in mesh.axes}
    for axes, size, i in zip(cuts, dims, index):
        block = i * math.prod(dict(mesh.axes)[name] for name in axes) // size
        for name in reversed(axes):
            block, at[name] = divmod(block, dict(mesh.axes)[name])
    return mesh.device(at)


def local(mesh: Mesh, cuts, dims) -> tuple[int, ...]:
    return tuple(size // math.prod(dict(mesh.axes)[name] for name in axes)
                 for axes, size in zip(cuts, dims))


def axes_of(names) -> str:
    return "{" + ", ".join(f'"{name}"' for name in names) + "}"


def sharding(cuts, name: str = "mesh") -> str:
    return f"<@{name}, [{', '.join(map(axes_of, cuts))}]>"


def on_shards(what, statement, mesh, inside, outside, manual, argument, body, result, name="mesh",
              why="Shards"):
    """A manual computation on WHOLE: the shardings of its operand and of its result."""
    grid = Grid(1, math.prod(size for _, size in mesh.axes))
    lines = (f"%r = sdy.manual_computation(%a) in_shardings=[{inside}] out_shardings=[{outside}] "
             f"manual_axes={axes_of(manual)} (%s: tensor<{argument}xi32>) {{\n{body}\n"
             "} : ($A) -> $R")
    return everywhere(what, statement, why, grid, {x: [WHOLE] for x in grid.devices}, lines,
                      {x: [result] for x in grid.devices}, outside=mesh.of_module(name))


def sizes(dims) -> str:
    return "x".join(map(str, dims))


def own_ids():
    """Each device adds its number to its shard, and so signs it."""
    for what, mesh, cuts, manual, name in (
            ("rows", LINE, [["x"], []], "x", "mesh"), ("turned", TURNED, [["x"], []], "x", "m.1"),
            ("two_axes", SQUARE, [["y", "x"], []], "xy", "mesh"),
            ("two_dimensions", SQUARE, [["x"], ["y"]], "xy", "mesh"),
            ("crossed", CROSSED, [["y"], ["x"]], "yx", "mesh"),
            ("crossed_rows", CROSSED, [["x", "y"], []], "xy", '"a mesh"')):
        shard = local(mesh, cuts, WHOLE.dims)
        cut = f"tensor<{sizes(shard)}xi32>"
        body = f"""%p = stablehlo.partition_id : tensor<ui32>
          %i = stablehlo.convert %p : (tensor<ui32>) -> tensor<i32>
          %b = stablehlo.broadcast_in_dim %i, dims = [] : (tensor<i32>) -> {cut}
          %q = stablehlo.add %s, %b : {cut}
          sdy.return %q : {cut}"""
        yield on_shards(f"shards_{what}", "each device signs its shard", mesh,
                        sharding(cuts, name), sharding(cuts, name), manual, sizes(shard), body,
                        arrays.build(S32, WHOLE.dims, lambda i: S32.wrap(
                            WHOLE.at(i) + owner(mesh, cuts, WHOLE.dims, i))), name)


def sums():
    """Shards that a collective inside joins, in groups of ids and of a mesh's axes."""
    total = arrays.build(S32, (2, 2), lambda i: WHOLE.at(i) + WHOLE.at((i[0] + 2, i[1])))
    for what, words in (
            ("ids", "dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>"),
            ("axis", "#stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = "
                     '[#stablehlo.axis_ref<name = "x">]>')):
        body = (f'%q = "stablehlo.all_reduce"(%s) <{{replica_groups = {words}, {GLOBAL}}}> '
                f"{combiner('add')} : (tensor<2x2xi32>) -> tensor<2x2xi32>\n"
                "sdy.return %q : tensor<2x2xi32>")
        yield on_shards(f"shards_sum_{what}", "the sum of all shards, whole on each device",
                        SQUARE, sharding([["x"], []]), sharding([[], []]), "x", "2x2", body, total)
    negative = arrays.build(S32, WHOLE.dims, lambda i: S32.wrap(-WHOLE.at(i)))
    for what, inside, outside in (
            ("other_axes", '<@mesh, [{"x"}, {"y"}]>', '<@mesh, [{"x", "y"}, {}]>'),
            ("open", '<@mesh, [{"x", ?}p1, {?}]>', '<@mesh, [{"x"}p0, {?}p2]>'),
            ("replicated", '<@mesh, [{"x"}, {}], replicated={"y"}>', '<@mesh, [{"x"}, {}]>')):
        yield on_shards(f"shards_{what}", "axes that are not manual cut nothing", SQUARE, inside,
                        outside, "x", "2x2", "%q = stablehlo.negate %s : tensor<2x2xi32>\n"
                        "sdy.return %q : tensor<2x2xi32>", negative)


def several():
    """Two operands of two ranks, two results; and the generic form."""
    row = vector(S32, 10, 20, 30, 40)
    found = arrays.build(S32, WHOLE.dims, lambda i: S32.wrap(WHOLE.at(i) + row.at(i[:1])))
    grid = Grid(1, 2)
    mesh = Mesh((("x", 2),))
    body = """%v = stablehlo.broadcast_in_dim %t, dims = [0] : (tensor<2xi32>) -> tensor<2x2xi32>
      %q = stablehlo.add %s, %v : tensor<2x2xi32>
      %n = stablehlo.negate %t : tensor<2xi32>
      {}return{} : {}"""
    for what, lines in (
            ("pretty", "%r0, %r1 = sdy.manual_computation(%a, %b) in_shardings=[<@mesh, [{\"x\"}, "
             "{}]>, <@mesh, [{\"x\"}]>] out_shardings=[<@mesh, [{\"x\"}, {}]>, <@mesh, [{\"x\"}]>] "
             'manual_axes={"x"} (%s: tensor<2x2xi32>, %t: tensor<2xi32>) {\n'
             + body.format("sdy.", " %q, %n", "tensor<2x2xi32>, tensor<2xi32>")
             + "\n} : ($A, $B) -> ($A, $B)"),
            ("generic", '%r0, %r1 = "sdy.manual_computation"(%a, %b) <{in_shardings = '
             '#sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>, <@mesh, [{"x"}]>]>, out_shardings = '
             '#sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>, <@mesh, [{"x"}]>]>, manual_axes = '
             '#sdy<manual_axes{"x"}>}> ({\n^bb0(%s: tensor<2x2xi32>, %t: tensor<2xi32>):\n'
             + body.format('"sdy.', '"(%q, %n)', "(tensor<2x2xi32>, tensor<2xi32>) -> ()")
             + "\n}) : ($A, $B) -> ($A, $B)")):
        yield everywhere(f"shards_several_{what}", "two arrays of two ranks", "Shards", grid,
                         {x: [WHOLE, row] for x in grid.devices}, lines,
                         {x: [found, vector(S32, -10, -20, -30, -40)] for x in grid.devices},
                         outside=mesh.of_module())


NESTED = """\
  func.func private @f(%a: tensor<4x2xi32>) -> tensor<4x2xi32> {
    %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, \
[{"x"}, {}]>] manual_axes={"x"} (%s: tensor<2x2xi32>) {
      %1 = sdy.manual_computation(%s) in_shardings=[<@mesh, [{}, {"y"}]>] out_shardings=[<@mesh, \
[{}, {"y"}]>] manual_axes={"y"} (%t: tensor<2x1xi32>) {
        %p = stablehlo.partition_id : tensor<ui32>
        %i = stablehlo.convert %p : (tensor<ui32>) -> tensor<i32>
        %b = stablehlo.broadcast_in_dim %i, dims = [] : (tensor<i32>) -> tensor<2x1xi32>
        %q = stablehlo.add %t, %b : tensor<2x1xi32>
        sdy.return %q : tensor<2x1xi32>
      } : (tensor<2x2xi32>) -> tensor<2x2xi32>
      sdy.return %1 : tensor<2x2xi32>
    } : (tensor<4x2xi32>) -> tensor<4x2xi32>
    return %0 : tensor<4x2xi32>
  }
"""


def nested():
    """One inside of another, in a function; and one that takes nothing."""
    grid = Grid(1, 4)
    for what, mesh in (("square", SQUARE), ("crossed", CROSSED)):
        found = arrays.build(S32, WHOLE.dims, lambda i: S32.wrap(
            WHOLE.at(i) + owner(mesh, [["x"], ["y"]], WHOLE.dims, i)))
        ids = arrays.build(S32, (4,), lambda i: owner(mesh, [["y", "x"]], (4,), i))
        yield everywhere(
            f"shards_nested_{what}", "each device signs its shard of a shard", "Shards", grid,
            {x: [WHOLE] for x in grid.devices}, """%r0 = call @f(%a) : ($A) -> $A
            %0 = sdy.manual_computation() in_shardings=[] out_shardings=[<@mesh, [{"y", "x"}]>] \
manual_axes={"x", "y"} () {
              %p = stablehlo.partition_id : tensor<ui32>
              %q = stablehlo.reshape %p : (tensor<ui32>) -> tensor<1xui32>
              sdy.return %q : tensor<1xui32>
            } : () -> tensor<4xui32>
            %r1 = stablehlo.convert %0 : (tensor<4xui32>) -> tensor<4xi32>""",
            {x: [found, ids] for x in grid.devices}, outside=mesh.of_module() + NESTED)


def marks():
    """sharding_constraint and shardings of arguments, results and operations."""
    grid, mesh = Grid(1, 2), Mesh((("x", 2),))
    yield everywhere(
        "sharding_constraint", "a mark for a partitioner", "Marks", grid,
        {x: [WHOLE] for x in grid.devices},
        """%0 = sdy.sharding_constraint %a <@mesh, [{"x"}, {?}]> : $A
        %r = "sdy.sharding_constraint"(%0) <{sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}> : \
($A) -> $A""", {x: [WHOLE] for x in grid.devices}, "same", outside=mesh.of_module())
    text = f"""{grid.head()}{mesh.of_module()}  func.func @main(\
%a: tensor<4x2xi32> {{mhlo.sharding = "{{devices=[2,1]0,1}}"}}, \
%b: tensor<4x2xi32> {{sdy.sharding = #sdy.sharding<@mesh, [{{"x"}}, {{}}]>}}) -> \
(tensor<4x2xi32> {{mhlo.sharding = "{{replicated}}"}}) {{
    %0 = stablehlo.add %a, %b {{mhlo.sharding = "{{devices=[1,2]0,1}}"}} : tensor<4x2xi32>
    %1 = stablehlo.negate %0 {{sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{{}}, \
{{"x"}}]>]>}} : tensor<4x2xi32>
    %2 = stablehlo.custom_call @Sharding(%1) {{mhlo.sharding = "{{devices=[2,1]0,1}}"}} : \
(tensor<4x2xi32>) -> tensor<4x2xi32>
    return %2 : tensor<4x2xi32>
  }}
}}
"""
    found = arrays.build(S32, WHOLE.dims, lambda i: S32.wrap(-2 * WHOLE.at(i)))
    yield Text("s32/sharding_attributes", "shardings of HLO and of meshes", text, [bits(found)] * 2,
               ["Marks"], [WHOLE] * 4)


PAIRS = ", source_target_pairs = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>"
FRONTEND = ('mhlo.frontend_attributes = '
            '{_xla_send_recv_source_target_pairs = "{{0,1},{1,2}}"}')


def from_device_to_device():
    """Each sends to the next; a device that nobody sends to gets zeros."""
    for what, grid, more, kept in (
            ("attribute", Grid(1, 3), "", FRONTEND), ("replicas", Grid(2, 3), "", FRONTEND),
            ("pairs", Grid(1, 3), PAIRS, ""), ("both", Grid(1, 3), PAIRS, FRONTEND)):
        table, other = given(grid, (2,)), given(grid, (1, 1), F32)

        def sent(by, x):
            return by[x[0], x[1] - 1] if x[1] else arrays.splat(by[x].type, by[x].dims, 0)
        yield everywhere(
            f"send_recv_{what}", "each sends to the next", "Transfers", grid,
            {x: [table[x], other[x]] for x in grid.devices},
            f"""%t = stablehlo.create_token : !stablehlo.token
            %u = "stablehlo.send"(%a, %b, %t) <{{{CHANNEL}{more}}}> {{{kept}}} : ($A, $B, \
!stablehlo.token) -> !stablehlo.token
            %r0, %r1, %v = "stablehlo.recv"(%u) <{{{CHANNEL}, is_host_transfer = false{more}}}> \
{{{kept}}} : (!stablehlo.token) -> ($A, $B, !stablehlo.token)""",
            {x: [sent(table, x), sent(other, x)] for x in grid.devices}, "same")


def transfers():
    """What goes to the host, and tokens, which put it in order."""
    a, b = matrix(S32, [1, -2]), vector(F32, "0.5")
    yield form("outfeed", "what is given to the host, in the order of tokens", "Transfers", [a, b],
               """%t = stablehlo.create_token : !stablehlo.token
               %u = "stablehlo.create_token"() : () -> !stablehlo.token
               %v = stablehlo.after_all %t, %u : !stablehlo.token
               %w = "stablehlo.outfeed"(%a, %v) <{outfeed_config = "queue"}> : \
($A, !stablehlo.token) -> !stablehlo.token
               %x = "stablehlo.outfeed"(%a, %b, %w) : ($A, $B, !stablehlo.token) -> \
!stablehlo.token
               %y = "stablehlo.send"(%a, %x) <{channel_handle = #stablehlo.channel_handle<handle \
= 3, type = 2>, is_host_transfer = true}> : ($A, !stablehlo.token) -> !stablehlo.token
               %z = "stablehlo.after_all"(%y, %w) : (!stablehlo.token, !stablehlo.token) -> \
!stablehlo.token
               %r = stablehlo.negate %a : $A""", [matrix(S32, [-1, 2])])


def function(name: str, given_: str, lines: str, back: str) -> str:
    body = "\n".join("    " + line.strip() for line in lines.strip().splitlines())
    return f"  func.func private @{name}({given_}) -> {back} {{\n{body}\n  }}\n"


def parallel(what, statement, programs, more, inputs, results, functions, nan="same"):
    """run_parallel of rows of programs on the inputs, which stand one behind the other."""
    names = ", ".join(f"%{chr(97 + k)}" for k in range(len(inputs)))
    out = [f"%r{k}" for k in range(len(results))]
    taken, made = (", ".join(map(tensor, xs)) for xs in (inputs, results))
    rows = ", ".join("[" + ", ".join(f"@{name}" for name in row) + "]" for row in programs)
    arguments = ", ".join(f"%{chr(97 + k)}: {tensor(x)}" for k, x in enumerate(inputs))
    text = (f"module @m {{\n  func.func @main({arguments}) -> ({made}) {{\n"
            f'    {", ".join(out)} = "interpreter.run_parallel"({names}) {{programs = [{rows}]'
            f"{more}}} : ({taken}) -> ({made})\n    return {', '.join(out)} : {made}\n  }}\n"
            f"{functions}}}\n")
    return Text(f"{results[0].type.name}/{what}", statement, text, [bits(x, nan) for x in results],
                ["Parallel"], inputs)


def grids():
    """Programs that differ, on a grid that they state themselves."""
    x, y = vector(S32, 1, 2), vector(S32, 30, 40)
    token = "%t = stablehlo.create_token : !stablehlo.token\n"
    take = ('"stablehlo.infeed"({}) <{{infeed_config = "", layout = [[0]]}}> : '
            "(!stablehlo.token) -> ")
    queue = (function("q0", "", "%c = stablehlo.constant dense<[5, 6]> : tensor<2xi32>\n"
                      "return %c : tensor<2xi32>", "tensor<2xi32>")
             + function("q1", "", "%c = stablehlo.constant dense<[7, 8]> : tensor<2xi32>\n"
                        "%d = stablehlo.constant dense<1.5> : tensor<1xf32>\n"
                        "return %c, %d : tensor<2xi32>, tensor<1xf32>",
                        "(tensor<2xi32>, tensor<1xf32>)"))
    yield parallel("infeed", "two values of the queue, the second of two arrays", [["f"]],
                   ", infeed = [@q0, @q1]", [],
                   [vector(S32, 5, 6), vector(S32, 7, 8), vector(F32, "1.5")],
                   function("f", "", token + f"""%x, %u = {take.format("%t")}(tensor<2xi32>, \
!stablehlo.token)
                   %y, %z, %v = "stablehlo.infeed"(%u) : (!stablehlo.token) -> (tensor<2xi32>, \
tensor<1xf32>, !stablehlo.token)
                   return %x, %y, %z : tensor<2xi32>, tensor<2xi32>, tensor<1xf32>""",
                            "(tensor<2xi32>, tensor<2xi32>, tensor<1xf32>)") + queue)
    yield parallel("recv_of_host", "what the host sends is the next of the queue", [["f"]],
                   ", infeed = [@q0]", [], [vector(S32, 5, 6)],
                   function("f", "", token + """%x, %u = "stablehlo.recv"(%t) <{channel_handle = \
#stablehlo.channel_handle<handle = 2, type = 3>, is_host_transfer = true}> : (!stablehlo.token) -> \
(tensor<2xi32>, !stablehlo.token)
                   return %x : tensor<2xi32>""", "tensor<2xi32>") + queue)
    for what, kinds, host in (("device", (1, 1), "false"), ("host", (2, 3), "true")):
        handle = "channel_handle = #stablehlo.channel_handle<handle = 1, type = {}>, " \
                 f"is_host_transfer = {host}"
        yield parallel(f"send_recv_{what}", "one program sends, the other receives",
                       [["f", "g"]], "", [x, y], [vector(S32, -1, -2), vector(S32, 31, 42)],
                       function("f", "%a: tensor<2xi32>", token + f"""%u = "stablehlo.send"(%a, %t)\
 <{{{handle.format(kinds[0])}}}> : (tensor<2xi32>, !stablehlo.token) -> !stablehlo.token
                       %n = stablehlo.negate %a : tensor<2xi32>
                       return %n : tensor<2xi32>""", "tensor<2xi32>")
                       + function("g", "%a: tensor<2xi32>", token + f"""\
%x, %u = "stablehlo.recv"(%t) <{{{handle.format(kinds[1])}}}> : (!stablehlo.token) -> \
(tensor<2xi32>, !stablehlo.token)
                       %s = stablehlo.add %x, %a : tensor<2xi32>
                       return %s : tensor<2xi32>""", "tensor<2xi32>"))


def meetings():
    x, y = vector(S32, 1, 2), vector(S32, 30, 40)
    yield parallel("different_programs", "two programs meet in one all_gather", [["f"], ["g"]], "",
                   [x, y], [vector(S32, 1, 2, -30, -40), vector(S32, 1, 2, -30, -40)],
                   "".join(function(name, "%a: tensor<2xi32>", f"""{first}
                   %g = "stablehlo.all_gather"({value}) <{{all_gather_dim = 0 : i64, \
replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}}> : (tensor<2xi32>) -> tensor<4xi32>
                   return %g : tensor<4xi32>""", "tensor<4xi32>") for name, first, value in (
                       ("f", "", "%a"), ("g", "%n = stablehlo.negate %a : tensor<2xi32>", "%n"))))


REFUSED = [
    ("axis", "an axis that the mesh has not", '<@mesh, [{"z"}, {}]>', LINE),
    ("rank", "a sharding of one dimension for two", '<@mesh, [{"x"}]>', LINE),
    ("uneven", "a shard of other sizes than the region takes", "<@mesh, [{}, {}]>", LINE),
    ("part", "a part of an axis", '<@mesh, [{"x":(1)2}, {}]>', LINE),
    ("unreduced", "a sum that is not taken yet", '<@mesh, [{"x"}, {}], unreduced={"y"}>',
     Mesh((("x", 4), ("y", 1)))),
    ("no_mesh", "a mesh that the module has not", '<@other, [{"x"}, {}]>', LINE),
    ("few_devices", "a mesh of more devices than partitions", '<@mesh, [{"x"}, {}]>', LINE),
    ("repeated_device", "a mesh that has a device twice", '<@mesh, [{"x"}, {}]>',
     Mesh((("x", 4),), (0, 1, 1, 3))),
    ("no_devices", "an axis of no devices", '<@mesh, [{"x"}, {}]>', Mesh((("x", 0),))),
    ("no_name", "a mesh that is written there", '<mesh<["x"=4]>, [{"x"}, {}]>', LINE),
    ("several", "two shardings of one operand", '<@mesh, [{"x"}, {}]>, <@mesh, [{}, {}]>', LINE),
]


def refusals():
    for what, statement, said, mesh in REFUSED:
        grid = Grid(1, 2 if what == "few_devices" else 4)
        shard = "2x2" if what == "part" else "1x2"
        manual = axes_of("xz" if what == "axis" else "x")
        back = said if what == "part" else '<@mesh, [{"x"}, {}]>'
        text = f"""{grid.head()}{mesh.of_module()}  func.func @main(%a: tensor<4x2xi32>) -> \
tensor<4x2xi32> {{
    %r = sdy.manual_computation(%a) in_shardings=[{said}] out_shardings=[{back}] \
manual_axes={manual} (%s: tensor<{shard}xi32>) {{
      sdy.return %s : tensor<{shard}xi32>
    }} : (tensor<4x2xi32>) -> tensor<4x2xi32>
    return %r : tensor<4x2xi32>
  }}
}}
"""
        yield refused(f"sharding_{what}", statement, text, "stablehlo.sharding",
                      [WHOLE] * len(grid.devices))


def cases():
    for part in (own_ids, sums, several, nested, marks, from_device_to_device, transfers, grids,
                 meetings, refusals):
        yield from part()
