"""Random numbers seeded by names: adding a case changes no other case."""

import hashlib


class Stream:
    """A stream of integers that depends on the words that name it only."""

    def __init__(self, *words: object) -> None:
        self._key = "/".join(str(word) for word in words).encode()
        self._counter = 0
        self._pool = b""

    def bits(self, n: int) -> int:
        """A uniform integer of n bits."""
        need = (n + 7) // 8
        while len(self._pool) < need:
            block = self._key + b"#" + str(self._counter).encode()
            self._pool += hashlib.sha256(block).digest()
            self._counter += 1
        taken, self._pool = self._pool[:need], self._pool[need:]
        return int.from_bytes(taken, "little") & ((1 << n) - 1)

    def below(self, n: int) -> int:
        """A uniform integer in [0, n); n is far below 2^64."""
        return self.bits(128) % n

    def choice(self, items):
        return items[self.below(len(items))]
