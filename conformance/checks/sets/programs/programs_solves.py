"""Random triangular solves (spec/ops/triangular_solve.md)."""

from __future__ import annotations

from fractions import Fraction

from cases import Array, Case, module, parameters
from formats import FLOATS, TYPES, Type, decode, encode, number, power_of_two
from programs.programs_transforms import FLUSHING
from streams import Stream
from values import any_code, middling, subnormal
from valuesets import Between, ValueSet, around, everything, nan_of, rounded

Matrix = list[list[Fraction]]
ROOM = power_of_two(-18)  # the program computes bounds in doubles, and says that it adds 2^-20
LEAST = 2 * TYPES["f64"].least_positive
SOLVED = [t for t in FLOATS if t.family != "e8m0"]


def solve_case(name: str, s: Stream) -> Case:
    """A matrix of any form with several right-hand sides, some of which have no bound."""
    wide = TYPES[s.one_of(["f64", "f64", "f32", "f32", "f32", "f16", "bf16"])]
    t = s.one_of(SOLVED) if s.chance(5) else wide
    n, sides = s.between(1, 5), s.between(1, 3)
    left, lower, unit = s.chance(2), s.chance(2), s.chance(3)
    transpose = s.one_of(["NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"])
    a = [[_element(t, i, j, s) for j in range(n)] for i in range(n)]
    b = [[any_code(t, s) if s.chance(12) else subnormal(t, s) if s.chance(6) else
          middling(t, s, 3) for _ in range(sides)] for _ in range(n)]  # b[i][side]
    dims = (n, sides) if left else (sides, n)
    flat = [b[i][k] if left else b[k][i] for i in range(dims[0]) for k in range(dims[1])]
    inputs = [Array(t, (n, n), sum(a, [])), Array(t, dims, flat)]
    text = module(
        [*parameters(inputs),
         f"ROOT r = {t.name}[{dims[0]},{dims[1]}] triangular-solve(p0, p1), "
         f"left_side={str(left).lower()}, lower={str(lower).lower()}, "
         f"unit_diagonal={str(unit).lower()}, transpose_a={transpose}"])
    # T(i, j): op(a), or its transpose for the right side, from the first unknown to the last.
    flips = (transpose != "NO_TRANSPOSE") != (not left)
    backwards = lower == flips
    order = list(reversed(range(n))) if backwards else list(range(n))
    triangle = [[encode(t, number(1)) if unit and i == j else
                 (a[order[j]][order[i]] if flips else a[order[i]][order[j]])
                 for j in range(i + 1)] for i in range(n)]
    profile = s.one_of(["tight", "tight", "cr", "exact", *FLUSHING])
    flushes = profile in FLUSHING
    right = [[b[order[i]][k] for i in range(n)] for k in range(sides)]
    solutions = [_solution(t, triangle, column) for column in right]
    if profile == "exact" and None not in solutions:
        columns = [[_rounded_once(t, x) for x in solution] for solution in solutions]
    else:
        profile = "tight" if profile == "exact" else profile
        columns = [_side(t, triangle, *both, flushes) for both in zip(right, solutions)]
    found = [[column[order.index(i)] for column in columns] for i in range(n)]
    sets = [found[i][k] if left else found[k][i] for i in range(dims[0]) for k in range(dims[1])]
    return Case(name, "solve", "triangular-solve", profile, text, inputs, [(t, dims)], [sets])


def _rounded_once(t: Type, x: Fraction) -> ValueSet:
    """A zero may stand for NaN where the type has none, and has either sign."""
    found = rounded(t, number(x))
    is_zero = found.holds(t, 0) or found.holds(t, t.top)
    return nan_of(t) if is_zero and not t.has_nan else found


def _element(t: Type, i: int, j: int, s: Stream) -> int:
    """Mostly small beside the diagonal, so that the bound says something."""
    if s.chance(40):
        return any_code(t, s)
    if i == j or s.chance(4):
        return middling(t, s, 1)
    value = decode(t, middling(t, s, 1))
    return encode(t, number(value.value / s.one_of([4, 16, 1 << 10])))


def _solution(t: Type, triangle: list[list[int]], b: list[int]) -> list[Fraction] | None:
    """The unknowns; None where they are no numbers."""
    rows = [[decode(t, code) for code in row] for row in triangle]
    right = [decode(t, code) for code in b]
    numbers = [*right, *(x for row in rows for x in row)]
    if not all(x.is_number for x in numbers) or any(row[-1].is_zero for row in rows):
        return None
    x: list[Fraction] = []
    for i, row in enumerate(rows):
        rest = right[i].value - sum((row[j].value * x[j] for j in range(i)), Fraction(0))
        x.append(rest / row[i].value)
    return x


def _side(t: Type, triangle: list[list[int]], b: list[int], x: list[Fraction] | None,
          flushes: bool) -> list[ValueSet | Between]:
    """The sets of one solution."""
    whole: list[ValueSet | Between] = [everything(t) for _ in b]
    if x is None:
        return whole
    matrix = [[decode(t, code).value for code in row] for row in triangle]
    codes = [encode(t, number(value)) for value in x]
    if not all(decode(t, code).is_number for code in codes):
        return whole
    solution = [decode(t, code).value for code in codes]
    if flushes and any(abs(row[-1]) <= 2 * t.least_normal for row in matrix):
        return whole
    bound, doubt = _bound(t, [[abs(m) for m in row] for row in matrix],
                          [abs(decode(t, y).value) for y in b], [abs(y) for y in solution], flushes)
    if bound is None and not doubt:
        return whole
    found: list[ValueSet | Between] = []
    for exact, error in zip(x, bound or solution):
        inner = around(t, exact, max(error * (1 - ROOM) - LEAST, Fraction(0)))
        outer = everything(t) if doubt else around(t, exact, error * (1 + ROOM) + LEAST)
        found.append(inner if inner == outer else Between(inner, outer))
    return found


def _apply(t: Matrix, v: list[Fraction]) -> list[Fraction]:
    """|T| v."""
    return [sum((m * y for m, y in zip(row, v)), Fraction(0)) for row in t]


def _inverse(t: Matrix, v: list[Fraction]) -> list[Fraction]:
    """S v, S the inverse of the matrix with -|T(i, j)| beside its diagonal."""
    found: list[Fraction] = []
    for i, row in enumerate(t):
        found.append((v[i] + sum((row[j] * found[j] for j in range(i)), Fraction(0))) / row[i])
    return found


def _bound(t: Type, triangle: Matrix, b: list[Fraction],
           x: list[Fraction], flushes: bool) -> tuple[list[Fraction] | None, bool]:
    """How far each component may be off; None where anything is accepted; and whether the
    program, which computes in doubles, may say the other."""
    n, ones = len(b), [Fraction(1)] * len(b)
    of_ones = _inverse(triangle, ones)

    def grown(v: list[Fraction]) -> list[Fraction]:
        return _inverse(triangle, _apply(triangle, v))

    def error(y: list[Fraction], c: Fraction) -> list[Fraction]:
        near = grown(grown(_inverse(triangle, y)))
        far = grown([e + 1 for e in of_ones])
        least = 8 * t.least_normal if flushes else 2 * t.least_positive
        size = n * least * (c + sum(y))
        return [4 * (n + 2) * t.unit * p + size * q for p, q in zip(near, far)]

    y = [p + q for p, q in zip(b, _apply(triangle, x))]
    first = error(y, 1 + (sum(x, Fraction(0)) if flushes else Fraction(0)))
    twice = [2 * e for e in first]
    reached = max([*y, *_inverse(triangle, y), *of_ones, *(p + q for p, q in zip(x, twice))])
    following = error(_apply(triangle, first),
                      sum(first, Fraction(0)) if flushes else Fraction(0))
    ratio = max(p / q for p, q in zip(following, first))
    limits = [(reached, t.greatest / 4), (ratio, Fraction(1, 2))]
    doubt = any(abs(size - most) <= most * ROOM for size, most in limits)
    holds = reached < limits[0][1] and ratio <= limits[1][1]
    return (twice if holds or doubt else None), doubt
