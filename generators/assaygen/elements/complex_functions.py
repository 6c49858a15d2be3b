"""Complex functions by the textbook's formulas, arguments for them, and the sets of
results that cases expect (spec/numerics.md). The working precision is so high that
what cancels does not matter."""

from __future__ import annotations

import functools
import math
import random
from fractions import Fraction

import mpmath

from assaygen import arrays, sums, types, values
from assaygen.cases import Case, interval
from assaygen.elements import complex_special
from assaygen.functions import fraction
from assaygen.program import Program

mp = mpmath.mp
I = mpmath.mpc(0, 1)
WHY = {
    "Complex": "each component lies within some units of the modulus of the result",
    "Hard": "next to cuts, branch points, zeros and the unit circle, and of mixed sizes",
    **complex_special.WHY,
}


def half(z):
    return mpmath.mpc(mp.ldexp(z.real, -1), mp.ldexp(z.imag, -1))


def sinh(z):
    return half(mp.exp(z) - mp.exp(-z))


def cosh(z):
    return half(mp.exp(z) + mp.exp(-z))


def tanh(z):
    power = mp.exp(2 * z)
    return (power - 1) / (power + 1)


def asinh(z):
    """Of the right half plane, where nothing cancels; odd."""
    if z.real < 0:
        return -asinh(-z)
    return mp.log(z + mp.sqrt(z * z + 1))


def acosh(z):
    return mp.log(z + mp.sqrt(z + 1) * mp.sqrt(z - 1))


def atanh(z):
    return half(mp.log(1 + z) - mp.log(1 - z))


def asin(z):
    return -I * asinh(I * z)


UNARY = {
    "exp": mp.exp,
    "exp2": lambda z: mp.exp(z * mp.ln2),
    "expm1": lambda z: mp.exp(z) - 1,
    "log": mp.log,
    "log2": lambda z: mp.log(z) / mp.ln2,
    "log10": lambda z: mp.log(z) / mp.log(10),
    "log1p": lambda z: mp.log(1 + z),
    "sqrt": mp.sqrt,
    "rsqrt": lambda z: 1 / mp.sqrt(z),
    "logistic": lambda z: 1 / (1 + mp.exp(-z)),
    "sin": lambda z: -I * sinh(I * z),
    "cos": lambda z: cosh(I * z),
    "tan": lambda z: -I * tanh(I * z),
    "sinh": sinh,
    "cosh": cosh,
    "tanh": tanh,
    "asin": asin,
    "acos": lambda z: mp.pi / 2 - asin(z),
    "atan": lambda z: -I * atanh(I * z),
    "asinh": asinh,
    "acosh": acosh,
    "atanh": atanh,
    "cbrt": lambda z: mp.exp(mp.log(z) / 3),
    "asin_acos_kernel": lambda z: mpmath.mpc(mp.sqrt(1 - z * z).real, abs(asin(z).imag)),
}
GROWING = {"exp", "exp2", "expm1", "sinh", "cosh", "tanh", "logistic"}
CIRCULAR = {"sin", "cos", "tan"}


@functools.cache
def limits(name):
    """The precision, and the exponents of the least and the largest number."""
    return {"f64": (53, -1074, 1023), "f32": (24, -149, 127)}[name]


def draw(stream, name, low, high):
    """A number of the type, not 0, with an exponent in [low, high]."""
    bits, least, most = limits(name)
    exponent = stream.randint(max(low, least), min(high, most))
    kept = min(bits, exponent - least + 1)
    significand = (1 << kept - 1) + stream.getrandbits(kept - 1) if kept > 1 else 1
    sign = stream.choice((-1, 1))
    return sign * math.ldexp(significand, exponent - kept + 1)


def to_type(name, x):
    """The number of the type that is nearest to an mpf."""
    t = types.BY_NAME[name]
    value = types.decode(t, types.encode(t, values.number(fraction(mpmath.mpf(x)))))
    return float(value.exact) if value.kind == "finite" else 0.0


def near_circle(stream, name):
    """A point next to the unit circle."""
    turn = stream.random() * 2 * math.pi
    return to_type(name, mp.cos(turn)), to_type(name, mp.sin(turn))


def near_points(stream, name, points):
    """A point next to one of a few, at any distance."""
    x, y = stream.choice(points)
    far = -60 if stream.random() < 0.7 else -1100
    return (to_type(name, x + mpmath.mpf(draw(stream, name, far, -2))),
            to_type(name, y + mpmath.mpf(draw(stream, name, far, -2))))


def cancelling(stream, name, function):
    """Points where the real part of the function nearly vanishes."""
    if function == "log1p":  # 2x + x^2 + y^2 = 0
        y = mpmath.mpf(draw(stream, name, -40, -1))
        return to_type(name, -y * y / (1 + mp.sqrt(1 - y * y))), float(y)
    if function == "expm1":
        y = mpmath.mpf(draw(stream, name, -30, -1))
        return to_type(name, -mp.log(mp.cos(y))), float(y)
    if function == "logistic":
        y = mpmath.mpf(1.6 + 1.5 * stream.random())
        return to_type(name, mp.log(-mp.cos(y))), to_type(name, y)
    if function == "cbrt":  # of cubes
        z = complex(*stream.choice(SQUARES)) ** 3 * 8 ** stream.randint(-9, 9)
        return z.real, stream.choice((-1, 1)) * z.imag
    if function == "asin_acos_kernel":  # z = (s - 1/s) / 2i for s = (1 + i) 2^k
        k = stream.randint(-9, 9)
        x, y = 2.0 ** k + 2.0 ** -k / 2, 2.0 ** k - 2.0 ** -k / 2
        return stream.choice((-1, 1)) * x / 2, stream.choice((-1, 1)) * y / 2
    return near_circle(stream, name)


def argument(stream, name, function, index):
    kind = index % 8
    wide = function not in GROWING and function not in CIRCULAR
    if kind < 3:
        return draw(stream, name, -4, 3), draw(stream, name, -4, 3)
    if kind == 3:
        return draw(stream, name, -40, 4), draw(stream, name, -40, 4)
    if kind == 4:
        return cancelling(stream, name, function)
    if kind == 5:
        return near_points(stream, name, [(1, 0), (-1, 0), (0, 1), (0, -1), (0, 0)])
    if kind == 6:
        low = -1074 if index % 16 == 6 else -150
        return draw(stream, name, low, 9), draw(stream, name, low, 9)
    high = 1023 if wide else 9
    x, y = draw(stream, name, -1074, high), draw(stream, name, -1074, high)
    if function in GROWING and index % 3:
        y = draw(stream, name, 0, 1023)
    if function in CIRCULAR and index % 3:
        x = draw(stream, name, 0, 1023)
    return x, y


SQUARES = [(3, 4), (5, 12), (8, -15), (7, 24), (1, 1), (2, 1), (-3, 2), (0.5, 0.25)]


def power_arguments(stream, name, index):
    """Of bases and exponents; integers and fractions of powers of 2 among them."""
    base = (draw(stream, name, -3, 3), draw(stream, name, -3, 3))
    kind = index % 8
    if kind < 2:
        return (*base, draw(stream, name, -3, 3), draw(stream, name, -3, 3))
    if kind == 2:
        return (*base, float(stream.randint(-9, 9) or 3), 0.0)
    if kind == 3:  # exact roots
        a = complex(*stream.choice(SQUARES))
        j = stream.choice((1, 2, 3))
        z = a ** 2 if j == 1 else (a * a) ** 2 if j == 2 else ((a * a) ** 2) ** 2
        return z.real, z.imag, stream.choice((1, -1, 3, 5)) / 2 ** j, 0.0
    if kind == 4:
        return (*near_circle(stream, name), float(stream.randint(-10 ** 6, 10 ** 6)),
                stream.choice((0.0, draw(stream, name, -3, 9))))
    if kind == 5:
        a = float(stream.randint(1, 9)) * stream.choice((1, -1, 0.3))
        other = stream.choice((0.0, a, -a))
        pair = stream.choice(((a, other), (other, a)))
        a, b = (to_type(name, part) for part in pair)
        return a, b, stream.choice((1, 2, 3, 0.5, -1.5, 0.25, -4, 7)), 0.0
    if kind == 6:
        return (draw(stream, name, -60, 60), draw(stream, name, -60, 60),
                draw(stream, name, -40, 2), draw(stream, name, -40, 2))
    return (draw(stream, name, -1074, 1023), draw(stream, name, -1074, 1023),
            draw(stream, name, -12, 1), draw(stream, name, -1074, 1))


def angle_arguments(stream, name, index):
    """Of y and x; among them those that are parallel, perpendicular or equal in size,
    and those next to the poles y = ix and y = -ix."""
    x = (draw(stream, name, -3, 3), draw(stream, name, -3, 3))
    kind = index % 8
    if kind < 3:
        return (draw(stream, name, -3, 3), draw(stream, name, -3, 3), *x)
    x = tuple(float(stream.randint(1, 99) * stream.choice((-1, 1))) for _ in range(2))
    turn = stream.choice((1, 1j, -1, -1j)) * complex(*x)
    if kind == 3:  # parallel: a real angle
        y = stream.choice((0.5, 3, -2, 1)) * complex(*x)
        return y.real, y.imag, *x
    if kind == 4:  # the same modulus
        return (*stream.choice((x[::-1], (turn.real, turn.imag))), *x)
    if kind == 5:
        y = stream.choice((1, -1)) * 1j * complex(*x)
        far = -20 if name == "f32" else -49
        y = [to_type(name, part * (1 + mpmath.mpf(draw(stream, name, far, -2))))
             for part in (y.real, y.imag)]
        return *y, *x
    if kind == 6:
        return tuple(draw(stream, name, -60, 60) for _ in range(4))
    return tuple(draw(stream, name, -1074, 1023) for _ in range(4))


def angle(y, x):
    """The angle of the point with complex coordinates x, y."""
    return -I * mp.log((x + I * y) / mp.sqrt(x * x + y * y))


def angle_is_open(parts):
    """Whether y and x are perpendicular, and the angle is a limit or on a cut."""
    a, b, c, d = map(Fraction, parts)
    return a * c + b * d == 0


def precision_of(function, parts):
    """Bits enough for sums of products of four such numbers and their inverses, and
    for 1 beside the exponential of one."""
    exponents = [abs(math.frexp(x)[1]) for x in parts if x != 0]
    growth = {**dict.fromkeys(GROWING, 0), **dict.fromkeys(CIRCULAR, 1)}.get(function)
    beside = 0 if growth is None else int(4 * abs(parts[growth]))
    return 400 + 4 * sum(sorted(exponents)[-2:]) + beside


def evaluate(function, parts):
    """The exact value, but for an error far below what matters."""
    with mpmath.workprec(precision_of(function, parts)):
        z = mpmath.mpc(parts[0], parts[1])
        if function == "atan2":
            return angle(z, mpmath.mpc(parts[2], parts[3]))
        if function == "pow":
            return mp.exp(mpmath.mpc(parts[2], parts[3]) * mp.log(z))
        return UNARY[function](z)


def round_part(t, x, whole, precision):
    """Code and side; what is this small beside the whole is an exact 0, and what
    is this near to a number is that number."""
    exact = fraction(x)
    slack = max(abs(fraction(whole.real)), abs(fraction(whole.imag)))
    slack /= 1 << precision - 60
    if abs(exact) <= slack:
        return 0, "0"
    code = types.encode(t, values.number(exact))
    value = types.decode(t, code)
    if value.kind in ("finite", "zero"):
        base = value.exact if value.kind == "finite" else Fraction(0)
        if abs(exact - base) <= slack:
            return code, "0"
        return code, "+" if exact > base else "-"
    return code, "-" if exact > 0 else "+"


def arguments(function, name, index):
    """The first of some arguments that stay clear of cuts and of 0."""
    stream = random.Random(f"{function} {name} {index}")
    while True:
        if function == "atan2":
            parts = angle_arguments(stream, name, index)
            if all(parts) and not angle_is_open(parts):
                return parts
            continue
        if function == "pow":
            parts = power_arguments(stream, name, index)
            exact = [to_type(name, x) == x for x in parts]
            if (parts[0] or parts[1]) and (parts[2] or parts[3]) and all(exact):
                return parts
            continue
        parts = argument(stream, name, function, index)
        if all(parts):
            return parts


def signed_zero(t, function, parts, rounded):
    """The code and side, where an imaginary part of a power or an angle is an exact 0:
    its sign is that of the first imaginary part, or the other one."""
    if function == "atan2" and rounded == (0, "0"):
        return t.sign_mask if parts[1] * parts[2] < 0 else 0, "0"
    if function != "pow" or rounded != (0, "0") or parts[:2] == (1, 0):
        return rounded
    negative = (math.copysign(1, parts[1]) < 0) != (parts[2] < 0)
    return t.sign_mask if negative else 0, "0"


def component_sets(t, function, steps, parts):
    """(rounded, low, high) of both components: at most 2 steps + 1 units of 2^-p
    times the modulus off; None where they are not finite."""
    value = evaluate(function, parts)
    precision = precision_of(function, parts)
    exact = [fraction(value.real), fraction(value.imag)]
    modulus = fraction(abs(value))
    if modulus > types.decode(t, t.max_finite).exact / 2:
        return None
    bound = (2 * steps + 1) * sums.unit(t) * modulus + types.decode(t, 1).exact
    rounded = [round_part(t, x, value, precision) for x in (value.real, value.imag)]
    rounded[1] = signed_zero(t, function, parts, rounded[1])
    return [(code, *sums.around(t, x, bound)[1:])
            for (code, _), x in zip(rounded, exact)]


# Where a library's function of f64 is four units away, found by drawing programs.
FAR = {("atanh", "f64"): [(-0.18636295059877966, 0.062239275756382995)]}


def cases(op, function, steps, count=64, extra="", tag=""):
    """A case for each complex type; steps are those of f32 and f64, extra is the text of
    attributes."""
    for t in types.COMPLEX:
        part = types.component(t)
        rows = []
        drawn = (arguments(function, part.name, index) for index in range(count)
                 if index % 8 != 7)  # the ends of the range
        for parts in [*drawn, *FAR.get((function, part.name), [])]:
            found = component_sets(part, function, steps[part.name], parts)
            if found is not None:
                codes = [types.encode(part, values.number(Fraction(x))) for x in parts]
                rows.append((codes, found))
        inputs = [arrays.of(t, (tuple(codes[k:k + 2]) for codes, _ in rows))
                  for k in range(0, len(rows[0][0]), 2)]
        sets = [arrays.of(t, ((re[k], im[k]) for _, (re, im) in rows)) for k in range(3)]
        operands = ", ".join(f"p{k}" for k in range(len(inputs)))
        program = Program("m", inputs).root(inputs[0].shape, f"{op}({operands}){extra}")
        yield Case(f"{t.name}/{tag}values", f"{tag.rstrip('_') or op} of finite complex numbers", program,
                   [interval(*sets)], ["Complex", "Hard"])
    yield from complex_special.cases(op, function, steps, extra, tag)
