"""Elements in arrays of any size, so that the text of large arrays stays short."""

from __future__ import annotations

from assaygen.streams import Stream

DENSE = 130  # elements of which each is drawn; larger arrays have runs of equal ones
RUNS = 48


def places(count: int, choices: int, stream: Stream, dense: int = DENSE) -> list[int]:
    """Which of so many choices stands at each place. In a large array runs of equal ones
    have lengths of all sizes, so that they end anywhere in what is done at a time."""
    if count <= dense:
        return [stream.below(choices) for _ in range(count)]
    found: list[int] = []
    while len(found) < count:
        wide = stream.below(4) == 0
        length = 1 + stream.below(max(2 * count // RUNS * 3, 4) if wide else 4)
        found += [stream.below(choices)] * length
    return found[:count]


def marks(count: int, choices: int, stream: Stream) -> list[int]:
    """The same for movements: in a large array most places have choice 0, and single ones
    others, so that they stay single wherever elements go."""
    if count <= DENSE:
        return [stream.below(choices) for _ in range(count)]
    found = [0] * count
    for edge in (0, 1, 511, 512, 4095, 4096, 65535, 65536, count - 2, count - 1):
        if edge < count:
            found[edge] = 1 + stream.below(choices - 1)
    for _ in range(RUNS):
        found[stream.below(count)] = 1 + stream.below(choices - 1)
    return found
