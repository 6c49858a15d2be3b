"""Windows of an array at places that index vectors name: gather and scatter from
their definitions (spec/ops/gather.md, spec/ops/scatter.md)."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

from assaygen import arrays, collectives, types
from assaygen.arrays import Array
from assaygen.streams import Stream
from assaygen.types import Type

INDEX_TYPES = [t for t in types.INTS if t.bits >= 8]


@dataclass(frozen=True)
class Numbers:
    """Gather's names; scatter calls offset update_window, collapsed inserted, and the
    slices it puts in windows."""

    dims: tuple[int, ...]  # of the operand
    starts: tuple[int, ...]  # dimensions of the index array
    offset: list[int]
    collapsed: list[int]
    start_map: list[int]
    vector: int
    sizes: list[int]
    operand_batching: list[int]
    start_batching: list[int]

    def batch_sizes(self) -> list[int]:
        return [d for k, d in enumerate(self.starts) if k != self.vector]

    def kept(self) -> list[int]:
        """The operand's dimensions along which a slice extends."""
        out = {*self.collapsed, *self.operand_batching}
        return [d for d in range(len(self.dims)) if d not in out]

    def slices(self) -> tuple[int, ...]:
        """The dimensions of gather's result and of scatter's updates."""
        batch, kept = iter(self.batch_sizes()), iter(self.sizes[d] for d in self.kept())
        total = len(self.batch_sizes()) + len(self.offset)
        return tuple(next(kept) if k in self.offset else next(batch) for k in range(total))

    def parts(self, index) -> tuple[list[int], list[int]]:
        """The number of the slice, and the place within."""
        return ([x for k, x in enumerate(index) if k not in self.offset],
                [x for k, x in enumerate(index) if k in self.offset])

    def whole(self, batch, within) -> tuple[int, ...]:
        """The index with these parts."""
        number, place = iter(batch), iter(within)
        total = len(batch) + len(within)
        return tuple(next(place) if k in self.offset else next(number) for k in range(total))

    def targets(self, indices: Array) -> dict:
        """For each element of the operand that is updated, the indices of its updates,
        window after window. A window that does not lie inside as a whole has none."""
        found: dict = {}
        kept = self.kept()
        extents = [self.sizes[d] if d in kept else 1 for d in range(len(self.dims))]
        for batch in itertools.product(*map(range, self.batch_sizes())):
            start = self.start(indices, list(batch))
            if not all(0 <= s <= d - e for s, d, e in zip(start, self.dims, extents)):
                continue
            for within in itertools.product(*(range(extents[d]) for d in kept)):
                place = self.element(start, within)
                found.setdefault(place, []).append(self.whole(batch, within))
        return found

    def start(self, indices: Array, batch: list[int]) -> list[int]:
        """Where a slice begins, as the index vector says, in bounds or not."""
        place = [0] * len(self.dims)
        for k, d in enumerate(self.start_map):
            vectors = self.vector < len(self.starts)
            at = batch[:self.vector] + [k] + batch[self.vector:] if vectors else batch
            place[d] = indices.type.integer(indices.at(at))
        for d, b in zip(self.operand_batching, self.start_batching):
            place[d] = batch[b - (1 if b > self.vector else 0)]
        return place

    def element(self, start: list[int], within: list[int]) -> tuple[int, ...]:
        place = list(start)
        for d, x in zip(self.kept(), within):
            place[d] += x
        return tuple(place)


def listed(numbers) -> str:
    return "{" + ",".join(map(str, numbers)) + "}"


def _places(stream: Stream, count: int, total: int) -> list[int]:
    return sorted(collectives.shuffled(stream, range(total))[:count])


def draw(stream: Stream, unused=False) -> Numbers:
    """Roles of the operand's dimensions, the order of the index array's, and where
    slices extend in the result. With `unused` slices of size 0 are drawn, too."""
    rank = stream.below(4) + 1
    dims = tuple(stream.below(4) + 1 for _ in range(rank))
    roles = [stream.below(5) for _ in dims]  # 0, 1: collapsed; 2: batching
    collapsed = [d for d in range(rank) if roles[d] < 2]
    batching = [d for d in range(rank) if roles[d] == 2]
    free = [d for d in range(rank) if d not in batching]
    mapped = collectives.shuffled(stream, free)[:stream.below(len(free) + 1)]
    sizes = [min(1, dims[d]) if roles[d] <= 2 else dims[d] - stream.below(dims[d] + unused)
             for d in range(rank)]
    batch = [1 + stream.below(3) for _ in range(stream.below(3))]
    order = collectives.shuffled(stream, [*(("plain", n) for n in batch),
                                          *((d, dims[d]) for d in batching)])
    implicit = len(mapped) == 1 and stream.below(3) == 0
    vector = len(order) if implicit else stream.below(len(order) + 1)
    if not implicit:
        order.insert(vector, ("vector", len(mapped)))
    names = [name for name, _ in order]
    kept = rank - len(collapsed) - len(batching)
    offset = _places(stream, kept, kept + len(batch) + len(batching))
    return Numbers(dims, tuple(n for _, n in order), offset, collapsed, mapped, vector,
                   sizes, batching, [names.index(d) for d in batching])


def indices(numbers: Numbers, t: Type, stream: Stream, far=True) -> Array:
    """Starts around the operand: most of them inside, unless `far` is false all."""
    rooms = [numbers.dims[d] - numbers.sizes[d] for d in numbers.start_map]

    def element(at):
        vectors = numbers.vector < len(numbers.starts)
        room = rooms[at[numbers.vector] if vectors else 0]
        if far and stream.below(8) == 0:
            return t.wrap(stream.choice([t.low, t.high, room + 1, -1]))
        return t.wrap(stream.below(room + 1))
    return arrays.build(t, numbers.starts, element)
