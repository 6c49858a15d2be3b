"""Arrays of bits: element type, dimensions, codes in row-major order."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

from assaygen import types
from assaygen.streams import Stream
from assaygen.types import Type
from assaygen.values import Value, number


@dataclass(frozen=True)
class Array:
    """`codes` are ints, or pairs of ints (re, im) for complex types."""

    type: Type
    dims: tuple[int, ...]
    codes: tuple
    layout: str = ""

    @property
    def size(self) -> int:
        return math.prod(self.dims)

    @property
    def shape(self) -> str:
        """HLO text: f32[2,3]{1,0}."""
        return f"{self.type.name}[{','.join(map(str, self.dims))}]{self.layout}"

    def indices(self):
        return itertools.product(*(range(d) for d in self.dims))

    def position(self, index) -> int:
        linear = 0
        for size, i in zip(self.dims, index):
            linear = linear * size + i
        return linear

    def at(self, index):
        return self.codes[self.position(index)]

    def with_layout(self, layout: str) -> Array:
        return Array(self.type, self.dims, self.codes, layout)

    def text(self) -> str:
        """As cases hold it: the shape without layout and the hexadecimal bits,
        `bits*n` for n equal ones in a row."""
        plain = Array(self.type, self.dims, ()).shape
        return " ".join([plain, *_runs(self.type, self.codes)])


def _runs(t: Type, codes: tuple):
    for code, group in itertools.groupby(codes):
        n = len(list(group))
        word = hexadecimal(t, code)
        yield f"{word}*{n}" if n > 1 else word


def hexadecimal(t: Type, code) -> str:
    if t.kind == "complex":
        return ":".join(f"{part:0{t.digits}x}" for part in code)
    return f"{code:0{t.digits}x}"


def build(t: Type, dims, element) -> Array:
    """The array whose code at each index is element(index)."""
    ranges = (range(d) for d in dims)
    codes = tuple(element(index) for index in itertools.product(*ranges))
    return Array(t, tuple(dims), codes)


def of(t: Type, codes) -> Array:
    codes = tuple(codes)
    return Array(t, (len(codes),), codes)


def from_number(t: Type, x: int):
    """The code of a small integer in any type."""
    if t.kind == "pred":
        return x % 2
    if t.kind == "int":
        return t.wrap(x)
    if t.kind == "complex":
        part = types.component(t)
        return (types.encode(part, number(x)), types.encode(part, number(-x)))
    value = number(x) if x or t.specials != "e8m0" else number(1)
    return types.encode(t, value)


def iota(t: Type, dims, start: int = 1) -> Array:
    """Distinct small numbers as far as the type has them."""
    span = 7 if t.bits <= 6 else 120
    count = itertools.count()
    return build(t, dims, lambda _: from_number(t, start + next(count) % span))


def splat(t: Type, dims, code) -> Array:
    return build(t, dims, lambda _: code)


def random_bits(t: Type, dims, stream: Stream) -> Array:
    """Any bits at all: NaN payloads, subnormals, infinities."""
    def element(_):
        if t.kind == "complex":
            return (stream.bits(t.bits // 2), stream.bits(t.bits // 2))
        return stream.bits(t.bits)
    return build(t, dims, element)


def decoded(t: Type, code) -> Value:
    return types.decode(t, code)
