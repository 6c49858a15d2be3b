"""Random scaled-dots (spec/ops/scaled_dot.md)."""

from __future__ import annotations

from cases import Array, Case, module, parameters
from elementwise import multiply
from formats import FLOATS, TYPES, Real, Type, decode, number
from profiles import parse
from programs_elementwise import any_float
from programs_sums import AXES, matrix_of
from streams import Stream
from sums import Terms, sum_set
from values import any_code, middling

ROWS = 8
LEVELS = ["tight"] * 3 + ["cr", "exact", "faithful", "tight,accumulation=strict-out",
                         "tight,accumulation=f32-rn"]
ROUNDINGS = 4  # of each factor, and of its product with the scale


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
    sets = []
    for row in range(ROWS):
        terms = [multiply(_scaled(factors[0], arrays[0], row, k, size),
                          _scaled(factors[1], arrays[1], row, k, size)) for k in range(length)]
        of = Terms(tuple(terms), None, True, ROUNDINGS, operand=types[0])
        sets.append(sum_set(result, [of], parse(profile)))
    return Case(name, "sum", "scaled-dot", profile, text, inputs, [(result, (ROWS,))],
                [sets])


def _scaled(factors: Array, scales: Array, row: int, k: int, size: int) -> Real:
    own = decode(factors.type, factors.codes[row * factors.dims[1] + k])
    if not scales.dims:
        return multiply(own, number(1))
    return multiply(own, decode(scales.type, scales.codes[row * scales.dims[1] + k // size]))
