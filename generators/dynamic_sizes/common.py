"""Operands that have sizes at run time, and results that tell theirs."""

from __future__ import annotations

import itertools
import math

from assaygen import arrays, types
from assaygen.arrays import Array
from assaygen.cases import Case, bits
from assaygen.program import Program
from assaygen.streams import Stream

S32 = types.S32
WHY = {
    "Cut": "what the operation makes of arrays that are cut to their sizes",
    "Least": "dimensions that have to be equal have the least of their sizes",
}
ADD = """add {
  a = s32[] parameter(0)
  b = s32[] parameter(1)
  ROOT c = s32[] add(a, b)
}"""
LESS = """less {
  a = s32[] parameter(0)
  b = s32[] parameter(1)
  ROOT c = pred[] compare(a, b), direction=LT
}"""


def indices(dims):
    return itertools.product(*map(range, dims))


def marked(dims, dynamic, t: str = "s32") -> str:
    """s32[2,<=3]."""
    return f"{t}[" + ",".join("<=" * on + str(n) for n, on in zip(dims, dynamic)) + "]"


def scalar(x: int) -> Array:
    return Array(S32, (), (S32.wrap(x),))


class Operand:
    """An array of small numbers; of each dimension with a size the first
    elements exist."""

    def __init__(self, dims, sizes, stream: Stream, high: int = 100) -> None:
        self.dims = tuple(dims)
        self.given = list(sizes)
        self.sizes = [n if s is None else s for n, s in zip(dims, sizes)]
        self.array = arrays.build(
            S32, self.dims, lambda _: S32.wrap(stream.below(high)))

    def at(self, index) -> int:
        """An element that exists."""
        assert all(0 <= i < n for i, n in zip(index, self.sizes))
        return S32.integer(self.array.at(index))

    def table(self) -> dict:
        return {i: self.at(i) for i in indices(self.sizes)}

    @property
    def dynamic(self) -> list[bool]:
        return [s is not None for s in self.given]


def draw_sizes(stream: Stream, dims, fixed=()) -> list:
    """A size at run time for some dimensions."""
    return [None if d in fixed or stream.bits(1) else stream.below(n + 1)
            for d, n in enumerate(dims)]


def draw(stream: Stream, dims, fixed=(), high: int = 100) -> Operand:
    return Operand(dims, draw_sizes(stream, dims, fixed), stream, high)


class Sized:
    """A program in which d0, d1, ... are the operands with their sizes."""

    def __init__(self, operands: list[Operand], regions=(ADD,)) -> None:
        self.operands = operands
        self.program = Program("m", [x.array for x in operands])
        for region in dict.fromkeys((ADD, *regions)):
            self.program.region(region)
        self.program.line("zero = s32[] constant(0)")
        for k, operand in enumerate(operands):
            self.give_sizes(k, operand)

    def give_sizes(self, k: int, operand: Operand) -> None:
        name, on = f"p{k}", [False] * len(operand.dims)
        for d, size in enumerate(operand.given):
            if size is None:
                continue
            on[d] = True
            self.program.line(f"n{k}_{d} = s32[] constant({size})")
            self.program.line(
                f"s{k}_{d} = {marked(operand.dims, on)} "
                f"set-dimension-size({name}, n{k}_{d}), dimensions={{{d}}}")
            name = f"s{k}_{d}"
        self.program.line(
            f"d{k} = {marked(operand.dims, operand.dynamic)} copy({name})")

    def shape(self, dims) -> str:
        """Of a result, whose dimensions may have sizes where an operand's have."""
        sized = any(any(operand.dynamic) for operand in self.operands)
        return marked(dims, [sized] * len(dims))

    def line(self, text: str) -> Sized:
        self.program.line(text)
        return self

    def case(self, what, statement, results, why=("Cut",)) -> Case:
        """`results` are names with bounds and (sizes, {index: value})."""
        names, expect = [], []
        for name, dims, sizes, found in results:
            names += self.tell(name, dims)
            total = sum(value * weight(i) for i, value in found.items())
            assert all(all(map(int.__lt__, i, sizes)) for i in found), (what, sizes)
            expect += [bits(scalar(x)) for x in (total, *sizes)]
        shape = ", ".join(["s32[]"] * len(names))
        self.program.root(f"({shape})", f"tuple({', '.join(names)})")
        return Case(f"s32/{what}", statement, self.program, expect, list(why))

    def tell(self, name: str, dims) -> list[str]:
        """The weighted sum of a result, and its sizes."""
        plain = marked(dims, [False] * len(dims))
        every = ",".join(map(str, range(len(dims))))
        self.line(f"w_{name} = {plain} constant({weights(dims)})")
        self.line(f"m_{name} = {self.shape(dims)} multiply({name}, w_{name})")
        self.line(f"t_{name} = s32[] reduce(m_{name}, zero), "
                  f"dimensions={{{every}}}, to_apply=add")
        names = [f"t_{name}"]
        for d in range(len(dims)):
            names.append(f"g_{name}_{d}")
            self.line(f"{names[-1]} = s32[] get-dimension-size({name}), dimensions={{{d}}}")
        return names


def weight(index) -> int:
    return 1 + sum((5 * d + 3) * i for d, i in enumerate(index))


def weights(dims, prefix=()) -> str:
    if not dims:
        return str(weight(prefix))
    inner = (weights(dims[1:], (*prefix, i)) for i in range(dims[0]))
    return "{" + ", ".join(inner) + "}"


def braces(numbers) -> str:
    return "{" + ",".join(map(str, numbers)) + "}"


def clamp(start: int, size: int, length: int) -> int:
    return min(max(start, 0), size - length)


def sizes_text(*operands: Operand) -> str:
    return " and ".join(f"{x.sizes} of {list(x.dims)}" for x in operands)


def count(dims) -> int:
    return math.prod(dims)
