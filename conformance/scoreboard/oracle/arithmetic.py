"""Operations of floats that are rounded once, or not at all."""

from fractions import Fraction

from oracle.formats import NAN, Number, Unknown, infinity, number


def add(a, b):
    if a.is_nan or b.is_nan:
        return NAN
    if "infinity" in (a.kind, b.kind):
        if a.kind == b.kind and a.negative != b.negative:
            return NAN
        return a if a.kind == "infinity" else b
    value = a.value + b.value
    return number(value, value < 0 or (value == 0 and a.negative and b.negative))


def negate(a):
    return Number(a.kind, -a.value, not a.negative)


def multiply(a, b):
    negative = a.negative != b.negative
    if a.is_nan or b.is_nan:
        return NAN
    if "infinity" in (a.kind, b.kind):
        zero = any(x.kind == "number" and x.value == 0 for x in (a, b))
        return NAN if zero else infinity(negative)
    return number(a.value * b.value, negative)


def divide(a, b):
    negative = a.negative != b.negative
    if a.is_nan or b.is_nan or a.kind == b.kind == "infinity":
        return NAN
    if a.kind == "infinity":
        return infinity(negative)
    if b.kind == "infinity":
        return number(0, negative)
    if b.value == 0:
        return NAN if a.value == 0 else infinity(negative)
    return number(a.value / b.value, negative)


def remainder(a, b):
    """Of the quotient cut off, with the sign of the first."""
    if a.is_nan or b.is_nan or a.kind == "infinity" or (b.kind == "number" and b.value == 0):
        return NAN
    if b.kind == "infinity":
        return a
    rest = abs(a.value) % abs(b.value)
    return number(-rest if a.negative else rest, a.negative)


def less(a, b):
    """IEEE's order, where -0 is below +0."""
    def key(x):
        size = Fraction(2) ** 5000 if x.kind == "infinity" else abs(x.value)
        return (-size if x.negative else size, not x.negative)
    return key(a) < key(b)


def extreme(operation, a, b):
    if a.is_nan or b.is_nan:
        return NAN
    return (b if less(a, b) else a) if operation == "maximum" else (a if less(a, b) else b)


def whole(operation, a):
    """Rounded to an integer."""
    if a.kind != "number":
        return a
    floor = a.value.numerator // a.value.denominator
    size = abs(a.value)
    found = {"floor": floor, "ceil": -(-a.value.numerator // a.value.denominator),
             "round-nearest-even": round(a.value),
             "round-nearest-afz": (-1 if a.negative else 1) * int(size + Fraction(1, 2))}
    return number(found[operation], a.negative)


def sign(a):
    if a.is_nan or (a.kind == "number" and a.value == 0):
        return a
    return number(-1 if a.negative else 1)


BINARY = {"add": add, "subtract": lambda a, b: add(a, negate(b)), "multiply": multiply,
          "divide": divide, "remainder": remainder}
ROUNDED_TO_INTEGERS = {"floor", "ceil", "round-nearest-even", "round-nearest-afz"}


def compare(direction, a, b):
    if a.is_nan or b.is_nan:
        return direction == "NE"
    low = {"infinity": Fraction(2) ** 5000}
    x, y = ((-1 if n.negative else 1) * low[n.kind] if n.kind == "infinity" else n.value
            for n in (a, b))
    return {"EQ": x == y, "NE": x != y, "LT": x < y, "LE": x <= y, "GT": x > y,
            "GE": x >= y}[direction]


def binary(operation, a, b):
    if operation in ("maximum", "minimum"):
        return extreme(operation, a, b)
    if operation not in BINARY:
        raise Unknown(f"{operation} of floats")
    return BINARY[operation](a, b)
