"""Which operations have cases with which layouts and shapes, as tables.

    coverage.py [--check] [folder]    reads the *.jsonl of the folder

`--check` fails where an operation has no case with a class that makes sense for it, and where
one of EXCEPTIONS excuses nothing. Cases that have to be rejected do not count.
"""

import argparse
import collections
import json
import math
import pathlib
import re
import sys
from collections.abc import Iterator

HERE = pathlib.Path(__file__).resolve().parent
VECTORS = HERE.parent / "vectors"
LINE = re.compile(r"^\s*(?:ROOT )?%?([\w.-]+) = (.+?) ([a-z][a-z0-9-]*)\(([^)]*)\)")
LEAF = re.compile(r"\b([a-z]\w*)\[([^\]]*)\](\{[^{}]*\})?")
NAME = re.compile(r"%?([\w.-]+)$")

# Each is asked of (order, list of tiles, the rest): whether a layout is of the class.
LAYOUTS = {
    "default": lambda order, tiles, rest: order == sorted(order, reverse=True)
    and not tiles and not rest,
    "permuted": lambda order, tiles, rest: order != sorted(order, reverse=True),
    "T(8,128)": lambda order, tiles, rest: tiles == ["8,128"],
    "T(8,128)(2,1)": lambda order, tiles, rest: tiles == ["8,128", "2,1"],
    "T(4,128)": lambda order, tiles, rest: tiles == ["4,128"],
    "T(2,128)": lambda order, tiles, rest: tiles == ["2,128"],
    "combining": lambda order, tiles, rest: any("*" in tile for tile in tiles),
    "nested": lambda order, tiles, rest: len(tiles) > 2,
    "packed": lambda order, tiles, rest: bool(re.search(r"E\([1-7]\)", rest)),
    "any tile": lambda order, tiles, rest: bool(tiles),
}
EDGES = {127, 128, 129, 255, 256, 257}
WIDTHS = {7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65}
# Each is asked of the dimensions and the number of elements.
SHAPES = {
    "scalar": lambda dims, n: not dims,
    "empty": lambda dims, n: n == 0,
    "ones": lambda dims, n: n == 1 and len(dims) > 0,
    **{f"rank {r}": lambda dims, n, r=r: len(dims) == r for r in range(1, 6)},
    "rank 6+": lambda dims, n: len(dims) > 5,
    "width": lambda dims, n: bool(WIDTHS & {*dims}),
    "edge": lambda dims, n: bool(EDGES & {*dims}),
    "511+": lambda dims, n: n >= 511,
    "4095+": lambda dims, n: n >= 4095,
    "65535+": lambda dims, n: n >= 65535,
}
# Patterns of operations and of classes that make no sense together, and why.
EXCEPTIONS = [
    ("after-all|partition-id|replica-id", ".*", "it has no array but a scalar or a token"),
    ("rng-get-and-update-state", ".*", "its result is always u64[2]"),
    ("complex|fft", r"T\(8,128\)\(2,1\)|packed", "it has no operand of 16 bits or less"),
    ("concatenate|iota", "scalar", "it has a dimension"),
    ("all-gather(-start|-done)?|ragged-all-to-all|reduce-scatter|sort|topk|fft|ragged-dot|"
     "batch-norm-.*", "scalar", "it names a dimension of its arrays, or goes along one"),
    ("cholesky|triangular-solve", "scalar|rank 1", "a matrix has two dimensions"),
    ("convolution", "scalar|rank 1", "a batch and features are two dimensions"),
    ("constant|infeed", "4095\\+|65535\\+", "a program that spells as many numbers is a test of "
                                              "texts, and has its own"),
]

Leaf = tuple[tuple[int, ...], str]  # dimensions and the layout's text


def leaves(shape: str) -> list[Leaf]:
    """The arrays of a shape."""
    found = []
    for _, dims, layout in LEAF.findall(shape):
        numbers = tuple(int(n.strip("<=")) for n in dims.split(",") if n.strip())
        found.append((numbers, layout))
    return found


def layout_classes(leaf: Leaf) -> set[str]:
    dims, text = leaf
    order, _, rest = text.strip("{}").partition(":")
    numbers = [int(n) for n in order.split(",") if n] or list(range(len(dims)))[::-1]
    found = re.search(r"T((?:\([\d,*]+\))+)", rest)
    tiles = re.findall(r"\(([^)]*)\)", found[1]) if found else []
    rest = rest.replace(found[0], "") if found else rest
    return {name for name, has in LAYOUTS.items() if has(numbers, tiles, rest)}


def shape_classes(leaf: Leaf) -> set[str]:
    n = math.prod(leaf[0])
    return {name for name, has in SHAPES.items() if has(leaf[0], n)}


def instructions(hlo: str) -> Iterator[tuple[str, list[Leaf]]]:
    """Mnemonics, with the arrays of operands and result; of regions only those that are no
    scalars, of which their instructions are full."""
    shapes: dict[str, str] = {}
    is_entry = False
    for line in hlo.splitlines():
        if line.rstrip().endswith("{"):
            shapes, is_entry = {}, line.startswith("ENTRY")
        found = LINE.match(line)
        if not found:
            continue
        name, shape, op, operands = found.groups()
        shapes[name] = shape
        used = [NAME.search(x.strip()) for x in operands.split(",")]
        text = [shape, *(shapes.get(x[1], "") for x in used if x)]
        arrays = [leaf for part in text for leaf in leaves(part)]
        if is_entry or any(dims for dims, _ in arrays):
            yield op, arrays


def cases(folder: pathlib.Path) -> Iterator[dict]:
    for file in sorted(folder.rglob("*.jsonl")):
        for line in file.read_text().splitlines()[1:]:
            case = json.loads(line)
            if not (isinstance(case["expect"], dict) and "rejected" in case["expect"]):
                yield case


class Table:
    """Cases by operation and class, and by class alone."""

    def __init__(self, names: list[str]) -> None:
        self.names = names
        self.rows: dict[str, collections.Counter] = collections.defaultdict(collections.Counter)
        self.total: collections.Counter = collections.Counter()

    def add(self, by_operation: dict[str, set[str]]) -> None:
        for op, classes in by_operation.items():
            self.rows[op].update(classes)
        self.total.update(set().union(*by_operation.values()))

    def print(self, title: str) -> None:
        widths = [max(len(name), 6) for name in self.names]
        for op, row in ((title, None), *sorted(self.rows.items()), ("cases", self.total)):
            cells = self.names if row is None else [str(row[name] or ".") for name in self.names]
            print(f"{op:32}" + "".join(f"{c:>{w + 2}}" for c, w in zip(cells, widths)))
        print()


def read(folder: pathlib.Path) -> tuple[Table, Table, collections.Counter]:
    """Layouts, shapes, and numbers of cases."""
    layouts, shapes = Table(list(LAYOUTS)), Table(list(SHAPES))
    totals: collections.Counter = collections.Counter()
    for case in cases(folder):
        of_layouts: dict = collections.defaultdict(set)
        of_shapes: dict = collections.defaultdict(set)
        for op, arrays in instructions(case.get("hlo", "")):
            of_layouts[op].update(*map(layout_classes, arrays))
            of_shapes[op].update(*map(shape_classes, arrays))
        layouts.add(of_layouts)
        shapes.add(of_shapes)
        every = set().union(*of_layouts.values())
        totals["cases that run"] += 1
        totals["with a tile"] += "any tile" in every
        totals["with a layout that is not the default"] += bool(every - {"default"})
    return layouts, shapes, totals


def empty(tables: list[Table]) -> list[str]:
    """Cells without a case that make sense, and exceptions of which every cell has one."""
    cells = [(op, name) for table in tables for op in sorted(table.rows)
             for name in table.names if not table.rows[op][name]]
    reasons = {cell: [row for row in EXCEPTIONS if excuses(row, *cell)] for cell in cells}
    used = {row for found in reasons.values() for row in found}
    return [f"{op}: no case with {name}" for (op, name), found in reasons.items() if not found] + [
        f"no empty cell needs the exception {ops} | {classes}"
        for ops, classes, reason in EXCEPTIONS if (ops, classes, reason) not in used]


def excuses(row: tuple[str, str, str], op: str, name: str) -> bool:
    return bool(re.fullmatch(row[0], op) and re.fullmatch(row[1], name))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=pathlib.Path, default=VECTORS)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    layouts, shapes, totals = read(arguments.folder)
    if arguments.check:
        wrong = empty([layouts, shapes])
        print("\n".join(wrong) or "coverage: fine")
        return 1 if wrong else 0
    layouts.print("layouts")
    shapes.print("shapes")
    for name, count in totals.items():
        print(f"{count:7} {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
