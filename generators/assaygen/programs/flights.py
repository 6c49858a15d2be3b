"""Collectives in two halves: several at once, each of several arrays, ended in
another order than begun."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable

from assaygen import collectives as c
from assaygen.arrays import Array
from assaygen.cases import Case
from assaygen.streams import Stream

WHY = c.WHY | {
    "Several": "several operations at once, each of several arrays, ended in another "
               "order than begun",
    "Rejected": "a rule of the page is violated",
}
COUNT = 60


@dataclass
class Flight:
    """One operation: what its operands hold, by device, and what it gives."""

    tables: list[dict]
    results: dict  # device -> list of arrays
    attributes: str


def together(shapes: list[str]) -> str:
    """One shape alone, several as a tuple."""
    return shapes[0] if len(shapes) == 1 else f"({', '.join(shapes)})"


def program(stream: Stream, op: str, at: c.Setting, flights: list[Flight],
            state: Callable, region: str = ""):
    """All starts, then all dones in any order; all results in one tuple.
    state(operands, results) is the shape of a start."""
    tables = [table for flight in flights for table in flight.tables]
    text, first = c.start(at, *tables), 0
    if region:
        text.region(region)
    device, shapes, lines = at.devices[0], [], []
    for k, flight in enumerate(flights):
        names = [f"p{first + i}" for i in range(len(flight.tables))]
        first += len(names)
        given = together([table[device].shape for table in flight.tables])
        shapes.append(together([x.shape for x in flight.results[device]]))
        text.line(f"start{k} = {state(given, shapes[-1])} {op}-start({', '.join(names)}), "
                  f"{flight.attributes}")
        lines.append(f"d{k} = {shapes[-1]} {op}-done(start{k})")
    for line in c.shuffled(stream, lines):
        text.line(line)
    names = ", ".join(f"d{k}" for k in range(len(flights)))
    return text.root(f"({', '.join(shapes)})", f"tuple({names})")


def inputs(at: c.Setting, flights: list[Flight]) -> list[Array]:
    return c.inputs(at, *(table for flight in flights for table in flight.tables))


def results(at: c.Setting, flights: list[Flight]) -> list:
    return [x for d in at.devices for flight in flights for x in flight.results[d]]


def case(number: int, statement: str, at: c.Setting, flights: list[Flight], text,
         expect: list) -> Case:
    t = flights[0].tables[0][at.devices[0]].type
    return Case(f"{t.name}/several_{number:03}", f"{statement}, {at.words}", text, expect,
                ["Several"], inputs(at, flights))
