"""Complex numbers by mpmath: what their parts may err by is measured by the modulus."""

from fractions import Fraction

import mpmath

from oracle import arithmetic
from oracle.formats import FORMATS, PARTS, Unknown, decode, encode, number
from oracle.reals import BITS, fraction, real
from oracle.results import Exact

UNITS = 16  # of 2^-p times the modulus: more than any library of ours is known to need
FUNCTIONS = {
    "exponential": mpmath.exp, "exponential-minus-one": mpmath.expm1, "log": mpmath.log,
    "log-plus-one": lambda z: mpmath.log(1 + z), "sqrt": mpmath.sqrt, "sine": mpmath.sin,
    "cosine": mpmath.cos, "tan": mpmath.tan, "tanh": mpmath.tanh, "sinh": mpmath.sinh,
    "cosh": mpmath.cosh, "rsqrt": lambda z: 1 / mpmath.sqrt(z),
    "logistic": lambda z: 1 / (1 + mpmath.exp(-z)), "sign": lambda z: z / abs(z), "abs": abs,
}
BINARY = {"multiply": lambda a, b: a * b, "divide": lambda a, b: a / b,
          "power": lambda a, b: mpmath.exp(b * mpmath.log(a))}
LARGE = Fraction(2) ** 12  # of exponents and angles


def point(part, code):
    parts = [decode(part, one) for one in code]
    if any(one.kind != "number" or one.value == 0 for one in parts):
        raise Unknown("a complex number with a special part, whose signs others leave open")
    return parts


def apply(instruction, kinds, codes):
    operation, kind = instruction.operation, instruction.shape.kind
    if operation == "real" or operation == "imag":
        return Exact(codes[0][operation == "imag"])
    if operation == "complex":
        return Exact(tuple(codes))
    if any(one not in PARTS for one in kinds) or operation in ("maximum", "minimum"):
        raise Unknown(f"{operation} of {kinds}")
    if operation in ("add", "subtract", "negate"):
        return by_parts(operation, PARTS[kind], codes)
    points = [point(PARTS[one], code) for one, code in zip(kinds, codes)]
    if operation not in ("abs", "sign", *BINARY) and any(
            abs(part.value) > LARGE for parts in points for part in parts):
        raise Unknown("a huge argument")
    function = FUNCTIONS.get(operation) if len(points) == 1 else BINARY.get(operation)
    if function is None:
        raise Unknown(f"{operation} of complex numbers")
    return Parts(PARTS.get(kind, kind), *value_of(function, points), UNITS)


def by_parts(operation, part, codes):
    """What is done to each part alone, and rounded once."""
    found = []
    for pair in zip(*codes):
        values = [decode(part, code) for code in pair]
        value = arithmetic.negate(*values) if operation == "negate" else (
            arithmetic.BINARY[operation](*values))
        found.append(encode(part, value))
    return Exact(tuple(found))


def value_of(function, points):
    # Enough that 1 + z and differences of tiny parts lose nothing.
    with mpmath.workprec(4 * BITS + 2200):
        numbers = [mpmath.mpc(real(a.value), real(b.value)) for a, b in points]
        value = function(*numbers)
        if not mpmath.isfinite(value) or abs(value) > mpmath.mpf(2) ** 4000:
            raise Unknown("a pole, or a value beyond all formats")
        size = fraction(abs(value))
        parts = [value] if isinstance(value, mpmath.mpf) else [value.real, value.imag]
        return [number(fraction(part)) for part in parts], size


class Parts:
    """The parts of a complex value, its modulus, and how many units of that they may err by."""

    def __init__(self, kind, parts, modulus, units):
        f = FORMATS[kind]
        self.kind, self.parts = kind, parts
        self.error = units * (modulus * Fraction(1, 2 ** f.precision) + f.least)
        if modulus >= abs(decode(kind, f.last).value) / 4:
            raise Unknown("a modulus that may overflow")
