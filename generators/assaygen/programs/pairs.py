"""Pairs of sources and targets, for collective-permute and channels."""

from __future__ import annotations

from assaygen import arrays, collectives as c


def drawn(stream, n: int) -> list[tuple[int, int]]:
    """Some ids, each to another place or its own; none sends or receives twice."""
    count = 1 + stream.below(n)
    sources = c.shuffled(stream, range(n))[:count]
    return list(zip(sources, c.shuffled(stream, range(n))[:count]))


def source(at: c.Setting, device, pairs):
    """The device that sends to this one, or None."""
    r, p = device
    mine = r if at.mode == c.REPLICAS else p
    for s, target in pairs:
        if target == mine:
            return (s, p) if at.mode == c.REPLICAS else (r, s)
    return None


def moved(at: c.Setting, table, pairs, t, dims) -> dict:
    """Each device has what its source has, or zeros."""
    zeros = arrays.build(t, dims, lambda _: (0, 0) if t.kind == "complex" else 0)
    results = {}
    for device in at.devices:
        sender = source(at, device, pairs)
        results[device] = [zeros if sender is None else table[sender]]
    return results
