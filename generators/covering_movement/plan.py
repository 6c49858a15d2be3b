"""What a movement does with an operand of given dimensions: a plan for each of a few
streams, before there are types, layouts and values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from assaygen import types
from assaygen.arrays import Array
from assaygen.streams import Stream
from assaygen.types import Type

Dims = tuple[int, ...]
MANY = 5000  # elements of which few are added


def plain(t: Type) -> Type:
    return t


@dataclass
class Plan:
    """`inputs` are arrays, or the dimensions of arrays of the type, the first one of which
    has the layout of the row. `element` gives the code of the result at an index."""

    inputs: list[Dims | Array]
    out: Dims
    element: Callable[[Type, list[Array], tuple], object]
    text: str
    result: Callable[[Type], Type] = plain
    # Each of (type, layout of the result, shapes of operands): the text of regions, and
    # lines, shape and text of the root, where there are instructions besides it.
    region: Callable[..., str] = field(default=lambda *_: "")
    write: Callable[..., tuple[list[str], str, str]] | None = None


def moved(inputs: list, out: Dims, origin: Callable, text: str, **more) -> Plan:
    """origin(index) is the number of an operand and an index of it."""
    def element(_: Type, sources: list[Array], index: tuple):
        number, place = origin(index)
        return sources[number].at(place)
    return Plan(inputs, tuple(out), element, text, **more)


def size(dims: Dims) -> int:
    return Array(types.PRED, dims, ()).size


def some(stream: Stream, items) -> list:
    return [x for x in items if stream.bits(1)]


def listed(numbers) -> str:
    return "{" + ",".join(map(str, numbers)) + "}"
