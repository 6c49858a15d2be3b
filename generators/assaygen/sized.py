"""Programs on arrays whose dimensions have run-time sizes."""

from __future__ import annotations

import itertools

from assaygen import arrays, combiners, types
from assaygen.arrays import Array
from assaygen.program import Program, scalar_region
from assaygen.streams import Stream
from assaygen.types import Type

S32 = types.S32
WHY = {
    "Random": "random bounds, sizes and numbers of dynamic dimensions",
    "Edge": "sizes of 0, at the bound and out of range",
    "Type": "what does not count holds NaN, or all bits",
}


def marked(dims, dynamic) -> str:
    """s32[2,<=3]."""
    return "s32[" + ",".join("<=" * on + str(n) for n, on in zip(dims, dynamic)) + "]"


def numbers(dims, stream: Stream) -> Array:
    return arrays.build(S32, dims, lambda _: S32.wrap(stream.below(2001) - 1000))


def scalar(x: int) -> Array:
    return Array(S32, (), (S32.wrap(x),))


def indices(sizes):
    return itertools.product(*map(range, sizes))


class Sized:
    """p0 with sizes: the instruction d, of which the first elements count."""

    def __init__(self, dims, sizes, stream: Stream) -> None:
        self.dims, self.given = dims, sizes
        self.array = numbers(dims, stream)
        self.dynamic = [size is not None for size in sizes]
        self.sizes = [n if size is None else min(max(size, 0), n)
                      for n, size in zip(dims, sizes)]

    def program(self, more: list[Array] | None = None) -> Program:
        program = Program("m", [self.array, *(more or [])])
        program.region(scalar_region("add", "s32", "s32[] add(a, b)"))
        name, done = "p0", [False] * len(self.dims)
        for k, size in enumerate(self.given):
            if size is None:
                continue
            done[k] = True
            program.line(f"n{k} = s32[] constant({size})")
            program.line(f"d{k} = {marked(self.dims, done)} set-dimension-size({name}, n{k}), "
                         f"dimensions={{{k}}}")
            name = f"d{k}"
        program.line("zero = s32[] constant(0)")
        self.name, self.shape = name, marked(self.dims, self.dynamic)
        return program

    def values(self) -> list[int]:
        """Those that count, in row-major order."""
        return [S32.integer(self.array.at(i)) for i in indices(self.sizes)]


def combiner(t: Type) -> str:
    """One that tells what counts from what does not."""
    return "xor" if t.kind == "pred" else "maximum" if t.specials == "e8m0" else "add"


def neutral(t: Type) -> Array:
    return arrays.splat(t, (), (0, 0) if t.kind == "complex" else 0)


def counted(t: Type, stream: Stream):
    """0 or 1: their sums are exact in every type."""
    return 120 + stream.below(9) if t.specials == "e8m0" else arrays.from_number(
        t, stream.below(2))


def poison(t: Type):
    """NaN, or all bits."""
    if t.kind == "complex":
        return (types.component(t).nan,) * 2
    nan = t.nan if t.kind == "float" else None
    return (1 << t.bits) - 1 if nan is None else nan


class Halved:
    """p0 of two rows and three columns, of which two count; p1 is the neutral element.
    The instruction d has the sizes."""

    def __init__(self, op: str, t: Type) -> None:
        stream = Stream(op, "type", t.name)
        self.type = t
        self.array = arrays.build(
            t, (2, 3), lambda i: counted(t, stream) if i[1] < 2 else poison(t))

    def program(self) -> Program:
        t, name = self.type.name, combiner(self.type)
        program = Program("m", [self.array, neutral(self.type)])
        program.region(scalar_region("join", t, f"{t}[] {name}(a, b)"))
        program.line("two = s32[] constant(2)")
        return program.line(f"d = {t}[2,<=3] set-dimension-size(p0, two), dimensions={{1}}")

    def joined(self, *indices):
        """The code of some elements and the neutral one joined."""
        found = [self.array.at(i) for i in indices] + [neutral(self.type).codes[0]]
        return combiners.joined(self.type, combiner(self.type), found)[0]


def draw(stream: Stream) -> Sized:
    rank = 1 + stream.below(3)
    dims = tuple(1 + stream.below(5) for _ in range(rank))
    sizes = [None if stream.bits(1) else stream.below(n + 3) - 1 for n in dims]
    if all(size is None for size in sizes):
        sizes[0] = stream.below(dims[0] + 1)
    return Sized(dims, sizes, stream)
