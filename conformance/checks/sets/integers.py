"""Element-wise operations on integers and pred, on codes."""

from __future__ import annotations

from typing import Callable

from formats import Type, integer, wrapped


def _divide(t: Type, x: int, y: int) -> int:
    if y == 0:
        return -1
    quotient = abs(x) // abs(y)
    return quotient if (x < 0) == (y < 0) else -quotient


def _remainder(t: Type, x: int, y: int) -> int:
    if y == 0:
        return x
    rest = abs(x) % abs(y)
    return -rest if x < 0 else rest


def _power(t: Type, x: int, y: int) -> int:
    if y >= 0:
        return pow(x, y, 1 << t.bits)
    if abs(x) != 1:
        return 0
    return x if y % 2 else 1


def _unsigned(t: Type, x: int) -> int:
    return wrapped(t, x)


def _signed(t: Type, x: int) -> int:
    code, top = wrapped(t, x), 1 << (t.bits - 1)
    return code - 2 * top if code & top else code


def _shift_left(t: Type, x: int, y: int) -> int:
    amount = _unsigned(t, y)
    return x << amount if amount < t.bits else 0


def _shift_right(t: Type, x: int, y: int) -> int:
    amount = _unsigned(t, y)
    return _unsigned(t, x) >> amount if amount < t.bits else 0


def _shift_right_arithmetic(t: Type, x: int, y: int) -> int:
    return _signed(t, x) >> min(_unsigned(t, y), t.bits)


OF_TWO: dict[str, Callable[[Type, int, int], int]] = {
    "add": lambda t, x, y: x + y,
    "subtract": lambda t, x, y: x - y,
    "multiply": lambda t, x, y: x * y,
    "divide": _divide,
    "remainder": _remainder,
    "maximum": lambda t, x, y: max(x, y),
    "minimum": lambda t, x, y: min(x, y),
    "power": _power,
    "and": lambda t, x, y: x & y,
    "or": lambda t, x, y: x | y,
    "xor": lambda t, x, y: x ^ y,
    "shift-left": _shift_left,
    "shift-right-logical": _shift_right,
    "shift-right-arithmetic": _shift_right_arithmetic,
    "mulhi": lambda t, x, y: x * y >> t.bits,
}
OF_ONE: dict[str, Callable[[Type, int], int]] = {
    "negate": lambda t, x: -x,
    "not": lambda t, x: ~x,
    "popcnt": lambda t, x: bin(_unsigned(t, x)).count("1"),
    "count-leading-zeros": lambda t, x: t.bits - _unsigned(t, x).bit_length(),
}
SIGNED_ONLY: dict[str, Callable[[Type, int], int]] = {
    "abs": lambda t, x: abs(x),
    "sign": lambda t, x: (x > 0) - (x < 0),
}


def apply(name: str, t: Type, codes: list[int]) -> int:
    """The code of the result."""
    values = [integer(t, code) for code in codes]
    if name == "clamp":
        return wrapped(t, min(max(values[1], values[0]), values[2]))
    table = OF_TWO if len(codes) == 2 else {**OF_ONE, **SIGNED_ONLY}
    return wrapped(t, table[name](t, *values))
