"""Collectives from their definition: who meets whom (spec/collectives.md)."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

from assaygen import movement, types
from assaygen.cases import Case, bits
from assaygen.program import Program
from assaygen.streams import Stream

REPLICAS = "cross_replica"
PARTITIONS = "cross_partition"
BOTH = "cross_replica_and_partition"
GLOBAL = "flattened_id"
WHY = {
    "Random": "groups, grid, shapes and values drawn at random; the value is what "
              "the definition says, device by device and element by element",
    "Halves": "the same in two halves",
}
COUNT = 200


@dataclass(frozen=True)
class Setting:
    """A grid of devices, and the groups in which they meet."""

    replicas: int
    partitions: int
    mode: str
    groups: list[list[int]]
    attributes: str

    @property
    def header(self) -> str:
        return (f", replica_count={self.replicas}"
                f", num_partitions={self.partitions}")

    @property
    def words(self) -> str:
        return f"{self.replicas} x {self.partitions} devices, {self.mode}"

    @property
    def devices(self) -> list[tuple[int, int]]:
        return list(itertools.product(range(self.replicas), range(self.partitions)))

    def members(self, device) -> list[tuple[int, int]] | None:
        """The group of a device in its order; None outside of groups."""
        r, p = device
        mine = {REPLICAS: r, BOTH: r, PARTITIONS: p,
                GLOBAL: r * self.partitions + p}[self.mode]
        for group in self.groups:
            if mine not in group:
                continue
            if self.mode == REPLICAS:
                return [(i, p) for i in group]
            if self.mode == PARTITIONS:
                return [(r, i) for i in group]
            if self.mode == GLOBAL:
                return [divmod(i, self.partitions) for i in group]
            return [(i, q) for i in group for q in range(self.partitions)]
        return None

    def size(self) -> int:
        return len(self.members(self.devices[0]) or [])


def shuffled(stream: Stream, items) -> list:
    items = list(items)
    for i in range(len(items) - 1, 0, -1):
        j = stream.below(i + 1)
        items[i], items[j] = items[j], items[i]
    return items


def divisors(n: int) -> list[int]:
    return [d for d in range(1, n + 1) if n % d == 0]


def equal_groups(stream: Stream, n: int) -> tuple[list[list[int]], str]:
    """Groups of one size, listed or as an iota of two transposed dimensions."""
    size = stream.choice(divisors(n))
    if stream.below(4):
        ids = shuffled(stream, range(n))
        groups = [ids[i:i + size] for i in range(0, n, size)]
        return groups, listed(groups)
    rows = stream.choice(divisors(n))
    columns = n // rows
    ids = [r * columns + c for c in range(columns) for r in range(rows)]
    groups = [ids[i:i + size] for i in range(0, n, size)]
    return groups, f"[{n // size},{size}]<=[{rows},{columns}]T(1,0)"


def free_groups(stream: Stream, n: int) -> tuple[list[list[int]], str]:
    """Groups of any sizes."""
    ids = shuffled(stream, range(n))
    groups: list[list[int]] = []
    while ids:
        size = 1 + stream.below(len(ids))
        groups.append(ids[:size])
        ids = ids[size:]
    return groups, listed(groups)


def some_groups(stream: Stream, n: int) -> tuple[list[list[int]], str]:
    """Groups that leave some ids out; at least one id is in a group. The
    verifier wants ids from 0 on only where all are named."""
    groups, _ = free_groups(stream, n)
    groups = groups[:1 + stream.below(len(groups))]
    return groups, listed(groups)


def listed(groups) -> str:
    return "{" + ",".join("{" + ",".join(map(str, g)) + "}" for g in groups) + "}"


def setting(stream: Stream, modes, draw) -> Setting:
    """A grid of at most eight devices, a mode, and groups as `draw` makes them."""
    replicas = 1 + stream.below(4)
    partitions = 1 + stream.below(8 // replicas if replicas < 4 else 2)
    mode = stream.choice(modes)
    ids = {REPLICAS: replicas, BOTH: replicas, PARTITIONS: partitions,
           GLOBAL: replicas * partitions}[mode]
    groups, text = draw(stream, ids)
    words = [] if mode == REPLICAS else [f"channel_id={1 + stream.below(5)}"]
    if mode == GLOBAL or stream.below(4):
        words.append(f"replica_groups={text}")
    else:
        groups = [list(range(ids))]
    if mode == GLOBAL:
        words.append("use_global_device_ids=true")
    return Setting(replicas, partitions, mode, groups, "".join(f", {w}" for w in words))


def dims_of(stream: Stream, most: int = 3) -> tuple[int, ...]:
    return tuple(1 + stream.below(3) for _ in range(1 + stream.below(most)))


def operands(op: str, number: int, at: Setting, t, dims, name: str = ""):
    """One array for each device, of any bits."""
    return {d: movement.any_bits(op, t, dims, f"{number}_{d}{name}")
            for d in at.devices}


def inputs(at: Setting, *tables) -> list:
    """What the devices get, one device after the other."""
    return [table[d] for d in at.devices for table in tables]


def of_device(at: Setting, *tables) -> list:
    return [table[at.devices[0]] for table in tables]


def case(name: str, statement: str, at: Setting, tables, program: Program,
         results, why: str = "Random", nan: str = "same") -> Case:
    """results[device] is the list of its arrays."""
    expect = [bits(x, nan) for d in at.devices for x in results[d]]
    return Case(name, f"{statement}, {at.words}", program, expect, [why],
                inputs(at, *tables))


def start(at: Setting, *tables) -> Program:
    return Program("m", of_device(at, *tables), at.header)


def random_type(stream: Stream):
    return stream.choice(types.ALL)


def volume(dims) -> int:
    return math.prod(dims)
