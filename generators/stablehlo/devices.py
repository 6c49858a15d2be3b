"""Collectives in StableHLO: one program on several devices, which meet in groups."""

from __future__ import annotations

import functools
import itertools
from dataclasses import dataclass

from assaygen import arrays
from assaygen.arrays import Array
from assaygen.cases import bits
from assaygen.types import BY_NAME
from sequences.elements import fold, vector
from stablehlo.forms import F32, S32, Text, module, tensor, types_of

WHY = {
    "Groups": "groups of replicas, of partitions, of both and of flattened ids",
    "Combiners": "combiners of wider types than the operands, or that use values of outside",
    "Exchange": "parts that are split along one dimension and joined along another",
    "Ids": "the numbers of the device itself",
}
CHANNEL = "channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>"
UNUSED = "channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>"
GLOBAL = f"{CHANNEL}, use_global_device_ids"
F16, U32 = BY_NAME["f16"], BY_NAME["u32"]


@dataclass(frozen=True)
class Grid:
    """Replicas of some partitions each. A device is a replica and a partition."""

    replicas: int
    partitions: int = 1

    @property
    def devices(self) -> list[tuple[int, int]]:
        return list(itertools.product(range(self.replicas), range(self.partitions)))

    def head(self) -> str:
        return (f"module attributes {{mhlo.num_partitions = {self.partitions} : i32, "
                f"mhlo.num_replicas = {self.replicas} : i32}} {{\n")

    def replicas_of(self, group, device):
        """One partition of each replica."""
        return [(r, device[1]) for r in group] if device[0] in group else []

    def partitions_of(self, group, device):
        """Partitions of one replica."""
        return [(device[0], p) for p in group] if device[1] in group else []

    def both_of(self, group, device):
        """All partitions of the replicas, those of the first partition first."""
        return [(r, p) for p in range(self.partitions) for r in group] \
            if device[0] in group else []

    def ids_of(self, group, device):
        """Devices by replica * partitions + partition."""
        found = [divmod(i, self.partitions) for i in group]
        return found if device in found else []

    def members(self, mode, groups) -> dict:
        """Of each device the group that it is in, in order; [] where it is in none."""
        return {d: next(filter(None, (mode(self, g, d) for g in groups)), [])
                for d in self.devices}


def dense(rows, t: str = "i64") -> str:
    """Rows of one length, those of other lengths filled up with -1."""
    width = max(map(len, rows), default=0)
    filled = [[*row, *[-1] * (width - len(row))] for row in rows]
    return f"dense<{filled if rows else ''}> : tensor<{len(rows)}x{width}x{t}>"


def everywhere(what, statement, why, grid, inputs, lines, results, nan="any",
               outside="") -> Text:
    """One program on all devices; inputs and results are lists of arrays by device."""
    first = grid.devices[0]
    for name, text in {**types_of(*inputs[first]), "$R": tensor(results[first][0])}.items():
        lines = lines.replace(name, text)
    program = module(inputs[first], lines, results[first])
    return Text(f"{results[first][0].type.name}/{what}", statement,
                f"{grid.head()}{outside}{program}}}\n",
                [bits(x, nan) for d in grid.devices for x in results[d]], [why],
                [x for d in grid.devices for x in inputs[d]])


def given(grid, dims, t=S32) -> dict:
    """Other numbers on each device."""
    return {d: arrays.iota(t, dims, 1 + 20 * k) for k, d in enumerate(grid.devices)}


def joined(parts, d: int) -> Array:
    """The parts one behind the other along dimension d."""
    size = parts[0].dims[d]
    dims = [*parts[0].dims]
    dims[d] *= len(parts)
    return arrays.build(parts[0].type, dims, lambda i: parts[i[d] // size].at(
        (*i[:d], i[d] % size, *i[d + 1:])))


def piece(x: Array, d: int, k: int, count: int) -> Array:
    """Part k of so many along dimension d."""
    size = x.dims[d] // count
    dims = (*x.dims[:d], size, *x.dims[d + 1:])
    return arrays.build(x.type, dims, lambda i: x.at((*i[:d], k * size + i[d], *i[d + 1:])))


def folded(op: str, parts) -> Array:
    return Array(parts[0].type, parts[0].dims, tuple(
        fold(op, parts[0].type, list(codes)) for codes in zip(*(x.codes for x in parts))))


def combiner(op: str, t: str = "i32") -> str:
    return (f"({{\n^bb0(%x: tensor<{t}>, %y: tensor<{t}>):\n"
            f"%z = stablehlo.{op} %x, %y : tensor<{t}>\n"
            f"stablehlo.return %z : tensor<{t}>\n}})")


SETTINGS = [
    ("replicas", Grid(3, 2), Grid.replicas_of, [[2, 0, 1]], "groups of replicas", ""),
    ("replicas_no_channel", Grid(2, 2), Grid.replicas_of, [[1, 0]],
     "a channel of number 0 is none", f", {UNUSED}"),
    ("replicas_apart", Grid(4), Grid.replicas_of, [[3, 0], [1, 2]], "two groups", ""),
    ("both", Grid(2, 2), Grid.both_of, [[1, 0]],
     "a channel brings in all partitions, the first of each replica first", f", {CHANNEL}"),
    ("global", Grid(2, 2), Grid.ids_of, [[0, 3], [2, 1]], "flattened ids", f", {GLOBAL}"),
    ("global_unit", Grid(2, 2), Grid.ids_of, [[3, 2, 0, 1]], "flattened ids, the flag spelled out",
     f", {CHANNEL}, use_global_device_ids = unit"),
]


def settings():
    for what, grid, mode, groups, statement, more in SETTINGS:
        yield (what, statement, grid, grid.members(mode, groups),
               f"replica_groups = {dense(groups)}{more}")
    for what, mode, more in (("all", Grid.replicas_of, ""), ("all_both", Grid.both_of,
                                                              f", {CHANNEL}")):
        grid = Grid(2, 2)
        yield (what, "no groups: all replicas", grid, grid.members(mode, [[0, 1]]),
               f"replica_groups = {dense([])}{more}")


def gathers():
    for what, statement, grid, members, words in settings():
        table = given(grid, (1, 2))
        for d in (0, 1):
            yield everywhere(
                f"all_gather_{what}_{d}", f"all_gather: {statement}", "Groups", grid,
                {x: [table[x]] for x in grid.devices},
                f'%r = "stablehlo.all_gather"(%a) <{{all_gather_dim = {d} : i64, {words}}}> : '
                "($A) -> $R",
                {x: [joined([table[y] for y in members[x]], d)] for x in grid.devices})
    grid = Grid(2)
    one, two = given(grid, (2,)), given(grid, (3,), F32)
    yield everywhere(
        "all_gather_several", "all_gather of two arrays", "Groups", grid,
        {x: [one[x], Array(F32, (3,), two[x].codes)] for x in grid.devices},
        f'%r0, %r1 = "stablehlo.all_gather"(%a, %b) {{all_gather_dim = 0 : i64, replica_groups = '
        f"{dense([[1, 0]])}}} : ($A, $B) -> ($R, tensor<6xf32>)",
        {x: [joined([one[y] for y in ((1, 0), (0, 0))], 0),
             Array(F32, (6,), two[1, 0].codes + two[0, 0].codes)] for x in grid.devices})


def reductions():
    for what, statement, grid, members, words in settings():
        table = given(grid, (2, len(members[0, 0])))
        inputs = {x: [table[x]] for x in grid.devices}
        totals = {x: folded("add", [table[y] for y in members[x]]) for x in grid.devices}
        yield everywhere(
            f"all_reduce_{what}", f"all_reduce: {statement}", "Groups", grid, inputs,
            f'%r = "stablehlo.all_reduce"(%a) <{{{words}}}> {combiner("add")} : ($A) -> $R',
            {x: [totals[x]] for x in grid.devices})
        yield everywhere(
            f"reduce_scatter_{what}", f"reduce_scatter: {statement}", "Groups", grid, inputs,
            f'%r = "stablehlo.reduce_scatter"(%a) {combiner("add")} {{scatter_dimension = 1 : '
            f"i64, {words}}} : ($A) -> $R",
            {x: [piece(totals[x], 1, members[x].index(x), len(members[x]))]
             for x in grid.devices})
    grid = Grid(4)
    table = given(grid, (3,))
    members = grid.members(Grid.replicas_of, [[2, 0, 1], [3]])
    for op in ("add", "maximum", "multiply"):
        yield everywhere(
            f"all_reduce_filled_{op}", "groups of two sizes: -1 fills up the smaller", "Groups",
            grid, {x: [table[x]] for x in grid.devices},
            f'%r = "stablehlo.all_reduce"(%a) {combiner(op)} {{replica_groups = '
            f"{dense([[2, 0, 1], [3]])}}} : ($A) -> $R",
            {x: [Array(S32, (3,), tuple(functools.reduce(
                lambda a, b: S32.wrap({"add": a + b, "maximum": max(a, b), "multiply": a * b}[op]),
                codes) for codes in zip(*(table[y].codes for y in members[x]))))]
             for x in grid.devices})
    yield everywhere(
        "cross_replica_sum", "the deprecated all_reduce that adds", "Groups", grid,
        {x: [table[x]] for x in grid.devices},
        f'%r = "stablehlo.cross-replica-sum"(%a) {{replica_groups = {dense([[0, 3], [1, 2]])}}} '
        ": ($A) -> $R",
        {x: [folded("add", [table[x], table[3 - x[0], 0]])] for x in grid.devices})


def several():
    """Two arrays that meet in one all_reduce."""
    grid = Grid(2)
    one, two = given(grid, (2,)), given(grid, (1, 3))
    yield everywhere(
        "all_reduce_several", "all_reduce of two arrays", "Groups", grid,
        {x: [one[x], two[x]] for x in grid.devices},
        f'%r0, %r1 = "stablehlo.all_reduce"(%a, %b) <{{replica_groups = {dense([[1, 0]])}}}> '
        f'{combiner("add")} : ($A, $B) -> ($A, $B)',
        {x: [folded("add", list(t.values())) for t in (one, two)] for x in grid.devices})


def combiners():
    """What is right in the type of the region is not in that of the operands."""
    grid = Grid(2)
    half = {(0, 0): vector(F16, 2048, 1, 60000, "0.5"), (1, 0): vector(F16, 1, "-0.25", 60000, 2)}
    wide = vector(F32, 2049, "0.75", 120000, "2.5")
    groups = f"replica_groups = {dense([[0, 1]])}"
    inputs = {x: [half[x]] for x in grid.devices}
    yield everywhere(
        "all_reduce_wide", "f16 added up in f32: 2048 + 1", "Combiners", grid, inputs,
        f'%r = "stablehlo.all_reduce"(%a) <{{{groups}}}> {combiner("add", "f32")} : ($A) -> $R',
        {x: [wide] for x in grid.devices})
    yield everywhere(
        "reduce_scatter_wide", "f16 added up in f32, and scattered", "Combiners", grid, inputs,
        f'%r = "stablehlo.reduce_scatter"(%a) {combiner("add", "f32")} {{scatter_dimension = 0 '
        f": i64, {groups}}} : ($A) -> $R",
        {x: [piece(wide, 0, x[0], 2)] for x in grid.devices})
    yield from captured()


def captured():
    """Regions that use a scalar of outside, which is another one on each device."""
    region = """({
      ^bb0(%x: tensor<i32>, %y: tensor<i32>):
        %m = stablehlo.maximum %x, %y : tensor<i32>
        %s = stablehlo.minimum %m, %b : tensor<i32>
        stablehlo.return %s : tensor<i32>
      })"""
    for what, grid, mode, groups, more in (
            ("replicas", Grid(2, 2), Grid.replicas_of, [[1, 0]], ""),
            ("both", Grid(2, 2), Grid.both_of, [[1, 0]], f", {CHANNEL}"),
            ("global", Grid(1, 3), Grid.ids_of, [[2, 0, 1]], f", {GLOBAL}")):
        members = grid.members(mode, groups)
        count = len(members[grid.devices[0]])
        table = given(grid, (2 * count, 1))
        limits = {x: 15 + 21 * k for k, x in enumerate(grid.devices)}
        inputs = {x: [table[x], Array(S32, (), (limits[x],))] for x in grid.devices}
        whole = {x: Array(S32, (2 * count, 1), tuple(
            min(max(codes), limits[x]) for codes in zip(*(table[y].codes for y in members[x]))))
            for x in grid.devices}
        words = f"replica_groups = {dense(groups)}{more}"
        yield everywhere(
            f"all_reduce_captures_{what}", "each device has a limit of its own", "Combiners", grid,
            inputs, f'%r = "stablehlo.all_reduce"(%a) <{{{words}}}> {region} : ($A) -> $R',
            {x: [whole[x]] for x in grid.devices})
        yield everywhere(
            f"reduce_scatter_captures_{what}", "each device has a limit of its own", "Combiners",
            grid, inputs, f'%r = "stablehlo.reduce_scatter"(%a) <{{scatter_dimension = 0 : i64, '
            f"{words}}}> {region} : ($A) -> $R",
            {x: [piece(whole[x], 0, members[x].index(x), count)] for x in grid.devices})


def exchanges():
    for what, grid, mode, groups, more in (
            ("replicas", Grid(2, 2), Grid.replicas_of, [[1, 0]], ""),
            ("partitions", Grid(2, 3), Grid.partitions_of, [[2, 0, 1]], f", {CHANNEL}"),
            ("apart", Grid(4), Grid.replicas_of, [[0, 3], [2, 1]], "")):
        members = grid.members(mode, groups)
        count = len(members[0, 0])
        table = given(grid, (count, 2 * count, count))
        for split, concat in ((1, 1), (0, 2), (2, 0), (1, 0), (1, 2)):
            results = {x: [joined([piece(table[y], split, members[x].index(x), count)
                                   for y in members[x]], concat)] for x in grid.devices}
            yield everywhere(
                f"all_to_all_{what}_{split}_{concat}", f"split along {split}, joined along "
                f"{concat}", "Exchange", grid, {x: [table[x]] for x in grid.devices},
                f'%r = "stablehlo.all_to_all"(%a) <{{split_dimension = {split} : i64, '
                f"concat_dimension = {concat} : i64, split_count = {count} : i64, replica_groups "
                f"= {dense(groups)}{more}}}> : ($A) -> $R", results)
    grid, members = Grid(2), [(1, 0), (0, 0)]
    one, two = given(grid, (2, 2)), given(grid, (4, 1), F32)
    yield everywhere(
        "all_to_all_several", "two arrays at once", "Exchange", grid,
        {x: [one[x], two[x]] for x in grid.devices},
        '%r0, %r1 = "stablehlo.all_to_all"(%a, %b) {split_dimension = 0 : i64, concat_dimension '
        f"= 1 : i64, split_count = 2 : i64, replica_groups = {dense([[1, 0]])}}} : ($A, $B) -> "
        "($R, tensor<2x2xf32>)",
        {x: [joined([piece(t[y], 0, members.index(x), 2) for y in members], 1)
             for t in (one, two)] for x in grid.devices})


def moves():
    """Broadcasts and permutations: zeros where nobody sends."""
    zero = arrays.splat(S32, (2,), 0)
    for what, grid, mode, groups, more in (
            ("replicas", Grid(4, 2), Grid.replicas_of, [[2, 1]], ""),
            ("partitions", Grid(2, 4), Grid.partitions_of, [[3, 0], [1, 2]], f", {CHANNEL}")):
        table = given(grid, (2,))
        members = grid.members(mode, groups)
        yield everywhere(
            f"collective_broadcast_{what}", "the first of each group sends", "Groups", grid,
            {x: [table[x]] for x in grid.devices},
            f'%r = "stablehlo.collective_broadcast"(%a) <{{replica_groups = {dense(groups)}'
            f"{more}}}> : ($A) -> $R",
            {x: [table[members[x][0]] if members[x] else zero] for x in grid.devices})
    yield from chosen_roots()
    for what, grid, at, more in (("replicas", Grid(3, 2), 0, ""),
                                 ("partitions", Grid(2, 3), 1, f", {CHANNEL}")):
        table = given(grid, (2,))
        source = {1: 0, 0: 2}
        results = {x: [zero if x[at] not in source else
                       table[(source[x[0]], x[1]) if at == 0 else (x[0], source[x[1]])]]
                   for x in grid.devices}
        yield everywhere(
            f"collective_permute_{what}", "pairs of a source and a target", "Groups", grid,
            {x: [table[x]] for x in grid.devices},
            '%r = "stablehlo.collective_permute"(%a) <{source_target_pairs = '
            f"{dense([[0, 1], [2, 0]])}{more}}}> : ($A) -> $R", results)


def chosen_roots():
    """The last operand says which member of the group sends."""
    grid, group = Grid(3), [2, 0, 1]
    table = given(grid, (2,))
    for root in range(3):
        yield everywhere(
            f"collective_broadcast_root_{root}", "a member that an operand names sends", "Groups",
            grid, {x: [table[x], Array(S32, (), (root,))] for x in grid.devices},
            '%r = "stablehlo.collective_broadcast"(%a, %b) <{has_dynamic_root, replica_groups = '
            f"{dense([group])}}}> : ($A, $B) -> $R",
            {x: [table[group[root], 0]] for x in grid.devices})


def ids():
    grid = Grid(2, 3)
    yield everywhere(
        "ids", "replica_id and partition_id, pretty and generic", "Ids", grid,
        {x: [] for x in grid.devices},
        """%r0 = stablehlo.replica_id : $R
        %r1 = "stablehlo.replica_id"() : () -> $R
        %r2 = stablehlo.partition_id : $R
        %r3 = "stablehlo.partition_id"() : () -> $R""",
        {x: [Array(U32, (), (n,)) for n in (x[0], x[0], x[1], x[1])] for x in grid.devices})


def asynchronous():
    """Collectives that run beside other operations."""
    grid, members = Grid(2), [(1, 0), (0, 0)]
    table = given(grid, (2,))
    groups = f"replica_groups = {dense([[1, 0]])}"
    for what, call, found in (
            ("all_gather", f'"stablehlo.all_gather"(%o) <{{all_gather_dim = 0 : i64, {groups}}}>',
             joined([table[y] for y in members], 0)),
            ("all_reduce", f'"stablehlo.all_reduce"(%o) <{{{groups}}}> {combiner("add")}',
             folded("add", [table[y] for y in members]))):
        back = tensor(found)
        yield everywhere(
            f"async_{what}", "a collective that runs beside others", "Groups", grid,
            {x: [table[x]] for x in grid.devices},
            f"""%f = "stablehlo.async_start"(%a) ({{
            ^bb0(%o: $A):
              %g = {call} : ($A) -> {back}
              stablehlo.return %g : {back}
            }}) : ($A) -> !stablehlo.future<{back}>
            %n = stablehlo.negate %a : $A
            %r0 = "stablehlo.async_done"(%f) : (!stablehlo.future<{back}>) -> {back}
            %r1 = stablehlo.negate %n : $A""", {x: [found, table[x]] for x in grid.devices})


def cases():
    for part in (asynchronous, gathers, reductions, several, combiners, exchanges, moves, ids):
        yield from part()
