"""The set of what one element may be: ranges of places, and NaNs (conformance.md, Sets)."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from formats import (
    Real, Type, code_at, decode, encode, first_place, is_signaling, last_place, number, place,
    place_from, place_to)

MOST = 4  # ranges: one, and at most three further ones
ANY = "any"


@dataclass
class ValueSet:
    """Ranges of places, in order and apart, and NaNs: None, "any" quiet one, or these codes, and
    `signaling` ones besides. In types whose NaNs have no payload any one is all."""

    ranges: list[tuple[int, int]] = field(default_factory=list)
    nan: str | frozenset[int] | None = None
    signaling: frozenset[int] = frozenset()

    @property
    def has_nan(self) -> bool:
        return self.nan is not None or bool(self.signaling)

    def add(self, low: int, high: int) -> "ValueSet":
        """Adds a range, if it has any place."""
        if low <= high:
            merged: list[tuple[int, int]] = []
            for a, b in sorted([*self.ranges, (low, high)]):
                if merged and a <= merged[-1][1] + 1:
                    merged[-1] = (merged[-1][0], max(b, merged[-1][1]))
                else:
                    merged.append((a, b))
            self.ranges = merged
        return self

    def add_nan(self) -> "ValueSet":
        self.nan = ANY
        return self

    def add_code(self, t: Type, code: int) -> "ValueSet":
        """Adds a NaN."""
        if t.family not in ("ieee", "fn"):
            self.nan = ANY
        elif is_signaling(t, code):
            self.signaling |= {code}
        elif self.nan != ANY:
            self.nan = (self.nan or frozenset()) | {code}
        return self

    def join(self, other: "ValueSet") -> "ValueSet":
        for low, high in other.ranges:
            self.add(low, high)
        self.signaling |= other.signaling
        if ANY in (self.nan, other.nan):
            self.nan = ANY
        elif other.nan is not None:
            self.nan = other.nan | (self.nan or frozenset())
        return self

    def holds(self, t: Type, code: int) -> bool:
        if decode(t, code).kind != "nan":
            where = place(t, code)
            return any(low <= where <= high for low, high in self.ranges)
        if is_signaling(t, code):
            return code in self.signaling
        return self.nan == ANY or code in (self.nan or ())

    def limited(self) -> "ValueSet":
        """Joins the nearest ranges where there are more than are kept."""
        ranges = list(self.ranges)
        while len(ranges) > MOST:
            k = min(range(len(ranges) - 1), key=lambda i: ranges[i + 1][0] - ranges[i][1])
            ranges[k:k + 2] = [(ranges[k][0], ranges[k + 1][1])]
        return ValueSet(ranges, self.nan, self.signaling)


@dataclass
class Between:
    """Bounds of real numbers that the program rounds outward: its set holds `inner`, and lies in
    `outer`, of which the bound is a little larger."""

    inner: ValueSet
    outer: ValueSet


def covers(big: ValueSet, small: ValueSet) -> bool:
    """Whether each value of the one is in the other."""
    if not small.signaling <= big.signaling:
        return False
    if small.nan is not None and big.nan != ANY:
        if small.nan == ANY or not small.nan <= (big.nan or frozenset()):
            return False
    return all(any(a <= low and high <= b for a, b in big.ranges) for low, high in small.ranges)


def agrees(mine: "ValueSet | Between | None", theirs: "ValueSet | None") -> bool:
    if mine is None or theirs is None:
        return mine is theirs
    if isinstance(mine, Between):
        return covers(theirs, mine.inner) and covers(mine.outer.limited(), theirs)
    return mine.limited() == theirs


def single(t: Type, code: int) -> ValueSet:
    """The code, as an operation that moves data leaves it."""
    if t.kind == "float" and decode(t, code).kind == "nan":
        return ValueSet().add_code(t, code)
    return ValueSet([(place(t, code),) * 2])


def computed(t: Type, code: int) -> ValueSet:
    """The code, or any quiet NaN where it is one."""
    if t.kind == "float" and decode(t, code).kind == "nan":
        return ValueSet([], ANY)
    return single(t, code)


def nan_of(t: Type) -> ValueSet:
    """A computed NaN: its sign is open, which matters where a zero stands for it."""
    if t.family == "finite":
        return ValueSet([(-1, 0)])
    return ValueSet([], ANY)


def rounded(t: Type, x: Real) -> ValueSet:
    """The value, rounded once."""
    return nan_of(t) if x.kind == "nan" else computed(t, encode(t, x))


def finite_between(t: Type, low: Fraction, high: Fraction) -> ValueSet:
    """All finite numbers of the interval; in f8e8m0fnu the least one stands for all below it."""
    first = max(place_from(t, low), first_place(t) + t.has_infinity)
    last = min(place_to(t, high), t.greatest_code)
    return ValueSet().add(first, max(last, 0) if t.family == "e8m0" and high > 0 else last)


def around(t: Type, exact: Fraction, error: Fraction) -> ValueSet:
    """What is at most so far away from the rounded value of a finite number."""
    code = encode(t, number(exact))
    value = decode(t, code).value
    return finite_between(t, value - error, value + error).join(computed(t, code))


def everything(t: Type) -> ValueSet:
    whole = ValueSet([(first_place(t), last_place(t))])
    return whole.add_nan() if t.has_nan else whole


def describe(t: Type, s: "ValueSet | Between | None") -> str:
    if isinstance(s, Between):
        return f"{describe(t, s.inner)} (at most {describe(t, s.outer)})"
    if s is None:
        return "unspecified"
    words = [
        f"{code_at(t, low):0{t.digits}x}..{code_at(t, high):0{t.digits}x}"
        for low, high in s.ranges]
    words += ["any NaN"] if s.nan == ANY else [f"{c:0{t.digits}x}" for c in s.nan or ()]
    words += [f"{code:0{t.digits}x}" for code in s.signaling]
    return " or ".join(words) or "nothing"
