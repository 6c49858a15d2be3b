"""Threefry2x32-20 and Philox4x32-10, from the paper of Salmon et al. (SC 2011).

KNOWN holds answers that the authors publish (kat_vectors of Random123): words
of counter, of key, of result. Importing the module checks them.
"""

from __future__ import annotations

MASK = (1 << 32) - 1
ROTATIONS = (13, 15, 26, 6, 17, 29, 16, 24)
PI = (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344, 0xA4093822, 0x299F31D0)
KNOWN = {
    "threefry": (
        ((0, 0), (0, 0), (0x6B200159, 0x99BA4EFE)),
        ((MASK, MASK), (MASK, MASK), (0x1CB996FC, 0xBB002BE7)),
        (PI[:2], PI[2:4], (0xC4923A9C, 0x483DF7A0)),
    ),
    "philox": (
        ((0,) * 4, (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
        ((MASK,) * 4, (MASK, MASK), (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
        (PI[:4], PI[4:], (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1)),
    ),
}


def threefry(counter, key) -> tuple[int, ...]:
    """Two words of a counter of two and a key of two."""
    keys = [*key, 0x1BD11BDA ^ key[0] ^ key[1]]
    x, y = ((c + k) & MASK for c, k in zip(counter, keys))
    for r in range(20):
        x = (x + y) & MASK
        turn = ROTATIONS[r % 8]
        y = ((y << turn | y >> (32 - turn)) & MASK) ^ x
        if r % 4 == 3:
            g = r // 4 + 1
            x = (x + keys[g % 3]) & MASK
            y = (y + keys[(g + 1) % 3] + g) & MASK
    return x, y


def philox(counter, key) -> tuple[int, ...]:
    """Four words of a counter of four and a key of two."""
    c, k = list(counter), list(key)
    for _ in range(10):
        a, b = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [b >> 32 ^ c[1] ^ k[0], b & MASK, a >> 32 ^ c[3] ^ k[1], a & MASK]
        k = [(k[0] + 0x9E3779B9) & MASK, (k[1] + 0xBB67AE85) & MASK]
    return tuple(c)


def words(x: int, n: int) -> tuple[int, ...]:
    """The n lowest words of 32 bits, lowest first."""
    return tuple(x >> (32 * i) & MASK for i in range(n))


for _name, _function in (("threefry", threefry), ("philox", philox)):
    for _counter, _key, _result in KNOWN[_name]:
        assert _function(_counter, _key) == _result, _name
