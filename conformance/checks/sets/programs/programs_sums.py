"""Random sums: reduce, reduce-window, scatter, dot, convolution."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from cases import Array, Case, module, parameters, region
from elementwise import add, multiply, nan_code, with_axes
from formats import TYPES, Real, Type, decode, encode, infinity, number, power_of_two
from products import extreme_set, product_set
from profiles import Profile, parse
from programs.programs_elementwise import any_float
from streams import Stream
from sums import Terms, quantum_of, sum_set
from values import any_code, finite_code, middling, near, subnormal
from valuesets import rounded, single

LEVELS = ["tight"] * 5 + ["cr", "exact", "faithful", "tight,accumulation=strict-out",
                         "tight,accumulation=f32-rn", "cr,subnormals=daz",
                         "tight,subnormals=ftz", "relaxed"]
AXES = [",nan=free", ",nan=canonical", ",nan=payload", ",zero-sign=lax"]

WAYS = 10
FLUSHED = 8
MATRIX_UNITS = ["f32-tc", "tf32", "bf16x1", "bf16x3", "bf16x6", "bf16x9", "fp8-fast"]


def row_of(t: Type, length: int, kind: int, s: Stream) -> list[int]:
    """Terms of one sum, in one of the ways that sums go wrong."""
    if kind == 0:
        return [any_code(t, s) for _ in range(length)]
    if kind == 1:  # near the greatest number, of both signs
        return [t.greatest_code - s.below(2 << t.mantissa) | (t.top if s.chance(3) else 0)
                for _ in range(length)]
    if kind == 2:
        return [subnormal(t, s) for _ in range(length)]
    if kind == 3:  # each cancels the one before, but for a little
        row = [finite_code(t, s) for _ in range(length)]
        return [near(t, row[k - 1], s) if k % 2 else code for k, code in enumerate(row)]
    if kind == 4:  # small integers, exact in every order
        return [encode(t, number(s.between(-3, 3), s.chance(2))) for _ in range(length)]
    if kind == 5:
        return [t.top if t.has_negative_zero else 0] * length
    if kind == 6:  # one large number among small ones
        row = [middling(t, s, 2) for _ in range(length)]
        return [min(code + (t.precision << t.mantissa), t.greatest_code)
                if s.chance(4) and code < t.top else code for code in row]
    if kind == 7:  # multiples of one power of two up to the greatest that is exact
        unit = power_of_two(s.between(t.least_exponent - t.mantissa, 3))
        most = 1 << t.precision
        return [encode(t, number(unit * s.between(-most, most) / length)) for _ in range(length)]
    if kind == FLUSHED:  # what may be flushed beside infinities
        return [encode(t, infinity(s.chance(2))) if s.chance(3) else
                subnormal(t, s) if s.chance(2) else middling(t, s) for _ in range(length)]
    return [middling(t, s) for _ in range(length)]


def sum_profile(s: Stream) -> str:
    if s.chance(6):
        return s.one_of(["tight", "cr", "exact"]) + s.one_of(AXES)
    return s.one_of(LEVELS)


def reduce_case(name: str, s: Stream) -> Case:
    """A reduce that adds: rows of a matrix, each in its own way."""
    t, profile = any_float(s), sum_profile(s)
    rows, length = 12, s.between(1, 9)
    matrix = matrix_of(t, rows, length, s)
    start = 0 if s.chance(2) else finite_code(t, s)
    return _reduce(name, t, profile, matrix, start)


def matrix_of(t: Type, rows: int, length: int, s: Stream,
              kinds: Sequence[int] = range(WAYS)) -> list[list[int]]:
    """Rows in different ways, or all in one, as the quantum is that of a whole operand."""
    if s.chance(2):
        return [row_of(t, length, s.one_of(kinds), s) for _ in range(rows)]
    kind = s.one_of(kinds)
    return [row_of(t, length, kind, s) for _ in range(rows)]


def values_of(t: Type, codes: list[int]) -> list[Real]:
    return [decode(t, code) for code in codes]


def _reduce(name: str, t: Type, profile: str, matrix: list[list[int]], start: int) -> Case:
    rows, length = len(matrix), len(matrix[0])
    inputs = [Array(t, (rows, length), sum(matrix, [])), Array(t, (), [start])]
    text = module(
        [*parameters(inputs),
         f"ROOT r = {t.name}[{rows}] reduce(p0, p1), dimensions={{1}}, to_apply=sum"],
        region("sum", t, "add"))
    quantum = quantum_of([x for a in inputs for x in values_of(t, a.codes)])
    sets = [sum_set(t, [Terms(tuple(values_of(t, [start, *row])), quantum)], parse(profile))
            for row in matrix]
    return Case(name, "sum", "reduce", profile, text, inputs, [(t, (rows,))], [sets])


def window_case(name: str, s: Stream) -> Case:
    """A reduce-window that adds, over a line with padding."""
    t, profile = any_float(s), sum_profile(s)
    width, size, pad = 24, s.between(1, 6), s.between(0, 2)
    line = matrix_of(t, 1, width, s)[0] if s.chance(3) else sum(matrix_of(t, 4, 6, s), [])
    start = 0 if s.chance(2) else finite_code(t, s)
    inputs = [Array(t, (width,), line), Array(t, (), [start])]
    places = width + 2 * pad - size + 1
    text = module(
        [*parameters(inputs),
         f"ROOT r = {t.name}[{places}] reduce-window(p0, p1), "
         f"window={{size={size} pad={pad}_{pad}}}, to_apply=sum"], region("sum", t, "add"))
    quantum = quantum_of(values_of(t, [start, *line]))
    sets = []
    for place in range(places):
        cells = line[max(place - pad, 0):max(place - pad + size, 0)]
        sets.append(sum_set(t, [Terms(tuple(values_of(t, [start, *cells])), quantum)],
                            parse(profile)))
    return Case(name, "sum", "reduce-window", profile, text, inputs, [(t, (places,))], [sets])


def scatter_case(name: str, s: Stream) -> Case:
    """A scatter that adds updates to elements of a vector, some of them several times."""
    t, profile = any_float(s), sum_profile(s)
    size, count = 12, s.between(8, 24)
    operand, updates = matrix_of(t, 1, size, s)[0], matrix_of(t, 1, count, s)[0]
    places = [s.between(-1, size) for _ in range(count)]
    inputs = [Array(t, (size,), operand), Array(TYPES["s32"], (count, 1), [
        place & 0xFFFFFFFF for place in places]), Array(t, (count,), updates)]
    text = module(
        [*parameters(inputs),
         f"ROOT r = {t.name}[{size}] scatter(p0, p1, p2), update_window_dims={{}}, "
         "inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, "
         "to_apply=sum"], region("sum", t, "add"))
    quantum = quantum_of(values_of(t, [*operand, *updates]))
    most = max(places.count(place) for place in range(size))
    sets = []
    for place, element in enumerate(operand):
        added = [code for code, where in zip(updates, places) if where == place]
        terms = values_of(t, [element, *added])
        if not added:
            sets.append(single(t, element))
        elif most > 1:
            sets.append(sum_set(t, [Terms(tuple(terms), quantum)], parse(profile)))
        else:  # no element has two updates: the region's own result
            exact = add(*terms)
            sets.append(with_axes(t, rounded(t, exact), parse(profile), [], nan_code(t, exact)))
    return Case(name, "sum", "scatter", profile, text, inputs, [(t, (size,))], [sets])


def dot_case(name: str, s: Stream) -> Case:
    """Products of rows, one for each batch; operands and result may be of different types."""
    t, profile = any_float(s), sum_profile(s)
    if s.chance(3):
        profile = f"tight,accumulation={s.one_of(MATRIX_UNITS)}"
    types = [t, t] if not s.chance(4) else [TYPES[s.one_of(["f32", "bf16", "f16", "f64"])], t]
    result = t if not s.chance(3) else TYPES[s.one_of(["f32", "bf16", "f16"])]
    rows, length = 8, s.between(1, 7)
    kinds = [FLUSHED] if "subnormals" in profile and s.chance(2) else range(WAYS)
    matrices = [matrix_of(own, rows, length, s, kinds) for own in types]
    inputs = [Array(own, (rows, length), sum(m, [])) for own, m in zip(types, matrices)]
    text = module(
        [*parameters(inputs),
         f"ROOT r = {result.name}[{rows}] dot(p0, p1), lhs_batch_dims={{0}}, "
         "rhs_batch_dims={0}, lhs_contracting_dims={1}, rhs_contracting_dims={1}"])
    narrowed = sum(own.precision > result.precision for own in types)
    quanta = [quantum_of(values_of(own, x.codes)) for own, x in zip(types, inputs)]
    quantum = None if None in quanta else quanta[0] * quanta[1]
    sets = []
    lost, is_normal = _flushing(types, inputs, result)
    for row in zip(*matrices):
        readings = []
        for factors in _readings(types, row, result):
            terms = tuple(multiply(x, y) for x, y in zip(*factors))
            # Zeros lose nothing.
            own = lost if any(not x.is_number or x.value for x in terms) else Fraction(0)
            of = Terms(terms, quantum, True, narrowed, own, is_normal, types[0],
                       flushed_to_nan=flushes_to_nan(types, row, result, parse(profile)))
            readings.append(of)
        sets.append(sum_set(result, readings, parse(profile)))
    return Case(name, "sum", "dot", profile, text, inputs, [(result, (rows,))], [sets])


def _readings(types: list[Type], row: tuple, result: Type) -> Iterator[list[list[Real]]]:
    """The factors with each operand converted, and as it is where that makes more of an
    element than rounding does."""
    ways = []
    for own, codes in zip(types, row):
        exact = [decode(own, code) for code in codes]
        converted = [decode(result, encode(result, x)) for x in exact]
        far = any(_is_far(x, y, result) for x, y in zip(exact, converted))
        ways.append([converted, exact] if far else [converted])
    for left in ways[0]:
        for right in ways[1]:
            yield [left, right]


def _is_far(exact: Real, converted: Real, t: Type) -> bool:
    if not exact.is_number or exact.value == 0:
        return False
    if not converted.is_number:
        return True
    return (abs(converted.value - exact.value)
            > abs(converted.value) * Fraction(1, 2 ** t.precision))


def flushed_readings(x: Real, t: Type, result: Type, profile: Profile) -> list[Real]:
    """A factor as it is, converted, and zero where it may be flushed."""
    ways = [x, decode(result, encode(result, x))]
    if x.is_number and x.value != 0:
        as_it_is = profile.daz and abs(x.value) < t.least_normal
        converted = (profile.daz or profile.ftz) and t is not result
        if as_it_is or (converted and abs(x.value) < result.least_normal):
            ways.append(number(0))
    return ways


def flushes_to_nan(types: list[Type], row: Sequence[Sequence[int]], result: Type,
                   profile: Profile) -> bool:
    """Whether zero for a factor makes NaN of a product of the two rows."""
    if not (profile.daz or profile.ftz):
        return False
    ways = [[flushed_readings(decode(t, code), t, result, profile) for code in codes]
            for t, codes in zip(types, row)]
    return any(multiply(x, y).kind == "nan"
               for left, right in zip(*ways) for x in left for y in right)


def _flushing(types: list[Type], inputs: list[Array], result: Type) -> tuple[Fraction, bool]:
    """What a product may lose where a factor is flushed, converted or as it is: the least normal
    number times the largest other factor, twice; and whether all quanta are normal numbers."""
    values = [values_of(t, x.codes) for t, x in zip(types, inputs)]
    most = [max((abs(x.value) for x in v if x.is_number), default=Fraction(0)) for v in values]
    quanta = [quantum_of(v) for v in values]
    least = [max(t.least_normal, result.least_normal) for t in types]
    return (2 * (least[0] * most[1] + least[1] * most[0]),
            all(q is None or q >= t.least_normal for q, t in zip(quanta, types)))


def convolution_case(name: str, s: Stream) -> Case:
    """A kernel over a line, with padding."""
    t, profile = any_float(s), sum_profile(s)
    width, size, pad = 16, s.between(1, 5), s.between(0, 2)
    line, kernel = sum(matrix_of(t, 4, 4, s), []), matrix_of(t, 1, size, s)[0]
    inputs = [Array(t, (1, 1, width), line), Array(t, (1, 1, size), kernel)]
    places = width + 2 * pad - size + 1
    text = module(
        [*parameters(inputs),
         f"ROOT r = {t.name}[1,1,{places}] convolution(p0, p1), "
         f"window={{size={size} pad={pad}_{pad}}}, dim_labels=bf0_oi0->bf0"])
    quanta = [quantum_of(values_of(t, x.codes)) for x in inputs]
    quantum = None if None in quanta else quanta[0] * quanta[1]
    sets = []
    for place in range(places):
        row = [(line[place - pad + c], kernel[c])
               for c in range(size) if 0 <= place - pad + c < width]
        terms = [multiply(decode(t, x), decode(t, y)) for x, y in row]
        lost, is_normal = _flushing([t, t], inputs, t)
        of = Terms(tuple(terms), quantum, True, 0, lost, is_normal, t,
                   flushed_to_nan=bool(row) and flushes_to_nan(
                       [t, t], list(zip(*row)), t, parse(profile)))
        sets.append(sum_set(t, [of], parse(profile)))
    return Case(name, "sum", "convolution", profile, text, inputs, [(t, (1, 1, places))], [sets])


def fold_case(name: str, s: Stream) -> Case:
    """A reduce that multiplies, or takes the greatest or the least."""
    t, operation = any_float(s), s.one_of(["multiply", "maximum", "minimum"])
    profile = s.one_of(["tight", "tight", "cr", "exact"]) + (s.one_of(AXES) if s.chance(4) else "")
    rows, length = 12, s.between(1, 6)
    matrix = [[any_code(t, s) if s.chance(4) else middling(t, s) for _ in range(length)]
              for _ in range(rows)]
    if operation != "multiply" and s.chance(3):
        profile += s.one_of([",subnormals=daz", ",subnormals=ftz"])
        matrix = [row_of(t, length, 2, s) if s.chance(2) else row for row in matrix]
    start = middling(t, s) if operation == "multiply" else any_code(t, s)
    inputs = [Array(t, (rows, length), sum(matrix, [])), Array(t, (), [start])]
    text = module(
        [*parameters(inputs),
         f"ROOT r = {t.name}[{rows}] reduce(p0, p1), dimensions={{1}}, to_apply=fold"],
        region("fold", t, operation))
    if operation == "multiply":
        sets = [product_set(t, values_of(t, [start, *row]), parse(profile)) for row in matrix]
    else:
        sets = [extreme_set(t, operation, [start, *row], parse(profile)) for row in matrix]
    return Case(name, "fold", operation, profile, text, inputs, [(t, (rows,))], [sets])


SUM_KINDS = {"reduce": reduce_case, "window": window_case, "scatter": scatter_case,
             "dot": dot_case, "convolution": convolution_case, "fold": fold_case}
