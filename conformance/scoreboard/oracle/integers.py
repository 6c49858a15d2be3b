"""Operations of integers and of truth values."""

from fractions import Fraction

from oracle.formats import LeftOpen, Unknown, integer, is_integer, width


def divide(a, b):
    if b == 0:
        raise LeftOpen("a division by zero")
    quotient = abs(a) // abs(b)
    return -quotient if (a < 0) != (b < 0) else quotient


def power(a, b):
    if b < 0:
        if a == 0:
            raise LeftOpen("a negative power of zero")
        return int(Fraction(a) ** b) if abs(a) == 1 else 0
    return a ** b if b < 64 or abs(a) < 2 else None


def shifted(kind, operation, a, b):
    bits = width(kind)
    amount = b & ((1 << bits) - 1)
    if operation == "shift-left":
        return a << amount if amount < bits else 0
    if operation == "shift-right-arithmetic":
        signed = a - (1 << bits) if a >> (bits - 1) & 1 else a
        return signed >> min(amount, bits - 1)
    return (a & ((1 << bits) - 1)) >> amount if amount < bits else 0


BINARY = {
    "add": lambda a, b: a + b, "subtract": lambda a, b: a - b, "multiply": lambda a, b: a * b,
    "maximum": max, "minimum": min, "and": lambda a, b: a & b, "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b, "divide": divide,
    "remainder": lambda a, b: a - b * divide(a, b),
}


def binary(kind, operation, first, second):
    """The code of an operation on two codes; the same modulo 2^bits as on integers."""
    bits = width(kind)
    a, b = integer(kind, first), integer(kind, second)
    if operation.startswith("shift"):
        return shifted(kind, operation, first, second) % (1 << bits)
    if kind == "pred":
        if operation in ("add", "multiply", "and", "or", "xor", "maximum", "minimum"):
            return {"add": a | b, "or": a | b, "maximum": a | b, "xor": a ^ b}.get(
                operation, a & b)
        raise Unknown(f"{operation} of truth values")
    if operation == "power":
        if b >= 0:
            return pow(a, b, 1 << bits)
        return power(a, b) % (1 << bits)
    if operation not in BINARY:
        raise Unknown(f"{operation} of integers")
    return BINARY[operation](a, b) % (1 << bits)


def unary(kind, operation, code):
    bits = width(kind)
    value = integer(kind, code)
    if operation == "not":
        return code ^ ((1 << bits) - 1)
    if operation == "popcnt":
        return code.bit_count() if hasattr(code, "bit_count") else bin(code).count("1")
    if operation == "count-leading-zeros":
        return bits - code.bit_length()
    if operation == "negate" and kind != "pred":
        return -value % (1 << bits)
    if operation == "abs" and is_integer(kind):
        return abs(value) % (1 << bits)
    if operation == "sign" and is_integer(kind):
        return ((value > 0) - (value < 0)) % (1 << bits)
    raise Unknown(f"{operation} of integers")
