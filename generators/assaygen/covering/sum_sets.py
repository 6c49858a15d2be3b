"""Sets of sums in any order, with overflow, infinities, NaN and zeros of both signs
(spec/conformance.md, Sums)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from assaygen import sums, types, values
from assaygen.arrays import Array
from assaygen.cases import bits, interval
from assaygen.types import Type


@dataclass(frozen=True)
class Range:
    """The rounded value, the ends of what any order may give, and what else it may be:
    single codes (infinities) and NaN."""

    code: int
    low: int
    high: int
    also: tuple[int, ...] = ()
    nan: bool = False

    @property
    def is_one(self) -> bool:
        return self.low == self.high == self.code and not self.also and not self.nan


def single(code: int) -> Range:
    return Range(code, code, code)


@lru_cache(maxsize=1 << 16)
def steps(t: Type, code: int) -> int | str:
    """A number as a multiple of the least one of its type; or nan, inf, -inf."""
    if t.kind == "int":
        return t.integer(code)
    value = types.decode(t, code)
    if value.kind in ("nan", "inf"):
        return "nan" if value.is_nan else "inf" if value.sign > 0 else "-inf"
    return int(value.exact / least(t))


@lru_cache(maxsize=64)
def least(t: Type) -> Fraction:
    """What all numbers of a type are multiples of; of f8e8m0fnu its own least one."""
    if t.kind == "int":
        return Fraction(1)
    return types.decode(t, 0 if t.specials == "e8m0" else 1).exact


def of_elements(t: Type, codes: list[int]) -> Range:
    """The sum of elements, the initial value among them."""
    found = [steps(t, code) for code in codes]
    names = {x for x in found if isinstance(x, str)}
    if names:
        return special(t, names)
    if t.sign_mask and t.specials != "fnuz" and all(code == t.sign_mask for code in codes):
        return Range(t.sign_mask, t.sign_mask, 0)  # some begin with +0
    return of_numbers(t, found, least(t), products=False)


def of_products(kinds: tuple[Type, Type, Type], pairs: list[tuple[int, int]]) -> Range:
    """The sum of products of numbers that the result's type has."""
    left, right, t = kinds
    found, names = [], set()
    for a, b in ((steps(left, a), steps(right, b)) for a, b in pairs):
        if isinstance(a, str) or isinstance(b, str):
            names.add(product_of_specials(a, b))
        else:
            found.append(a * b)
    if names:
        return special(t, names)
    return of_numbers(t, found, least(left) * least(right), products=True)


def product_of_specials(a: int | str, b: int | str) -> str:
    if "nan" in (a, b) or 0 in (a, b):
        return "nan"
    negative = [x == "-inf" if isinstance(x, str) else x < 0 for x in (a, b)]
    return "-inf" if negative[0] != negative[1] else "inf"


def special(t: Type, names: set[str]) -> Range:
    if "nan" in names or len(names) > 1:
        return single(types.encode(t, values.NAN))
    return single(types.encode(t, values.Value("inf", -1 if "-inf" in names else 1)))


def of_numbers(t: Type, found: list[int], unit: Fraction, products: bool) -> Range:
    """The sum of multiples of a unit."""
    used = [x for x in found if x]
    more, less = sum(x for x in used if x > 0), -sum(x for x in used if x < 0)
    total, magnitude = (more - less) * unit, (more + less) * unit
    code = types.encode(t, values.number(total))
    if is_exact(t, used, unit, magnitude):
        is_signed = products and total == 0 and t.sign_mask and t.specials != "fnuz"
        return Range(code, t.sign_mask, 0) if is_signed else single(code)
    k = len(used) if products else len(used) - 1
    error = k * sums.unit(t) * magnitude * sums.WIDER
    error += len(used) * least(t) if products else 0
    return within(t, code, total, error, grown(t, len(used)), (more * unit, less * unit))


def grown(t: Type, n: int) -> Fraction:
    return 1 + (n + 1) * sums.unit(t)


def is_exact(t: Type, used: list[int], unit: Fraction, magnitude: Fraction) -> bool:
    """Whether each partial sum of each order is a number of the type."""
    joined = 0
    for x in used:
        joined |= abs(x)
    quantum = unit * (joined & -joined)
    most = types.decode(t, t.max_finite).exact
    return not used or (magnitude <= quantum * (1 << t.mantissa + 1)
                        and quantum >= least(t) and magnitude <= most)


def within(t: Type, code: int, total: Fraction, error: Fraction, factor: Fraction,
           ends: tuple[Fraction, Fraction]) -> Range:
    """The codes within the error, and what partial sums beyond the type may leave."""
    most = types.decode(t, t.max_finite).exact
    low, high = total - error, total + error
    above, below = (factor * x > most for x in ends)
    if t.specials == "finite":  # the last number stands for what is beyond, and sums go on from it
        low = min(low, most - ends[1] - error) if above and ends[1] else low
        high = max(high, ends[0] - most + error) if below and ends[0] else high
        low, high = (max(-most, min(most, x)) for x in (low, high))
        return Range(code, inside(t, low, 1), inside(t, high, -1))
    outside = [types.encode(t, values.Value("inf", sign)) for sign in (1, -1)]
    if low > most or high < -most:
        low = high = code = outside[low < 0]
    else:
        low, high = inside(t, max(low, -most), 1), inside(t, min(high, most), -1)
    if t.specials != "ieee":
        return Range(code, low, high, (), above or below)
    also = tuple(x for x, on in zip(outside, (above, below)) if on and x != low)
    return Range(code, low, high, also, above and below)


def inside(t: Type, x: Fraction, direction: int) -> int:
    return sums._toward(t, x, direction)


def expectation(t: Type, dims: tuple[int, ...], ranges: list) -> dict:
    """The set of an array; of complex types each element is a pair of ranges."""
    parts = [r if isinstance(r, tuple) else (r,) for r in ranges]
    flat = [r for pair in parts for r in pair]

    def array(pick) -> Array:
        codes = (tuple(map(pick, pair)) for pair in parts)
        return Array(t, tuple(dims), tuple(c if t.kind == "complex" else c[0] for c in codes))
    value = array(lambda r: r.code)
    if all(r.is_one for r in flat):
        return bits(value)
    found = interval(value, array(lambda r: r.low), array(lambda r: r.high))
    count = max(len(r.also) for r in flat)
    more = [array(lambda r, k=k: r.also[k] if k < len(r.also) else r.code) for k in range(count)]
    if more:
        found["also"] = [{"low": x.text(), "high": x.text()} for x in more]
    if any(r.nan for r in flat):
        found["nans"] = "".join("01"[r.nan] for r in flat)
    return found
