"""Pairs of sources and targets, for collective-permute and channels."""

from __future__ import annotations

from assaygen import arrays, collectives as c


def drawn(stream, n: int) -> list[tuple[int, int]]:
    """Some ids, each to another place or its own; none sends or receives twice."""
    count = 1 + stream.below(n)
    sources = c.shuffled(stream, range(n))[:count]
    return list(zip(sources, c.shuffled(stream, range(n))[:count]))


def moved(at: c.Setting, table, pairs, t, dims) -> dict:
    """Each device has what its source has, or zeros."""
    zeros = arrays.build(t, dims, lambda _: (0, 0) if t.kind == "complex" else 0)
    results = {}
    for r, p in at.devices:
        mine = r if at.mode == c.REPLICAS else p
        source = [s for s, target in pairs if target == mine]
        results[r, p] = [zeros]
        if source:
            results[r, p] = [table[
                (source[0], p) if at.mode == c.REPLICAS else (r, source[0])]]
    return results
