"""Random integers that depend on the words that name the stream, and on nothing else."""

from __future__ import annotations

import hashlib
from typing import Sequence, TypeVar

T = TypeVar("T")


class Stream:
    """SHA-256 of the name and a counter, read from the left."""

    def __init__(self, *words: object) -> None:
        self._name = "\x00".join(map(str, words)).encode()
        self._blocks = 0
        self._held = 0
        self._bits = 0

    def bits(self, n: int) -> int:
        while self._bits < n:
            text = self._name + self._blocks.to_bytes(8, "big")
            self._held = self._held << 256 | int.from_bytes(hashlib.sha256(text).digest(), "big")
            self._bits += 256
            self._blocks += 1
        self._bits -= n
        taken = self._held >> self._bits
        self._held &= (1 << self._bits) - 1
        return taken

    def below(self, n: int) -> int:
        return self.bits(n.bit_length() + 32) % n

    def between(self, low: int, high: int) -> int:
        return low + self.below(high - low + 1)

    def one_of(self, items: Sequence[T]) -> T:
        return items[self.below(len(items))]

    def chance(self, n: int) -> bool:
        """True once in n."""
        return self.below(n) == 0
