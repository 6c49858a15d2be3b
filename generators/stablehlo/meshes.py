"""Groups of devices along axes of a mesh, or along parts of axes."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

from assaygen import arrays
from stablehlo.devices import GLOBAL, Grid, combiner, everywhere, folded, given, joined
from stablehlo.forms import S32, refused

WHY = {"MeshGroups": "groups along axes of a mesh, or along parts of them"}


@dataclass(frozen=True)
class Mesh:
    """Axes of names and sizes, and which device stands at each place."""

    axes: tuple[tuple[str, int], ...]
    ids: tuple[int, ...] = ()

    def device(self, at: dict[str, int]) -> int:
        place = 0
        for name, size in self.axes:
            place = place * size + at[name]
        return self.ids[place] if self.ids else place

    def places(self) -> list[dict[str, int]]:
        return [dict(zip((name for name, _ in self.axes), at))
                for at in itertools.product(*(range(size) for _, size in self.axes))]

    def group(self, device: int, parts) -> list[int]:
        """The devices along parts of axes: a name, what is before the part, its size."""
        at = next(x for x in self.places() if self.device(x) == device)
        found = []
        for digits in itertools.product(*(range(size) for _, _, size in parts)):
            there = dict(at)
            for (name, before, size), digit in zip(parts, digits):
                behind = dict(self.axes)[name] // (before * size)
                high, low = there[name] // (size * behind), there[name] % behind
                there[name] = (high * size + digit) * behind + low
            found.append(self.device(there))
        return found

    def of_module(self, name: str = "mesh") -> str:
        axes = ", ".join(f'"{axis}"={size}' for axis, size in self.axes)
        more = f", device_ids={list(self.ids)}" if self.ids else ""
        return f"  sdy.mesh @{name} = <[{axes}]{more}>\n"

    def written(self, word: str = "") -> str:
        axes = ", ".join(f'{word}<name = "{axis}", size = {size}>' for axis, size in self.axes)
        more = (f", device_ids = dense<{list(self.ids)}> : tensor<{len(self.ids)}xi64>"
                if self.ids else "")
        return f"#stablehlo.mesh<axes = [{axes}]{more}>"


AB = Mesh((("a", 2), ("b", 4)))
TURNED = Mesh(AB.axes, (0, 2, 4, 6, 1, 3, 5, 7))
MESH_GROUPS = [
    ("a", AB, [("a", 1, 2)], ""), ("b", AB, [("b", 1, 4)], ""),
    ("ab", AB, [("a", 1, 2), ("b", 1, 4)], ""), ("ba", AB, [("b", 1, 4), ("a", 1, 2)], ""),
    ("major_part", AB, [("b", 1, 2)], ""), ("minor_part", AB, [("b", 2, 2)], ""),
    ("parts", AB, [("b", 2, 2), ("a", 1, 2)], ""), ("turned", TURNED, [("a", 1, 2)], ""),
    ("module", AB, [("b", 1, 4)], "mesh"), ("module_turned", TURNED, [("b", 2, 2)], "mesh"),
    ("module_quoted", AB, [("a", 1, 2)], '"m.1"'),
]


def axis(mesh: Mesh, name: str, before: int, size: int) -> str:
    part = "" if dict(mesh.axes)[name] == size else f", sub_axis_info = ({before}){size}"
    return f'#stablehlo.axis_ref<name = "{name}"{part}>'


def mesh_groups():
    grid = Grid(1, 8)
    table = given(grid, (2,))
    for what, mesh, parts, name in MESH_GROUPS:
        axes = ", ".join(axis(mesh, *part) for part in parts)
        said = f"@{name}" if name else mesh.written("#stablehlo.mesh_axis" if what == "b" else "")
        words = (f"replica_groups = #stablehlo.replica_group_mesh_axes<mesh = {said}, axes = "
                 f"[{axes}]>, {GLOBAL}")
        members = {x: [(0, i) for i in mesh.group(x[1], parts)] for x in grid.devices}
        yield everywhere(
            f"mesh_{what}", "groups along axes of a mesh", "MeshGroups", grid,
            {x: [table[x]] for x in grid.devices},
            f'%r0 = "stablehlo.all_gather"(%a) <{{all_gather_dim = 0 : i64, {words}}}> : ($A) -> '
            f'$R\n%r1 = "stablehlo.all_reduce"(%a) <{{{words}}}> {combiner("add")} : ($A) -> $A',
            {x: [joined([table[y] for y in members[x]], 0),
                 folded("add", [table[y] for y in members[x]])] for x in grid.devices},
            outside=mesh.of_module(name) if name else "")


def mesh_refusals():
    """Groups along axes of a mesh that do not fit it."""
    line = '<axes = [<name = "x", size = 4>]>'
    for what, statement, mesh, axes in (
            ("axis", "an axis that the mesh has not", f"#stablehlo.mesh{line}",
             '#stablehlo.axis_ref<name = "y">'),
            ("part", "a part that does not divide the axis", f"#stablehlo.mesh{line}",
             '#stablehlo.axis_ref<name = "x", sub_axis_info = (1)3>'),
            ("overlap", "parts that overlap", f"#stablehlo.mesh{line}",
             '#stablehlo.axis_ref<name = "x">, #stablehlo.axis_ref<name = "x", sub_axis_info = '
             "(1)2>"),
            ("no_mesh", "a mesh that the module has not", "@mesh",
             '#stablehlo.axis_ref<name = "x">')):
        yield refused(f"mesh_{what}", statement, f"""{Grid(1, 4).head()}\
  func.func @main(%a: tensor<4x2xi32>) -> tensor<16x2xi32> {{
    %r = "stablehlo.all_gather"(%a) <{{all_gather_dim = 0 : i64, {GLOBAL}, replica_groups = \
#stablehlo.replica_group_mesh_axes<mesh = {mesh}, axes = [{axes}]>}}> : (tensor<4x2xi32>) -> \
tensor<16x2xi32>
    return %r : tensor<16x2xi32>
  }}
}}
""", "stablehlo.sharding", [arrays.iota(S32, (4, 2))] * 4)


def cases():
    yield from mesh_groups()
    yield from mesh_refusals()
