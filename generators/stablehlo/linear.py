"""Factors, transforms and random numbers as HLO's cases have them, and slices at places."""

from __future__ import annotations

import re

from assaygen import arrays, types
from assaygen.arrays import Array
from assaygen.indexed import Numbers
from assaygen.streams import Stream
from ops import (batch_norm_grad, batch_norm_inference, batch_norm_training, cholesky, fft, rng,
                 rng_bit_generator, triangular_solve)
from sequences.elements import code_of, matrix, vector
from stablehlo.forms import C64, F32, S32, S64, U8, Text, form, module, tensor, types_of
from stablehlo.operations import BF16, BOUNDED, F64, joined, longs, numbers, one, region

WHY = {
    "Linear": "factors, solutions, transforms, random numbers and normalisations",
    "Indexing": "slices at places that are operands or attributes",
}
U16, U32, U64 = (types.BY_NAME[n] for n in ("u16", "u32", "u64"))


def carried(what: str, case, lines: str) -> Text:
    """The operands and the admitted results of a case in HLO, for a program in StableHLO."""
    inputs, results = case.inputs or case.program.inputs, []
    for expected in case.expect:
        text = expected.get("bits") or expected["interval"]
        name, dims = re.match(r"(\w+)\[([\d,]*)\]", text).groups()
        results.append(Array(types.BY_NAME[name], tuple(map(int, dims.split(",")))
                             if dims else (), ()))
    for word, text in {**types_of(*inputs), "$R": tensor(results[0]),
                       "$S": tensor(results[-1])}.items():
        lines = lines.replace(word, text)
    return Text(f"{results[0].type.name}/{what}", case.statement, module(inputs, lines, results),
                case.expect, ["Linear"], list(inputs))


def factors():
    for lower in (True, False):
        for t in (F32, C64):
            a = cholesky.as_array(t, [cholesky.definite(t, 3, Stream("stablehlo", t.name, lower),
                                                        4)], (), 3, lower)
            case = cholesky.case("", a, lower, [], "the factor of a positive definite matrix")
            word = "true" if lower else "false"
            text = (f'"stablehlo.cholesky"(%a) <{{lower = {word}}}> : ($A) -> $R' if t is F32
                    else f"stablehlo.cholesky %a, lower = {word} : $A")
            yield carried(f"cholesky_{'lower' if lower else 'upper'}", case, "%r = " + text)
    default = cholesky.as_array(F32, [[[(4, 0), (2, 0)], [(2, 0), (10, 0)]]], (), 2, False)
    yield carried("cholesky_default", cholesky.case("", default, False, [], "without attributes"),
                  "%r = stablehlo.cholesky %a : $A")


def solutions():
    for k, (left, lower, transpose, unit) in enumerate((
            (True, True, "NO_TRANSPOSE", False), (False, True, "TRANSPOSE", True),
            (True, False, "ADJOINT", False), (False, False, "NO_TRANSPOSE", True))):
        solve = triangular_solve.Solve(left, lower, transpose, unit)
        t = C64 if transpose == "ADJOINT" else F64
        a, b = triangular_solve.operands(t, solve, (2,), 2, 3, Stream("stablehlo", k))
        said = ", ".join(f"{name} = {'true' if on else 'false'}" for name, on in (
            ("left_side", left), ("lower", lower), ("unit_diagonal", unit)))
        case = triangular_solve.one(solve, a, b, "", f"{said}, {transpose}", [])
        yield carried(f"triangular_solve_{k}", case,
                      f'%r = "stablehlo.triangular_solve"(%a, %b) <{{{said}, transpose_a = '
                      f"#stablehlo<transpose {transpose}>}}> : ($A, $B) -> $R")


def transforms():
    z = matrix(C64, [(1, 2), (3, -1), (-2, 5), (4, 7)], [(2, -3), (6, 1), (5, 4), (-7, 3)])
    half = matrix(C64, [(5, 0), (1, -2), (3, 0)])
    real = matrix(F64, [1, 3, -2, 6, 8])
    for kind, x, lengths in (("FFT", z, [4]), ("IFFT", z, [4]), ("FFT", z, [2, 4]),
                             ("RFFT", real, [5]), ("IRFFT", half, [4])):
        case = fft.case(kind, f"size {lengths}", x, lengths, "")
        yield carried(f"fft_{kind.lower()}_{len(lengths)}", case,
                      f"%r = stablehlo.fft %a, type = {kind}, length = {numbers(lengths)} : ($A) "
                      "-> $R" if kind != "IFFT" else
                      '%r = "stablehlo.fft"(%a) <{fft_type = #stablehlo<fft_type IFFT>, '
                      f"fft_length = {longs(lengths)}}}> : ($A) -> $R")


def random_numbers():
    for word, name in (("THREE_FRY", "rng_three_fry"), ("PHILOX", "rng_philox")):
        for t, dims in ((U32, (2, 3)), (U64, (3,)), (U16, (5,))):
            case = rng_bit_generator.one(name, (7, (1 << 64) - 1), t, dims, "", [])
            yield carried(f"rng_bits_{word.lower()}_{t.name}", case,
                          f"%r0, %r1 = stablehlo.rng_bit_generator %a, algorithm = {word} : "
                          "($A) -> ($R, $S)" if t is not U64 else
                          '%r0, %r1 = "stablehlo.rng_bit_generator"(%a) <{rng_algorithm = '
                          f"#stablehlo<rng_algorithm {word}>}}> : ($A) -> ($R, $S)")
    case = rng_bit_generator.one("rng_philox", (5, 6, 7), U32, (6,), "", [])
    yield carried("rng_bits_three", case, "%r0, %r1 = stablehlo.rng_bit_generator %a, algorithm = "
                  "PHILOX : ($A) -> ($R, $S)")
    for kind, t, a, b in (("UNIFORM", F32, 1, 3), ("UNIFORM", S32, -5, 5), ("NORMAL", F32, 2, 0)):
        case = rng.one(t, (2, 3), code_of(t, a), code_of(t, b), f"rng_{kind.lower()}", "", [])
        yield carried(f"rng_{kind.lower()}", case,
                      "%s = stablehlo.constant dense<[2, 3]> : tensor<2xi64>\n"
                      f"%r = stablehlo.rng %a, %b, %s, distribution = {kind} : "
                      "($A, $B, tensor<2xi64>) -> $R")
    yield carried("rng_open", case, """%s = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
        %0 = "stablehlo.rng"(%a, %b, %s) <{rng_distribution = #stablehlo<rng_distribution NORMAL>}>
          : ($A, $B, tensor<2xi64>) -> tensor<?x?xf32>
        %r = stablehlo.reshape %0 : (tensor<?x?xf32>) -> $R""")


def normalisations():
    for k, (d, eps, word) in enumerate((
            (1, "0.25", "2.5e-1 : f32"), (0, "0.5", "5.000000e-01 : f32"),
            (2, "0.125", "0x3E000000 : f32"))):
        tag, dims = Stream("stablehlo", k), (2, 3, 4)
        said = f"<{{epsilon = {word}, feature_index = {d} : i64}}>"
        x = batch_norm_inference.drawn(F32, dims, tag)
        four = batch_norm_inference.vectors(F32, dims[d], tag)
        case = batch_norm_inference.case("", [x, *four], d, eps, [], "by given moments")
        yield carried(f"batch_norm_inference_{d}", case,
                      f'%r = "stablehlo.batch_norm_inference"(%a, %b, %c, %d, %e) {said} '
                      ": ($A, $B, $C, $D, $E) -> $R")
        case = batch_norm_training.case("", [x, *four[:2]], d, eps, [], "by its own moments")
        yield carried(f"batch_norm_training_{d}", case, '%r0, %r1, %r2 = "stablehlo.batch_norm_'
                      f'training"(%a, %b, %c) {said} : ($A, $B, $C) -> ($R, $S, $S)')
        case = batch_norm_grad.case("", batch_norm_grad.operands_of(F32, dims, d, tag), d, eps, [],
                                    "its gradients")
        yield carried(f"batch_norm_grad_{d}", case, '%r0, %r1, %r2 = "stablehlo.batch_norm_grad"'
                      f"(%a, %b, %c, %d, %e) {said} : ($A, $B, $C, $D, $E) -> ($R, $S, $S)")


# Names of gather and of scatter for what Numbers has.
GATHER = ("offset_dims", "collapsed_slice_dims", "operand_batching_dims",
          "start_indices_batching_dims", "start_index_map")
SCATTER = ("update_window_dims", "inserted_window_dims", "input_batching_dims",
           "scatter_indices_batching_dims", "scatter_dims_to_operand_dims")
PLACES = {
    "rows": (Numbers((4, 3), (2, 1), [1], [0], [0], 1, [1, 2], [], []), [[3], [0]]),
    "batch": (Numbers((2, 3, 4), (2, 2, 1), [2], [1], [1], 2, [1, 1, 3], [0], [0]),
              [[[2], [0]], [[1], [1]]]),
    "points": (Numbers((3, 4), (2, 3), [0, 1], [], [1, 0], 0, [2, 1], [], []),
               [[0, 3, 2], [1, 0, 1]]),
    "scalars": (Numbers((5,), (4,), [], [0], [0], 1, [1], [], []), [1, 4, 2, 0]),
    "outside": (Numbers((4, 3), (3, 1), [1, 2], [], [0], 1, [2, 3], [], []), [[-7], [9], [1]]),
}


def dimension_numbers(n: Numbers, names) -> str:
    lists = (n.offset, n.collapsed, n.operand_batching, n.start_batching, n.start_map)
    said = [f"{name} = {numbers(x)}" for name, x in zip(names, lists) if x]
    return ", ".join([*said, f"index_vector_dim = {n.vector}"])


def gathered(n: Numbers, x: Array, at: Array) -> Array:
    """A slice that would not lie inside is moved there."""
    def element(index):
        batch, within = n.parts(index)
        start = n.start(at, batch)
        start = [min(max(s, 0), d - k) for s, d, k in zip(start, n.dims, n.sizes)]
        return x.at(n.element(start, within))
    return arrays.build(x.type, n.slices(), element)


def gathers():
    for what, (n, places) in PLACES.items():
        x, at = arrays.iota(S32, n.dims), matrix(S64, *places)
        said = f"dimension_numbers = #stablehlo.gather<{dimension_numbers(n, GATHER)}>"
        yield form(f"gather_at_{what}", "sizes that are an attribute or an operand", "Indexing",
                   [x, at], f"""%r0 = "stablehlo.gather"(%a, %b) <{{{said}, slice_sizes =
                       {longs(n.sizes)}, indices_are_sorted = false}}> : ($A, $B) -> $R
                   %s = stablehlo.constant dense<{numbers(n.sizes)}> : tensor<{len(n.dims)}xi64>
                   %r1 = "stablehlo.dynamic_gather"(%a, %b, %s) <{{{said}}}> :
                       ($A, $B, tensor<{len(n.dims)}xi64>) -> $R""", [gathered(n, x, at)] * 2)


def scattered(n: Numbers, x: Array, at: Array, new: Array, fold) -> Array:
    met = n.targets(at)
    return arrays.build(x.type, x.dims, lambda i: x.type.wrap(fold(
        [x.type.integer(y) for y in [x.at(i), *map(new.at, met.get(i, []))]])))


def scatters():
    for what, (n, places) in PLACES.items():
        x, new = arrays.iota(S32, n.dims), arrays.iota(S32, n.slices(), 20)
        at = matrix(S64, *places)
        said = f"scatter_dimension_numbers = #stablehlo.scatter<{dimension_numbers(n, SCATTER)}>"
        flags = f", unique_indices = {'true' if what == 'scalars' else 'false'}"
        yield form(f"scatter_add_{what}", "updates are added, windows that lie outside left out",
                   "Indexing", [x, at, new],
                   f'%r = "stablehlo.scatter"(%a, %b, %c) <{{{said}{flags}}}> {joined("add")} : '
                   "($A, $B, $C) -> $R", [scattered(n, x, at, new, sum)])
        if what == "batch":
            yield form("scatter_outside", "a region that uses an argument", "Indexing",
                       [x, at, new, one(26)],
                       f'%r = "stablehlo.scatter"(%a, %b, %c) {region("x y", "$D", BOUNDED)} {{'
                       f"{said}}} : ($A, $B, $C) -> $R".replace("%s", "%d"),
                       [scattered(n, x, at, new, lambda row: row[0] if len(row) == 1
                                  else min(max(row), 26))])
    two = """({
    ^bb0(%x: tensor<i32>, %u: tensor<i32>, %y: tensor<i32>, %v: tensor<i32>):
      %s = stablehlo.add %x, %y : tensor<i32>
      %m = stablehlo.maximum %u, %v : tensor<i32>
      stablehlo.return %s, %m : tensor<i32>, tensor<i32>
    })"""
    said = ("scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], "
            "scatter_dims_to_operand_dims = [0], index_vector_dim = 1>")
    at = matrix(S32, [0], [2], [2])
    yield form("scatter_several", "two operands", "Indexing",
               [vector(S32, 1, 2, 3), vector(S32, 9, 9, 9), at, vector(S32, 10, 20, 30),
                vector(S32, 8, 12, 11)], f'%r0, %r1 = "stablehlo.scatter"(%a, %b, %c, %d, %e) '
               f"<{{{said}, indices_are_sorted = true}}> {two} : ($A, $B, $C, $D, $E) -> ($R, $R)",
               [vector(S32, 11, 2, 53), vector(S32, 9, 9, 12)])
    yield form("scatter_wider", "a region of a wider type than the operand's", "Indexing",
               [vector(BF16, 256, 2, 256), at, vector(BF16, 1, 2, 1)],
               f'%r = "stablehlo.scatter"(%a, %b, %c) <{{{said}}}> {joined("add", "tensor<f32>")} '
               ": ($A, $B, $C) -> $R", [vector(F32, 257, 2, 259)])


def slices():
    x = arrays.iota(S32, (3, 4))
    for what, starts, limits, steps in (("whole", (0, 0), (3, 4), (1, 1)),
                                        ("steps", (0, 1), (3, 4), (2, 2)),
                                        ("empty", (2, 1), (2, 4), (1, 3))):
        dims = [-(-(b - a) // s) for a, b, s in zip(starts, limits, steps)]
        ranges = ", ".join(f"{a}:{b}" + f":{s}" * (s > 1) for a, b, s in zip(starts, limits, steps))
        yield form(f"slice_{what}", "pretty and generic", "Indexing", [x],
                   f"%r0 = stablehlo.slice %a [{ranges}] : ($A) -> $R\n"
                   f'%r1 = "stablehlo.slice"(%a) <{{start_indices = {longs(starts)}, limit_indices '
                   f"= {longs(limits)}, strides = {longs(steps)}}}> : ($A) -> $R",
                   [arrays.build(S32, dims, lambda i: x.at(tuple(
                       a + k * s for a, k, s in zip(starts, i, steps))))] * 2)
    for what, starts in (("inside", (1, 2)), ("moved", (-4, 3))):
        at = [min(max(s, 0), n - k) for s, n, k in zip(starts, (3, 4), (2, 2))]
        inputs = [x, *map(one, starts)]
        yield form(f"dynamic_slice_{what}", "pretty and generic", "Indexing", inputs,
                   "%r0 = stablehlo.dynamic_slice %a, %b, %c, sizes = [2, 2] : ($A, $B, $C) -> $R\n"
                   '%r1 = "stablehlo.dynamic_slice"(%a, %b, %c) <{slice_sizes = array<i64: 2, 2>}>'
                   " : ($A, $B, $C) -> $R",
                   [arrays.build(S32, (2, 2), lambda i: x.at((at[0] + i[0], at[1] + i[1])))] * 2)
        new = arrays.iota(S32, (2, 2), 50)
        yield form(f"dynamic_update_slice_{what}", "pretty and generic", "Indexing",
                   [*inputs, new],
                   "%r0 = stablehlo.dynamic_update_slice %a, %d, %b, %c : ($A, $D, $B, $C) -> $R\n"
                   '%r1 = "stablehlo.dynamic_update_slice"(%a, %d, %b, %c) : '
                   "($A, $D, $B, $C) -> $R",
                   [arrays.build(S32, (3, 4), lambda i: new.at((i[0] - at[0], i[1] - at[1])) if all(
                       0 <= k - a < 2 for k, a in zip(i, at)) else x.at(i))] * 2)
    pad = matrix(S32, [-1, -1, -1, -1, -1], [-1, 1, -1, 2, -1], [-1, 5, -1, 6, -1])
    yield form("pad", "edges of both signs and gaps, pretty and generic", "Indexing",
               [matrix(S32, [1, 2, 3], [5, 6, 7]), one(-1)],
               "%r0 = stablehlo.pad %a, %b, low = [1, 1], high = [0, -1], interior = [0, 1] : "
               "($A, $B) -> $R\n"
               '%r1 = "stablehlo.pad"(%a, %b) <{edge_padding_low = array<i64: 1, 1>, '
               "edge_padding_high = array<i64: 0, -1>, interior_padding = array<i64: 0, 1>}> : "
               "($A, $B) -> $R", [pad] * 2)
    table, which = arrays.iota(U8, (2, 3, 2)), matrix(S32, [2, 0], [1, 1])
    yield form("torch_index_select_batch", "a batch dimension before the selected one", "Indexing",
               [table, which], '%r = "stablehlo.torch_index_select"(%a, %b) {dim = 1 : i64, '
               "batch_dims = 1 : i64} : ($A, $B) -> $R",
               [arrays.build(U8, (2, 2, 2), lambda i: table.at((i[0], which.at(i[:2]), i[2])))])
    yield form("torch_index_select_behind", "a dimension before the selected one", "Indexing",
               [table, which], '%r = "stablehlo.torch_index_select"(%a, %b) {dim = 1 : i64, '
               "batch_dims = 0 : i64} : ($A, $B) -> $R",
               [arrays.build(U8, (2, 2, 2, 2), lambda i: table.at((i[0], which.at(i[1:3]), i[3])))])


def cases():
    for part in (factors, solutions, transforms, random_numbers, normalisations, gathers, scatters,
                 slices):
        yield from part()
