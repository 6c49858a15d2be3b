"""Classes of numbers that make sums go wrong: what is added up along one line."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from assaygen import types, values
from assaygen.streams import Stream
from assaygen.types import Type

MANY = 72  # numbers of their own in a line, and fewer in a long one, the rest of which is
# written in few words
EDGES = (0, -1, 127, 128, 255, 256, 31, 32, 1023, 1024, 7, 8, 4095, 4096, 63, 64, 511, 512)


def room(t: Type) -> int:
    """How many terms a sum may have whose bound still says something."""
    return max(2, 1 << min(t.mantissa - 1, 12)) if t.mantissa > 1 else 2


def encoded(t: Type, numbers) -> list[int]:
    return [types.encode(t, values.number(x)) for x in numbers]


def places(n: int, count: int, stream: Stream) -> list[int]:
    """Different places in a line of n: its ends, edges of tiles and blocks, and others."""
    some = [e % n for e in EDGES if -n <= e < n]
    found = list(dict.fromkeys(some[stream.below(2):]))[:max(count - 1, 1)]
    while len(found) < min(count, n):
        place = stream.below(n)
        if place not in found:
            found.append(place)
    return found


def spread(t: Type, n: int, codes: list[int], stream: Stream, fill: bool = False) -> list[int]:
    """The codes at some places of a line; the rest are zeros, or ones of which as many
    are negative, where the type has room for them."""
    if len(codes) >= n:
        return codes[:n]
    line = [0] * n
    if fill and room(t) >= n:
        one = t.bias << t.mantissa
        line = [one] * (n // 2) + [one | t.sign_mask] * (n - n // 2)
    for place, code in zip(sorted(places(n, len(codes), stream)), codes):
        line[place] = code
    return line


def few(t: Type, n: int) -> int:
    return max(1, min(n, room(t), MANY if n <= 129 else MANY // 3))


def power(t: Type, e: int) -> Fraction:
    """2^e, or the nearest power of two that the type has."""
    top = types.floor_log2(types.decode(t, t.max_finite).exact)
    return Fraction(2) ** max(min(e, top), t.min_exponent - t.mantissa)


def most(t: Type) -> Fraction:
    return types.decode(t, t.max_finite).exact


def near_one(t: Type, stream: Stream) -> int:
    code = (t.bias << t.mantissa) + stream.below(1 << t.mantissa)
    return code | (t.sign_mask if stream.bits(1) else 0)


def ones(t: Type, n: int, stream: Stream) -> list[int]:
    count = n if t.mantissa >= 7 else min(n, 2 << t.mantissa)
    return spread(t, n, encoded(t, [1] * count), stream)


def alternating(t: Type, n: int, stream: Stream) -> list[int]:
    count = n if room(t) >= n and n <= 129 else few(t, n)
    return spread(t, n, encoded(t, [(-1) ** k for k in range(count)]), stream, True)


def absorbed(t: Type, n: int, stream: Stream) -> list[int]:
    """2^p, ones that it swallows, and -2^p."""
    big = power(t, t.mantissa + 1)
    count = n if room(t) >= n else few(t, n)
    return spread(t, n, encoded(t, [big, *[1] * max(count - 2, 0), -big]), stream)


def geometric(t: Type, n: int, stream: Stream) -> list[int]:
    count = min(few(t, n), 1 - t.min_exponent + t.mantissa)
    return spread(t, n, encoded(t, [Fraction(1, 1 << k) for k in range(count)]), stream)


def moving_spike(t: Type, n: int, stream: Stream) -> list[int]:
    """One huge number among some near 1."""
    codes = [near_one(t, stream) for _ in range(few(t, n))]
    codes[stream.below(len(codes))] = encoded(t, [power(t, t.mantissa + 3)])[0]
    return spread(t, n, codes, stream, True)


def cancelled(t: Type, n: int, stream: Stream) -> list[int]:
    """Numbers of many sizes and their opposites, in any order: exactly zero."""
    half, reach = max(few(t, n) // 2, 1), min(t.bias - 2, 3 * t.mantissa)
    codes = [max(t.bias - reach + stream.below(2 * reach + 1), 0) << t.mantissa
             | stream.below(1 << t.mantissa) for _ in range(half)]
    both = codes + [code | t.sign_mask for code in codes]
    order = sorted(range(len(both)), key=lambda _: stream.bits(32))
    return spread(t, n, [both[k] for k in order if n > 1], stream)


def parts(t: Type, n: int, whole: int, stream: Stream) -> list[int]:
    """Multiples of a unit whose magnitudes add up to so many units."""
    count = max(1, min(few(t, n), whole))
    each, rest = divmod(whole, count)
    sizes = [each + (k < rest) for k in range(count)]
    for k in range(1, count, 2):
        moved = stream.below(min(sizes[k], sizes[k - 1]))
        sizes[k], sizes[k - 1] = sizes[k] - moved, sizes[k - 1] + moved
    unit = Fraction(1, 1 << t.mantissa)
    return encoded(t, [size * unit * (1 - 2 * stream.bits(1)) for size in sizes])


def last_exact(t: Type, n: int, stream: Stream) -> list[int]:
    return spread(t, n, parts(t, n, 2 << t.mantissa, stream), stream)


def first_inexact(t: Type, n: int, stream: Stream) -> list[int]:
    return spread(t, n, parts(t, n, (2 << t.mantissa) + 1, stream), stream)


def overflow_on_the_way(t: Type, n: int, stream: Stream) -> list[int]:
    return spread(t, n, [t.max_finite, t.max_finite, t.max_finite | t.sign_mask], stream)


def overflow(t: Type, n: int, stream: Stream) -> list[int]:
    """Twice the largest number, in equal parts."""
    count = few(t, n)
    return spread(t, n, encoded(t, [min(most(t), 2 * most(t) / count)] * count), stream)


def just_below_overflow(t: Type, n: int, stream: Stream) -> list[int]:
    """Halves of what is left, up to the largest number or close to it."""
    count = min(few(t, n), t.mantissa + 1)
    unit = power(t, 2000) / (1 << t.mantissa)
    return spread(t, n, encoded(t, [unit * (1 << t.mantissa - k) for k in range(count)]), stream)


def infinity(t: Type, n: int, stream: Stream) -> list[int]:
    return special(t, n, [t.max_finite + 1], stream)


def infinities(t: Type, n: int, stream: Stream) -> list[int]:
    return special(t, n, [t.max_finite + 1, t.max_finite + 1 | t.sign_mask], stream)


def not_a_number(t: Type, n: int, stream: Stream) -> list[int]:
    return special(t, n, [t.nan], stream)


def special(t: Type, n: int, codes: list[int], stream: Stream) -> list[int]:
    """Some numbers near 1, and the codes at an end or at an edge of a tile."""
    line = spread(t, n, [near_one(t, stream) for _ in range(few(t, n) // 2)], stream, True)
    for code in codes:
        line[stream.choice(places(n, 6, stream))] = code
    return line


def negative_zeros(t: Type, n: int, stream: Stream) -> list[int]:
    return [t.sign_mask] * n


def subnormals(t: Type, n: int, stream: Stream) -> list[int]:
    codes = [1 + stream.below(max((1 << t.mantissa) - 1, 1)) | (
        t.sign_mask if stream.bits(1) else 0) for _ in range(few(t, n))]
    return spread(t, n, codes, stream)


def near_ones(t: Type, n: int, stream: Stream) -> list[int]:
    return spread(t, n, [near_one(t, stream) for _ in range(few(t, n))], stream, True)


def many_sizes(t: Type, n: int, stream: Stream) -> list[int]:
    """Exponents drawn from as far apart as a sum sees."""
    reach = min(t.mantissa + 3, t.bias - 1)
    codes = [max(t.bias + stream.below(2 * reach + 1) - reach, 0) << t.mantissa
             | stream.below(1 << t.mantissa) | (t.sign_mask if stream.bits(1) else 0)
             for _ in range(few(t, n))]
    return spread(t, n, codes, stream)


CLASSES: dict[str, Callable[[Type, int, Stream], list[int]]] = {
    f.__name__: f for f in (
        ones, alternating, absorbed, geometric, moving_spike, cancelled, last_exact,
        first_inexact, overflow_on_the_way, overflow, just_below_overflow, infinity,
        infinities, not_a_number, negative_zeros, subnormals, near_ones, many_sizes)
}
SAFE = [name for name in CLASSES if name not in (
    "overflow_on_the_way", "overflow", "just_below_overflow", "infinity", "infinities",
    "not_a_number", "negative_zeros")]


def fits(t: Type, name: str, n: int) -> bool:
    """Whether a type has the numbers of a class, and a line the room."""
    if name in ("infinity", "infinities"):
        return t.specials == "ieee" and n > (name == "infinities")
    if name == "not_a_number":
        return t.nan is not None and n > 0
    if name == "negative_zeros":
        return t.specials not in ("fnuz", "e8m0") and n > 0
    if name == "subnormals":
        return t.mantissa > 0 and n > 0
    return n > 0
