"""Codes of complex numbers and of their parts: special ones of both signs, NaN
payloads among them, against each other."""

from __future__ import annotations

from assaygen import pools
from assaygen.streams import Stream
from assaygen.types import Type


def pairs(part: Type, stream: Stream, count: int = 48) -> list[tuple[int, int]]:
    """(re, im): each special code once on either side, then random bits."""
    special = pools.float_specials(part)
    n = len(special)
    found = [(special[i], special[(i * 7 + 3) % n]) for i in range(n)]
    found += [(special[(i * 5 + 1) % n], special[i]) for i in range(n)]
    found += [(stream.bits(part.bits), stream.bits(part.bits)) for _ in range(count)]
    return found
