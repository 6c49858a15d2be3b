"""Factors whose product lies beside the middle of two codes, nearer than a pair of doubles
tells."""

from __future__ import annotations

from fractions import Fraction

from assaygen import types, values
from assaygen.types import Type

BELOW = (7, 7, 31, 71, 127, 151, 337, 29191, 106681, 122921, 152041)  # 2^105 - 1
ABOVE = (3, 3, 11, 43, 211, 281, 331, 5419, 86171, 664441, 1564921)  # 2^105 + 1
NEARER = (3, 3, 5, 7, 13, 23, 67, 89, 397, 683, 2113, 20857, 312709, 599479, 4327489)  # 2^132 - 1
# Numbers half-way between two codes: the even one is below the first, and above the second.
MIDDLES = {
    "f32": ((97, 257, 673), (1549, 10831)),  # 2^24 + 1 and + 3
    "f64": ((3, 107, 28059810762433), (5, 7, 11, 1187, 19709623201)),  # 2^53 + 1 and + 3
}
LENGTH = 20


def scaled(t: Type, factor: int) -> int:
    """The code of the factor's significand, from 1 to 2."""
    return types.encode(t, values.number(Fraction(factor, 1 << (factor.bit_length() - 1))))


def rows(t: Type) -> list[list[int]]:
    """Both middles and what is beside each, from both ends and with both signs: a product
    of pairs of doubles errs otherwise in each order."""
    found = []
    for middle in MIDDLES[t.name]:
        for beside in ((), BELOW, ABOVE, NEARER):
            codes = [scaled(t, x) for x in (*middle, *beside)]
            for ordered in (codes, codes[::-1]):
                found.append(ordered + [scaled(t, 1)] * (LENGTH - len(codes)))
    return [[row[0] ^ (t.sign_mask if i % 3 == 0 else 0), *row[1:]] for i, row in enumerate(found)]
