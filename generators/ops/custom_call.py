"""custom-call: targets that are functions, by mpmath at 700 bits
(spec/ops/custom_call.md, Functions)."""

import itertools
from fractions import Fraction

import mpmath
import special_values

from assaygen import arrays, functions, pools, refused, sums, types, values
from assaygen.elements import complex_functions, elementwise
from assaygen.cases import Case, bits, interval, rejected, rounded, without
from assaygen.movement import any_bits
from assaygen.program import Program
from assaygen.streams import Stream
from assaygen.values import Value

WHY = without(elementwise.WHY, "Layout", "Shape", "Drawn") | complex_functions.WHY | {
    "Zeros": "where the function has zeros, an absolute error counts",
    "Opcode": "a target that says the same as an opcode, or is as common",
    "Cancels": "terms of both signs cancel",
    "Pole": "at poles, at infinity and where the function is not defined",
    "Marker": "annotations for partitioners, which any array passes unchanged",
    "Rejected": "operands or a result that do not fit the function",
}
WORK = 700  # bits
TINY = Fraction(1, 1 << 3000)  # less than every format tells
F32, F64, F16 = (types.BY_NAME[n] for n in ("f32", "f64", "f16"))
INF, NAN, ZERO = values.INF, values.NAN, values.ZERO


def is_pole(x: Value) -> bool:
    return x.is_zero or (x.kind == "finite" and x.sign < 0 and x.exact.denominator == 1)


def erfc(x: Value):
    if x.is_inf or x.is_zero or abs(x.exact) > 1000:
        edge = TINY if x.kind == "finite" else Fraction(0)
        return values.number(1 if x.is_zero else edge if x.sign > 0 else 2 - edge)
    return values.number(2 - TINY) if x.exact < -16 else None


def erf_inv(x: Value):
    if x.is_inf or abs(x.exact) > 1:
        return NAN
    return Value("inf", x.sign) if abs(x.exact) == 1 else x if x.is_zero else None


def lgamma(x: Value):
    if x.is_inf or is_pole(x):
        return INF
    return ZERO if x.exact in (1, 2) else None


def digamma(x: Value):
    if x.is_inf:
        return INF if x.sign > 0 else NAN
    return Value("inf", -x.sign) if x.is_zero else NAN if is_pole(x) else None


def bessel_i1e(x: Value):
    return Value("zero", x.sign) if x.is_inf or x.is_zero else None


def scaled_bessel(x):
    """The asymptotic series (DLMF 10.40.1) where its terms fall far enough."""
    a = abs(x)
    if a < 800:
        return special_values.bessel_i1e(x)
    term = total = mpmath.mpf(1)
    k = 0
    while abs(term) > mpmath.mpf(2) ** -WORK:
        k += 1
        term *= -mpmath.mpf(4 - (2 * k - 1) ** 2) / (8 * k * a)
        total += term
    return mpmath.sign(x) * total / mpmath.sqrt(2 * mpmath.pi * a)


def rule(special, evaluate):
    """(t, codes...) -> (code, side, exact value) or None where nothing is defined."""
    def of(t, *codes):
        arguments = [types.decode(t, c) for c in codes]
        answer = NAN if any(x.is_nan for x in arguments) else special(*arguments)
        if answer is None:
            return irrational(t, evaluate, [x.exact for x in arguments])
        if answer.is_nan and t.specials == "finite":
            return None
        code = types.encode(t, answer)
        side = types.side(t, code, answer.exact) if answer.kind == "finite" else 0
        return code, side, answer.exact if answer.kind == "finite" else None
    return of


def irrational(t, evaluate, arguments):
    """Of the least f64 numbers 700 bits do not tell the side of x / 2."""
    for precision in (WORK, 4 * WORK):
        with mpmath.workprec(precision):
            y = evaluate(*map(functions._mpf, arguments))
            error = mpmath.mpf(2) ** (400 - precision)
            ends = [functions.fraction(y * (1 - error)), functions.fraction(y * (1 + error))]
        codes = {types.encode(t, values.number(x)) for x in ends}
        sides = {types.side(t, code, x) for code in codes for x in ends}
        if len(codes) == 1 and len(sides) == 1:
            return codes.pop(), sides.pop(), ends[0]
    raise ValueError(f"{t.name}: {arguments} is not certain")


ONE = {
    "bessel_i1e": rule(bessel_i1e, scaled_bessel),
    "digamma": rule(digamma, special_values.digamma),
    "erf_inv": rule(erf_inv, special_values.erf_inv),
    "erfc": rule(erfc, special_values.erfc),
    "lgamma": rule(lgamma, special_values.lgamma),
}
STEPS = {"erf_inv": (4, 6), "erfc": (4, 5), "lgamma": (6, 4)}


def call(target, inputs, out):
    operands = ", ".join(f"p{i}" for i in range(len(inputs)))
    shape = arrays.Array(out, inputs[0].dims, ()).shape
    return Program("m", inputs).root(
        shape, f'custom-call({operands}), custom_call_target="{target}"')


def absolute(t, answer):
    """A range of 8 units of the larger of 1 and the magnitude."""
    code, _, exact = answer
    if exact is None or types.decode(t, code).kind not in ("finite", "zero"):
        return code, code, code
    error = 16 * sums.unit(t) * max(abs(exact), 1)
    return code, *sums.around(t, exact, error)[1:]


def free(t, answer):
    """Anything but NaN: nobody says how close it is."""
    code, _, exact = answer
    if exact is None:
        return code, code, code
    return code, types.encode(t, Value("inf", -1)), types.encode(t, INF)


def ranges(t, answers, around):
    three = [arrays.of(t, column) for column in zip(*(around(t, a) for a in answers))]
    return interval(*three)


def within_steps(t, name, answers):
    value = arrays.of(t, (a[0] for a in answers))
    limit = "faithful" if t.bits < 32 else STEPS[name][t.bits == 64]
    ends = (0, 2) if name == "erfc" and t.specials != "e8m0" else (None, None)
    within = tuple(None if x is None else types.encode(t, values.number(x)) for x in ends)
    return rounded(value, [a[1] for a in answers], limit, within)


def is_near_zeros(name, t, code):
    x = types.decode(t, code)
    return (name == "lgamma" and t.bits >= 32 and x.kind == "finite"
            and -11 <= x.exact <= -2)


def expectation(name, t, answers):
    if t.bits >= 32 and name == "digamma":
        return ranges(t, answers, absolute)
    if t.bits >= 32 and name not in STEPS:
        return ranges(t, answers, free)
    return within_steps(t, name, answers)


def evaluated(function, t, rows):
    pairs = [(row, function(t, *row)) for row in rows]
    pairs = [(row, answer) for row, answer in pairs if answer is not None]
    inputs = [arrays.of(t, column) for column in zip(*(row for row, _ in pairs))]
    return inputs, [answer for _, answer in pairs]


def one_argument():
    for name, function in ONE.items():
        for t in types.FLOATS:
            stream = Stream("custom_call", name, t.name)
            codes = pools.unary_codes(t, stream, 48)
            far = [(c,) for c in codes if not is_near_zeros(name, t, c)]
            inputs, answers = evaluated(function, t, far)
            yield Case(f"{t.name}/{name}", f"{name} of special and random values",
                       call(f"chlo.{name}", inputs, t), [expectation(name, t, answers)],
                       ["Special", "Random"])


def near_zeros():
    for t in (F32, F64):
        stream = Stream("custom_call", "zeros", t.name)
        rows = []
        for _ in range(24):
            x = Fraction(-2) - Fraction(stream.below(9 << 20), 1 << 20)
            rows.append((types.encode(t, values.number(x)),))
        inputs, answers = evaluated(ONE["lgamma"], t, rows)
        value = ranges(t, answers, lambda t, a: absolute_of_one(t, a))
        yield Case(f"{t.name}/lgamma_between_poles", "lgamma has zeros between its poles",
                   call("chlo.lgamma", inputs, t), [value], ["Zeros"])


def absolute_of_one(t, answer):
    code, _, exact = answer
    if exact is None:
        return code, code, code
    return code, *sums.around(t, exact, 16 * sums.unit(t))[1:]


def number_of(x):
    words = {"inf": INF, "-inf": Value("inf", -1), "nan": NAN, "-0": Value("zero", -1)}
    return words[x] if x in words else values.number(Fraction(x))


# zeta(s, q) and polygamma(n, x) where no series is summed.
ZETA = [(1, 2, "inf"), (Fraction(1, 2), 2, "nan"), (2, "inf", 0), (2, "-inf", "nan"),
        (Fraction(5, 2), -1, "nan"), (Fraction(5, 2), Fraction(-1, 2), "nan"),
        (2, -3, "inf"), (3, -3, "nan"), (2, 0, "inf"), (3, 0, "inf"), (3, "-0", "-inf"),
        (Fraction(5, 2), "-0", "inf"), ("inf", 2, 0), ("inf", 1, 1),
        ("inf", Fraction(1, 2), "inf"), ("nan", 2, "nan"), (2, "nan", "nan")]
POLYGAMMA = [(Fraction(1, 2), 1, "nan"), (-1, 1, "nan"), ("inf", 1, "nan"),
             (0, 0, "-inf"), (0, "-0", "inf"), (0, -1, "nan"), (1, "-inf", "nan"),
             (1, "inf", 0), (2, "inf", "-0"), (1, 0, "inf"), (1, -2, "inf"),
             (2, 0, "-inf"), (2, "-0", "inf"), (2, -2, "nan"), ("nan", 1, "nan")]
TWO = {"polygamma": (POLYGAMMA, special_values.polygamma, (0, 1, 2, 3, 5)),
       "zeta": (ZETA, special_values.zeta, (2, 3, 4, 5, 7))}


def at_poles():
    for name, (table, _, _) in TWO.items():
        for t in (F32, F64, F16):
            columns = zip(*table)
            n, x, value = (arrays.of(t, (types.encode(t, number_of(v)) for v in column))
                           for column in columns)
            yield Case(f"{t.name}/{name}_poles", f"{name} has special values",
                       call(f"chlo.{name}", [n, x], t), [interval(value, value, value)],
                       ["Pole"])


def argument_of(t, stream):
    """A value of no great magnitude, which is no pole."""
    while True:
        code = pools.finite_float(t, stream)
        x = types.decode(t, code)
        if x.kind == "finite" and not is_pole(x) and Fraction(1, 64) < abs(x.exact) < 20:
            return code


def two_arguments():
    for name, (_, evaluate, orders) in TWO.items():
        function = rule(lambda n, x: None, evaluate)
        for t in types.FLOATS:
            stream = Stream("custom_call", name, t.name)
            known = [n for n in orders
                     if types.decode(t, types.encode(t, values.number(n))) == values.number(n)]
            rows = [(types.encode(t, values.number(stream.choice(known))),
                     argument_of(t, stream)) for _ in range(24)]
            inputs, answers = evaluated(function, t, rows)
            yield Case(f"{t.name}/{name}", f"{name} of small orders",
                       call(f"chlo.{name}", inputs, t), [expectation(name, t, answers)],
                       ["Random"])


def across_halves():
    """Where powers are odd, terms before and behind the pole cancel half-way between
    two poles, and nearly do beside that."""
    for name, (_, evaluate, _) in TWO.items():
        orders = (3, 5, 21) if name == "zeta" else (2, 4, 20)
        for t in (F32, F64):
            rows = []
            for n, half in itertools.product(orders, (1, 5, 19, 81)):
                middle = types.encode(t, values.number(Fraction(-half, 2)))
                order = types.encode(t, values.number(n))
                rows += [(order, middle + d) for d in (-40, -1, 0, 1, 1 << 9, 1 << 15)]
            inputs, answers = evaluated(rule(lambda n, x: None, evaluate), t, rows)
            yield Case(f"{t.name}/{name}_across_halves",
                       f"{name} half-way between two poles, and beside it",
                       call(f"chlo.{name}", inputs, t), [expectation(name, t, answers)],
                       ["Cancels"])


def next_after(t, code, toward):
    x, y = types.decode(t, code), types.decode(t, toward)
    if x.is_nan or y.is_nan:
        return t.nan
    if values.equal(x, y):
        return toward
    up = values.less(x, y)
    magnitude = code & ~t.sign_mask
    if x.is_zero:
        return 1 | (0 if up else t.sign_mask)
    result = code + 1 if up == (x.sign > 0) else code - 1
    no_negative_zero = t.specials == "fnuz" and magnitude == 1 and result == t.sign_mask
    return 0 if no_negative_zero else result


def exact_functions():
    for name, holds in (("is_inf", lambda x: x.is_inf),
                        ("is_pos_inf", lambda x: x.is_inf and x.sign > 0),
                        ("is_neg_inf", lambda x: x.is_inf and x.sign < 0)):
        yield from elementwise.exact(
            "custom-call", types.FLOATS, 1,
            lambda t, c, holds=holds: int(holds(types.decode(t, c))),
            extra=f', custom_call_target="chlo.{name}"', tag=f"{name}_",
            count=16, result=lambda t: types.PRED)
    yield from elementwise.exact(
        "custom-call", types.FLOATS, 2, next_after, tag="next_after_", count=48,
        extra=', custom_call_target="chlo.next_after"')


OPCODES = {"acos": (mpmath.acos, 3), "acosh": (mpmath.acosh, 4), "asin": (mpmath.asin, 3),
           "asinh": (mpmath.asinh, 2), "atan": (mpmath.atan, 2), "atanh": (mpmath.atanh, 3), "cosh": (mpmath.cosh, 2),
           "erf": (mpmath.erf, 2), "sinh": (mpmath.sinh, 3), "tan": (mpmath.tan, 3)}


def opcodes():
    for name, (evaluate, steps) in OPCODES.items():
        shift = 1 if name == "acosh" else 0
        points = [Fraction(n, 16) + shift for n in (1, 3, 5, 7, 11, 15)]
        rows = [(types.encode(F32, values.number(x)),) for x in points]
        inputs, answers = evaluated(rule(lambda x: None, evaluate), F32, rows)
        value = arrays.of(F32, (a[0] for a in answers))
        for dialect in ("chlo", "mhlo"):
            yield Case(f"f32/{dialect}_{name}", f"{dialect}.{name} is the function {name}",
                       call(f"{dialect}.{name}", inputs, F32),
                       [rounded(value, [a[1] for a in answers], steps)], ["Opcode"])


def complex_arcs():
    yield from complex_functions.cases("custom-call", "atan", {"f32": 2, "f64": 2}, tag="atan_",
                                       extra=', custom_call_target="chlo.atan"')
    yield from complex_functions.cases("custom-call", "cbrt", {"f32": 1, "f64": 2}, tag="cbrt_",
                                       extra=', custom_call_target="stablehlo.cbrt"')
    yield from complex_functions.cases(
        "custom-call", "asin_acos_kernel", {"f32": 1, "f64": 1}, tag="arc_kernel_",
        extra=', custom_call_target="chlo._asin_acos_kernel"')


def misfits():
    wide, narrow = arrays.iota(F32, (3,)), arrays.iota(F32, (2,))
    count = arrays.iota(types.S32, (3,))
    for name, target, inputs, out in (
            ("integers", "chlo.lgamma", [count], types.S32),
            ("two_types", "chlo.zeta", [wide, arrays.iota(F64, (3,))], F32),
            ("two_shapes", "chlo.next_after", [wide, narrow], F32),
            ("real", "chlo._asin_acos_kernel", [wide], F32),
            ("dialect", "stablehlo.cbrt", [count], types.S32),
            ("one_operand", "chlo.zeta", [wide], F32),
            ("result", "chlo.is_inf", [wide], F32)):
        yield Case(f"f32/rejected_{name}", f"{target} does not take these",
                   call(target, inputs, out), rejected("custom-call.C3"), ["Rejected"])


REGIONS = """f {
  ROOT x = f32[2] parameter(0)
}

g {
  ROOT x = f32[2] constant({1, 2})
}"""
ROWS = [
    ("C1", "a layout constraint for one of two operands", "f32[2] ; f32[3]",
     'f32[2] custom-call(p0, p1), custom_call_target="f", '
     "operand_layout_constraints={f32[2]{0}}"),
    ("C1", "a layout constraint of another type", "f32[2]",
     'f32[2] custom-call(p0), custom_call_target="f", operand_layout_constraints={s32[2]{0}}'),
    ("C2", "a seed of another type", "",
     's64[] custom-call(), custom_call_target="GetRngSeed"'),
    ("run-parallel.config", "no JSON object", "f32[2]",
     'f32[2] custom-call(p0), custom_call_target="interpreter.run_parallel", '
     'called_computations={f}, backend_config="[1]"'),
    ("run-parallel.config", "no replica", "f32[2]",
     'f32[2] custom-call(p0), custom_call_target="interpreter.run_parallel", '
     'called_computations={f}, backend_config={"replicas":0}'),
    ("run-parallel.config", "an infeed of a computation that is not there", "f32[2]",
     'f32[2] custom-call(p0), custom_call_target="interpreter.run_parallel", '
     'called_computations={f}, backend_config={"infeed":[1]}'),
    ("run-parallel.programs", "two programs for one device", "f32[2]",
     '(f32[2], f32[2]) custom-call(p0, p0), custom_call_target="interpreter.run_parallel", '
     "called_computations={f, f}, backend_config={}"),
    ("run-parallel.programs", "two programs for four devices", "f32[2]",
     '(f32[2], f32[2]) custom-call(p0, p0), custom_call_target="interpreter.run_parallel", '
     'called_computations={f, f}, backend_config={"replicas":2,"partitions":2}'),
    ("run-parallel.operands", "an operand too much", "f32[2]",
     'f32[2] custom-call(p0, p0), custom_call_target="interpreter.run_parallel", '
     "called_computations={f}, backend_config={}"),
    ("run-parallel.operands", "an operand of another size", "f32[3]",
     'f32[2] custom-call(p0), custom_call_target="interpreter.run_parallel", '
     "called_computations={f}, backend_config={}"),
    ("run-parallel.result", "a tuple in a tuple", "f32[2]",
     '((f32[2], f32[2])) custom-call(p0, p0), custom_call_target="interpreter.run_parallel", '
     'called_computations={f, f}, backend_config={"partitions":2}'),
    ("run-parallel.result", "a result of another size", "f32[2]",
     'f32[3] custom-call(p0), custom_call_target="interpreter.run_parallel", '
     "called_computations={f}, backend_config={}"),
    ("run-parallel.infeed", "a source of the queue takes an argument", "f32[2]",
     'f32[2] custom-call(), custom_call_target="interpreter.run_parallel", '
     'called_computations={g, f}, backend_config={"infeed":[1]}'),
    ("check.operands", "an array and a tuple", "f32[2] ; (f32[2])",
     '() custom-call(p0, p1), custom_call_target="check.expect_almost_eq"'),
    ("check.operands", "arrays of other types", "f32[2] ; s32[2]",
     '() custom-call(p0, p1), custom_call_target="check.expect_eq"'),
    ("check.operands", "one operand", "f32[2]",
     '() custom-call(p0), custom_call_target="check.expect_close"'),
    ("check.operands", "two operands beside a probe", "f32[2]",
     '() custom-call(p0, p0), custom_call_target="check.expect_serialized_eq", '
     'backend_config={"probe_id":"a"}'),
    ("check.config", "no name of a probe", "f32[2]",
     '() custom-call(p0), custom_call_target="check.expect_serialized_eq"'),
    ("check.config", "a number for the name of a probe", "f32[2]",
     'f32[2] custom-call(p0), custom_call_target="interpreter.probe", '
     'backend_config={"probe_id":1}'),
    ("check.config", "a negative difference", "f32[2]",
     '() custom-call(p0, p0), custom_call_target="check.expect_close", '
     'backend_config={"max_ulp_difference":-1}'),
    ("check.config", "a difference that is no integer", "f32[2]",
     '() custom-call(p0, p0), custom_call_target="check.expect_close", '
     'backend_config={"max_ulp_difference":"3"}'),
    ("check.config", "a negative tolerance", "f32[2]",
     '() custom-call(p0, p0), custom_call_target="check.expect_almost_eq", '
     'backend_config={"tolerance":-0.5}'),
    ("custom-call.target", "a target that nobody knows", "",
     'x = f32[2] constant({1, 2}) ; f32[2] custom-call(x), custom_call_target="Shard"'),
    ("custom-call.target", "a mark with two operands", "",
     'x = f32[2] constant({1, 2}) ; f32[2] custom-call(x, x), custom_call_target="Sharding"'),
    ("custom-call.target", "a mark of another shape", "",
     "x = f32[2] constant({1, 2}) ; f32[2,1] custom-call(x), "
     'custom_call_target="SPMDFullToShardShape"'),
]


MARKERS = {"Sharding": "sharding", "SPMDFullToShardShape": "full_to_shard",
           "SPMDShardToFullShape": "shard_to_full"}


def markers():
    for t, target in itertools.product(types.ALL, MARKERS):
        x = any_bits("custom-call", t, (3, 4), target)
        program = Program("m", [x]).root(
            x.shape, f'custom-call(p0), custom_call_target="{target}", sharding={{replicated}}')
        yield Case(f"{t.name}/{MARKERS[target]}", f"{target} of {t.name}", program,
                   [bits(x, "same")], ["Marker"])


def cases():
    for rows in (one_argument, near_zeros, at_poles, two_arguments, across_halves, exact_functions,
                 opcodes, complex_arcs, markers, misfits):
        yield from rows()
    yield from refused.cases("custom-call", ROWS, REGIONS)
