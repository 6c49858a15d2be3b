"""Cases that a rule of a page forbids, as rows of short text.

A row is the number of the rule, what is wrong, the shapes of the parameters
p0, p1, ... (with ` ; ` between them) and the instructions (likewise), of which
the last is the root: "f32[2] add(p0, p1)".
"""

from __future__ import annotations

import math
import re

from assaygen import arrays, types
from assaygen.arrays import Array
from assaygen.cases import Case, rejected

WHY = {"Rejected": "a rule of the page is violated"}
# Regions of reduce and reduce-window, of which only `add` fits f32 arrays.
REDUCERS = """add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT c = f32[] add(a, b)
}

one {
  ROOT a = f32[] parameter(0)
}

pair {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT t = (f32[], f32[]) tuple(a, b)
}

both {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  c = f32[] parameter(2)
  d = f32[] parameter(3)
  ROOT t = (f32[], f32[]) tuple(a, b)
}

vectors {
  a = f32[2] parameter(0)
  b = f32[2] parameter(1)
  ROOT c = f32[2] add(a, b)
}

integers {
  a = s32[] parameter(0)
  b = s32[] parameter(1)
  ROOT c = s32[] add(a, b)
}

mixed {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  c = f32[] add(a, b)
  ROOT d = s32[] convert(c)
}"""
# The same of collectives: `sum`.
COMBINERS = """sum {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}

first {
  ROOT a = f32[] parameter(0)
}

pair {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT t = (f32[], f32[]) tuple(a, b)
}"""
LEAF = re.compile(r"\b([a-z][a-z0-9]*)\[([^\]]*)\]")


def inputs(shapes: str) -> list[Array]:
    """Small numbers for every array in a list of shapes."""
    found = []
    for name, listed in LEAF.findall(shapes):
        if name in types.BY_NAME:
            dims = tuple(int(d.strip("<=")) for d in listed.split(",") if d)
            make = arrays.iota if math.prod(dims) else nothing
            found.append(make(types.BY_NAME[name], dims))
    return found


def nothing(t, dims) -> Array:
    """No elements, however long the other dimensions are."""
    return Array(t, dims, ())


def case(op: str, row, regions: str = "", header: str = "") -> Case:
    rule, statement, shapes, body = row
    parts = [x for x in shapes.split(" ; ") if x]
    lines = [f"p{i} = {x} parameter({i})" for i, x in enumerate(parts)]
    *before, root = body.split(" ; ")
    lines += [*before, f"ROOT r = {root}"]
    text = (f"HloModule m{header}\n\n{regions}" + "\n\n" * bool(regions) +
            "ENTRY main {\n" + "".join(f"  {line}\n" for line in lines) + "}\n")
    name = next(n for n, _ in LEAF.findall(f"{shapes} {body}"))
    words = re.sub(r"[^a-z0-9]+", "_", statement.lower()).strip("_")
    label = rule if "." in rule else f"{op}.{rule}"
    return Case(f"{name}/{rule.lower()}_{words}", statement, text, rejected(label),
                ["Rejected"], inputs(shapes))


def cases(op: str, rows, regions: str = "", header: str = ""):
    for row in rows:
        yield case(op, row, regions, header)
