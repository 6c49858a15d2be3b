"""Programs of one operation with the sets that their elements have."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from formats import PARTS, Type, decode

Codes = list  # of int; of complex types of pairs


@dataclass
class Array:
    type: Type
    dims: tuple[int, ...]
    codes: Codes

    @property
    def shape(self) -> str:
        return shape(self.type, self.dims)

    def literal(self) -> str:
        """As vector files have it."""
        words = [bits_of(self.type, code) for code in self.codes]
        return " ".join([self.shape, *words])

    def sized(self) -> str:
        """As --input takes it."""
        head = "x".join([*map(str, self.dims), self.type.name])
        if self.type.kind == "complex":
            part = PARTS[self.type.name]
            words = [f"({_decimal(part, x)}, {_decimal(part, y)})" for x, y in self.codes]
            return f"{self.shape} {{{', '.join(words)}}}"
        return head + "=" + " ".join(f"0x{code:0{self.type.digits}x}" for code in self.codes)


@dataclass
class Case:
    """`sets` has a list for each leaf, with a set for each element, two for complex ones, or
    None where the leaf, or one element of it, is not specified."""

    name: str
    kind: str
    operation: str
    profile: str
    hlo: str
    inputs: list[Array]
    leaves: list[tuple[Type, tuple[int, ...]]]
    sets: list[list]
    backend: str = "cpu:"

    @property
    def id(self) -> str:
        """In a vector file."""
        return f"{self.operation}/any/{self.name}"

    @property
    def elements(self) -> int:
        return sum(prod(dims) for _, dims in self.leaves)


def _decimal(t: Type, code: int) -> str:
    x = decode(t, code)
    if x.kind == "nan":
        return f"{'-' if code & t.top else ''}nan(0x{code & (1 << t.mantissa) - 1:x})"
    if x.kind != "number":
        return "-inf" if x.negative else "inf"
    return "-0.0" if x.is_zero and x.negative else repr(float(x.value))


def shape(t: Type, dims: tuple[int, ...]) -> str:
    return f"{t.name}[{','.join(map(str, dims))}]"


def bits_of(t: Type, code: int | tuple[int, int]) -> str:
    if t.kind == "complex":
        part = PARTS[t.name]
        return f"{code[0]:0{part.digits}x}:{code[1]:0{part.digits}x}"
    return f"{code:0{t.digits}x}"


def module(lines: list[str], regions: str = "") -> str:
    """The text of a module with these instructions of its entry."""
    body = "".join(f"  {line}\n" for line in lines)
    return f"HloModule m\n\n{regions}ENTRY main {{\n{body}}}\n"


def parameters(inputs: list[Array]) -> list[str]:
    return [f"p{k} = {x.shape} parameter({k})" for k, x in enumerate(inputs)]


def region(name: str, t: Type, operation: str) -> str:
    """A reducer of one operation."""
    return (f"{name} {{\n  a = {t.name}[] parameter(0)\n  b = {t.name}[] parameter(1)\n"
            f"  ROOT r = {t.name}[] {operation}(a, b)\n}}\n\n")
