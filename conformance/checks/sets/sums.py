"""Sums: the sets of conformance.md, Sums and Accumulation, for the terms of one element."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from elementwise import nan_code, with_axes
from formats import NAN, TYPES, Real, Type, first_place, infinity, last_place, number, power_of_two

from profiles import Profile
from valuesets import Between, ValueSet, finite_between, nan_of, rounded

FACTOR = 1 + Fraction(1, 64)
ROOM = Fraction(1, 1 << 38)  # the program computes bounds in doubles, rounded upward
WIDE = ("wide-any", "strict-out", "f32-rn")


@dataclass(frozen=True)
class Terms:
    """The terms of one sum. `quantum` divides all elements of the operands it comes from, or
    the product of both operands'; None where they have none."""

    terms: tuple[Real, ...]
    quantum: Fraction | None
    products: bool = False
    narrowed: int = 0  # operands with more precision than the result
    flushed: Fraction = Fraction(0)  # what a product may lose where a factor is flushed
    is_normal: bool = True  # the quantum of each operand is no less than its least normal number
    operand: Type = TYPES["f32"]  # of the factors on the left
    is_loose: bool = False  # products of two small errors count, too
    flushed_to_nan: bool = False  # zero for a factor, beside an infinity


def quantum_of(elements: list[Real]) -> Fraction | None:
    """The greatest power of two that divides all the numbers; None if there is none but 0."""
    exponents = [_trailing(x.value) for x in elements if x.is_number and x.value != 0]
    return power_of_two(min(exponents)) if exponents else None


def _trailing(x: Fraction) -> int:
    top = abs(x.numerator)
    return (top & -top).bit_length() - x.denominator.bit_length()


def sum_set(t: Type, readings: list[Terms], profile: Profile) -> ValueSet | Between:
    """What the sum may be; where it has an interval, with a little room for its ends. The first
    reading is the reference's."""
    reference = nan_code(t, exact_sum(readings[0].terms))
    if profile.exact_sums:
        readings = readings[:1]
    inner, outer = ValueSet(), ValueSet()
    for of in readings:
        inner.join(_sum_set(t, of, profile, -ROOM))
        outer.join(_sum_set(t, replace(of, is_loose=True), profile, ROOM))
    inner = with_axes(t, inner, profile, [], reference)
    outer = with_axes(t, outer, profile, [], reference)
    return inner if inner == outer else Between(inner, outer)


def exact_sum(terms: tuple[Real, ...]) -> Real:
    signs = {x.negative for x in terms if x.kind == "infinite"}
    if any(x.kind == "nan" for x in terms) or len(signs) == 2:
        return NAN
    if signs:
        return infinity(signs.pop())
    return number(sum((x.value for x in terms), Fraction(0)))


def _sum_set(t: Type, of: Terms, profile: Profile, room: Fraction) -> ValueSet:
    found = _unflushed_set(t, of, profile, room)
    return found.join(nan_of(t)) if of.flushed_to_nan and not profile.exact_sums else found


def _unflushed_set(t: Type, of: Terms, profile: Profile, room: Fraction) -> ValueSet:
    if any(x.kind != "number" for x in of.terms):
        return rounded(t, exact_sum(of.terms)) if profile.exact_sums else _special(t, of)
    numbers = [x.value for x in of.terms if x.value != 0]
    total = sum(numbers, Fraction(0))
    once = _rounded_once(t, of, total)
    if profile.exact_sums:
        return rounded(t, number(0, not of.products and once == ValueSet([(-1, 0)]))
                       ) if total == 0 else once
    flushes = profile.daz or profile.ftz
    alone = len(numbers) <= 1 and not of.products and not flushes
    if alone or _is_exact(t, of, numbers, profile):
        return once
    error = error_of(t, of, numbers, profile)
    error = max(error + error * room + (2 if room > 0 else -2) * TYPES["f64"].least_positive, 0)
    found = finite_between(t, total - error, total + error).join(once)
    if room < 0 and total - error == 0 and t.has_negative_zero:  # whether -0 lies in it is open
        found = ValueSet().add(0, found.ranges[-1][1])
    if t.family == "e8m0" and total - error <= 0:
        found.add_nan()
    if of.products and total == 0 and t.has_negative_zero:
        found.add(-1, 0)
    _overflow(t, found, numbers, error, growth_of(t, of, numbers, profile))
    return found


def _special(t: Type, of: Terms) -> ValueSet:
    """Infinities and NaN among the terms; what has the other sign may overflow on the way."""
    signs = {x.negative for x in of.terms if x.kind == "infinite"}
    if any(x.kind == "nan" for x in of.terms) or len(signs) == 2:
        return nan_of(t)
    negative = signs.pop()
    found = rounded(t, infinity(negative))
    other = sum((abs(x.value) for x in of.terms if x.is_number and x.negative != negative),
                Fraction(0))
    growth = 1 + (sum(not x.is_zero for x in of.terms) + 1) * t.unit
    return found.add_nan() if growth * other > t.greatest and t.has_nan else found


def _rounded_once(t: Type, of: Terms, total: Fraction) -> ValueSet:
    """The exact sum; a zero has either sign where all terms are -0, or are products."""
    if total != 0:
        return rounded(t, number(total))
    all_negative = all(x.is_zero and x.negative for x in of.terms) and bool(of.terms)
    if (all_negative or of.products) and t.has_negative_zero:
        return ValueSet([(-1, 0)])
    return rounded(t, number(0))


def _is_exact(t: Type, of: Terms, numbers: list[Fraction], profile: Profile) -> bool:
    """Every partial sum of every order is a code."""
    size = sum(map(abs, numbers), Fraction(0))
    if of.quantum is None:
        return size == 0
    if of.narrowed or profile.axis("accumulation") not in WIDE:
        return False
    flushes = profile.daz or profile.ftz
    floor = t.least_normal if flushes else t.least_positive
    if size == 0:
        return True
    if flushes and not of.is_normal:
        return False
    if of.quantum < floor:
        return False
    return size <= of.quantum * power_of_two(t.precision) and size <= t.greatest


def error_of(t: Type, of: Terms, numbers: list[Fraction], profile: Profile) -> Fraction:
    """E, of any accumulation; each term, each factor and partial sum may be flushed."""
    size = sum(map(abs, numbers), Fraction(0))
    n = len(numbers)
    k = n if of.products else max(n - 1, 0)
    if profile.axis("accumulation") == "wide-any":
        relative = k * t.unit
        relative += narrowing(t, of) * (1 + relative)
        error = relative * size * FACTOR + (n * t.least_positive if of.products else 0)
    else:
        error = accumulated(t, of, numbers, profile.axis("accumulation"))
    if profile.daz or profile.ftz:
        error += ((3 * n + 1) * t.least_normal if n else 0) + of.flushed * len(of.terms)
    return error


def narrowing(t: Type, of: Terms) -> Fraction:
    """By what share of it a term may differ whose operands are narrowed, or are not."""
    return (1 + t.unit) ** of.narrowed - 1


def growth_of(t: Type, of: Terms, numbers: list[Fraction], profile: Profile) -> Fraction:
    """g: by how much partial sums may exceed those of exact arithmetic."""
    growth = 1 + (len(numbers) + 1) * (t.unit + narrowing(t, of))
    if profile.axis("accumulation") == "wide-any":
        return growth
    relative, unit = share_of(t, of, len(numbers), profile.axis("accumulation"))
    return growth * (1 + relative + unit)


def _overflow(t: Type, found: ValueSet, numbers: list[Fraction], error: Fraction,
              growth: Fraction) -> None:
    """Overflow on the way."""
    up = sum((x for x in numbers if x > 0), Fraction(0))
    down = -sum((x for x in numbers if x < 0), Fraction(0))
    above, below = growth * up > t.greatest, growth * down > t.greatest
    if t.family == "finite":
        if above and down:
            found.join(finite_between(t, t.greatest - down - error, up - down))
        if below and up:
            found.join(finite_between(t, up - down, up - t.greatest + error))
        return
    if not t.has_infinity:
        if above or below:
            found.add_nan()
        return
    if above:
        found.add(last_place(t), last_place(t))
    if below:
        found.add(first_place(t), first_place(t))
    if above and below:
        found.add_nan()


UNITS = {"f32-tc": ((4, 23), (8, 23), (16, 23)), "fp8-fast": ((16, 13), (32, 13))}
CUT = {"tf32": Fraction(2, 1 << 10), "bf16x1": Fraction(2, 1 << 8), "bf16x3": Fraction(3, 1 << 16),
       "bf16x6": Fraction(1, 1 << 22), "bf16x9": Fraction(1, 1 << 22)}


def share_of(t: Type, of: Terms, n: int, accumulation: str) -> tuple[Fraction, Fraction]:
    """The error of an accumulation as a share of A, and the unit of its accumulator."""
    k = n if of.products else max(n - 1, 0)
    finer = accumulation != "strict-out" and t.precision < 24
    unit = Fraction(1, 1 << 24) if finer else t.unit
    share = k * unit
    if not of.products or accumulation in WIDE:
        return share, unit
    is_f32 = of.operand is TYPES["f32"]
    lost = CUT.get(accumulation, Fraction(0)) if is_f32 else Fraction(0)
    lost += lost * lost if of.is_loose else 0
    if lost or (not is_f32 and of.operand.bits < 32):
        rows = UNITS.get(accumulation, UNITS["f32-tc"])
        share = max(share, *(_block_share(n, b, f) for b, f in rows))
    return lost + share * (1 + lost), unit


def _block_share(n: int, block: int, bits: int) -> Fraction:
    """What a matrix unit loses, and what it loses of that again."""
    each = Fraction(2 * (block + 1), 1 << bits) + Fraction(1, 1 << min(bits, 23))
    lost = -(-n // block) * each
    return lost * (1 + lost)


def accumulated(t: Type, of: Terms, numbers: list[Fraction], accumulation: str) -> Fraction:
    """E under an accumulation that is named, with one more rounding to the result."""
    n = len(numbers)
    size = sum(map(abs, numbers), Fraction(0))
    total = abs(sum(numbers, Fraction(0)))
    relative, unit = share_of(t, of, n, accumulation)
    least = TYPES["f32"].least_positive if unit < t.unit else t.least_positive
    error = size * (relative + narrowing(t, of) * (1 + relative + unit))
    error += n * least if of.products else 0
    if unit < t.unit:
        error += t.unit * (total + error) + t.least_positive / 2
    return error
