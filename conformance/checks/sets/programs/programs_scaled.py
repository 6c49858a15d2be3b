"""Random scaled-dots (spec/ops/scaled_dot.md)."""

from __future__ import annotations

from fractions import Fraction

from cases import Array, Case, module, parameters
from elementwise import multiply
from formats import FLOATS, TYPES, Real, Type, decode, encode, number
from profiles import Profile, parse
from programs.programs_elementwise import any_float
from programs.programs_sums import AXES, flushed_readings, matrix_of
from streams import Stream
from sums import Terms, sum_set
from values import any_code, middling

ROWS = 8
LEVELS = ["tight"] * 3 + ["cr", "exact", "faithful", "tight,accumulation=strict-out",
                         "tight,accumulation=f32-rn", "tight,subnormals=daz",
                         "tight,subnormals=daz+ftz"]


def _operand(s: Stream) -> Type:
    return s.one_of([t for t in FLOATS if t.bits <= (8 if s.chance(2) else 32)])


def _scales(t: Type, blocks: int, s: Stream) -> list[int]:
    return [any_code(t, s) if s.chance(6) else middling(t, s) & ~t.top
            for _ in range(ROWS * blocks)]


def scaled_case(name: str, s: Stream) -> Case:
    """Products of rows of which each block has a scale; one side may have a scalar, which is 1."""
    result, types = any_float(s), [_operand(s), _operand(s)]
    blocks, size = s.between(1, 3), s.between(1, 3)
    length = blocks * size
    factors = [Array(t, (ROWS, length), sum(matrix_of(t, ROWS, length, s), [])) for t in types]
    scales = [_operand(s) if s.chance(3) else TYPES["f8e8m0fnu"] for _ in types]
    arrays = [Array(t, (ROWS, blocks), _scales(t, blocks, s)) for t in scales]
    if s.chance(3):
        arrays[1] = Array(scales[1], (), [any_code(scales[1], s)])
    profile = s.one_of(LEVELS) + (s.one_of(AXES) if s.chance(4) else "")
    inputs = [*factors, *arrays]
    text = module(
        [*parameters(inputs),
         f"ROOT r = {result.name}[{ROWS}] scaled-dot(p0, p1, p2, p3), lhs_batch_dims={{0}}, "
         "rhs_batch_dims={0}, lhs_contracting_dims={1}, rhs_contracting_dims={1}"])
    sides = [Side(*pair, size, result) for pair in zip(factors, arrays)]
    lost = 4 * (sides[0].lost() * sides[1].most() + sides[1].lost() * sides[0].most())
    narrowed = sum(side.roundings() for side in sides)
    sets = []
    for row in range(ROWS):
        readings = [tuple(map(multiply, left, right)) for left in sides[0].readings(row, length)
                    for right in sides[1].readings(row, length)]
        is_zero = all(x.is_number and x.value == 0 for x in readings[0])
        sets.append(sum_set(result, [
            Terms(terms, None, True, narrowed, Fraction(0) if is_zero else lost,
                  operand=types[0],
                  flushed_to_nan=_flushes_to_nan(sides, row, length, parse(profile)))
            for terms in readings], parse(profile)))
    return Case(name, "sum", "scaled-dot", profile, text, inputs, [(result, (ROWS,))],
                [sets])


class Side:
    """An operand and its scale; a scalar one counts for nothing."""

    def __init__(self, factors: Array, scales: Array, size: int, result: Type) -> None:
        self.factors, self.scales, self.size, self.result = factors, scales, size, result

    def readings(self, row: int, length: int) -> list[list[Real]]:
        """The scaled factors of a row: as they are, and with all that conversion to the type
        of the result changes by more than a rounding converted."""
        pairs = [self._pair(row, k) for k in range(length)]
        far: set[str] = set()
        seen: dict[frozenset, list[Real]] = {}
        while True:
            ways = [frozenset(way) for way in _subsets(sorted(far)) if frozenset(way) not in seen]
            if not ways:
                return list(seen.values())
            for way in ways:
                seen[way] = [self._read(pair, way, far) for pair in pairs]

    def _pair(self, row: int, k: int) -> tuple[Real, Real | None]:
        own = decode(self.factors.type, self.factors.codes[row * self.factors.dims[1] + k])
        if not self.scales.dims:
            return own, None
        at = row * self.scales.dims[1] + k // self.size
        return own, decode(self.scales.type, self.scales.codes[at])

    def _read(self, pair: tuple[Real, Real | None], way: frozenset, far: set[str]) -> Real:
        def read(x: Real, step: str) -> Real:
            converted = decode(self.result, encode(self.result, x))
            if _is_far(x, converted, self.result):
                far.add(step)
            return converted if step in way else x

        factor = read(pair[0], "factor")
        if pair[1] is None:
            return factor
        return read(multiply(factor, read(pair[1], "scale")), "product")

    def flushed(self, row: int, k: int, profile: Profile) -> list[Real]:
        """What a factor and its scale may give where numbers are flushed."""
        factor, scale = self._pair(row, k)
        ways = flushed_readings(factor, self.factors.type, self.result, profile)
        if scale is None:
            return ways
        scales = flushed_readings(scale, self.scales.type, self.result, profile)
        products = [multiply(x, y) for x in ways for y in scales]
        return products + [number(0) for x in products
                           if x.is_number and abs(x.value) < self.result.least_normal]

    def roundings(self) -> int:
        own, scale, most = (t.precision for t in (self.factors.type, self.scales.type, self.result))
        if not self.scales.dims:
            return int(own > most)
        return (own > most) + (scale > most) + (own + scale - (1 in (own, scale)) > most)

    def most(self) -> Fraction:
        return _largest(self.factors) * (_largest(self.scales) if self.scales.dims else 1)

    def lost(self) -> Fraction:
        """What flushing takes of a scaled factor."""
        least = [max(t.least_normal, self.result.least_normal)
                 for t in (self.factors.type, self.scales.type)]
        if not self.scales.dims:
            return least[0]
        return (least[0] * _largest(self.scales) + least[1] * _largest(self.factors)
                + self.result.least_normal)


def _flushes_to_nan(sides: list[Side], row: int, length: int, profile: Profile) -> bool:
    """Whether zero for what is flushed makes NaN of a product."""
    if not (profile.daz or profile.ftz):
        return False
    return any(multiply(x, y).kind == "nan" for k in range(length)
               for x in sides[0].flushed(row, k, profile)
               for y in sides[1].flushed(row, k, profile))


def _subsets(steps: list[str]) -> list[list[str]]:
    found: list[list[str]] = [[]]
    for step in steps:
        found += [[*way, step] for way in found]
    return found


def _largest(array: Array) -> Fraction:
    values = (decode(array.type, code) for code in array.codes)
    return max((abs(x.value) for x in values if x.is_number), default=Fraction(0))


def _is_far(exact: Real, converted: Real, t: Type) -> bool:
    if not exact.is_number or not converted.is_number:
        return exact.kind != converted.kind
    return (abs(converted.value - exact.value)
            > abs(converted.value) * Fraction(1, 2 ** t.precision))
