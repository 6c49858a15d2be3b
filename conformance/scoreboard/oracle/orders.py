"""Sorting of arrays by one comparison, and the greatest of a row."""

from fractions import Fraction

from oracle import movements
from oracle.formats import FORMATS, PARTS, LeftOpen, Unknown, decode, integer
from oracle.results import Exact


def key_of(kind, code, total):
    """Where a code stands in the order of numbers, or in that of all codes."""
    if kind not in FORMATS:
        return integer(kind, code)
    value = decode(kind, code)
    if total:
        if value.is_nan:
            raise Unknown("the place of a NaN")
        size = Fraction(2) ** 5000 if value.kind == "infinity" else abs(value.value)
        return (-size if value.negative else size, not value.negative)
    if value.is_nan:
        raise Unknown("an order with a NaN in it")
    if value.kind == "infinity":
        return Fraction(2) ** 5000 * (-1 if value.negative else 1)
    return value.value


def direction_of(program, instruction, attribute="to_apply", directions=None):
    """(whether the greatest is first, whether all codes are told apart, which operand is
    compared)."""
    region = program.computations[instruction.attributes[attribute].lstrip("%")]
    root, compared = region.instructions[region.root], None
    for number in range(len(region.parameters) // 2):
        if root.operands == [region.parameters[2 * number], region.parameters[2 * number + 1]]:
            compared = number
    if len(region.instructions) != len(region.parameters) + 1 or compared is None or (
            root.operation != "compare"):
        raise Unknown("a comparator of several instructions")
    direction = root.attributes["direction"]
    direction = (directions or {}).get(direction, direction)
    if direction not in ("LT", "GT"):
        raise Unknown("a comparator of another direction")
    return direction == "GT", root.attributes.get("type") == "TOTALORDER", compared


def ranked(program, name, lead, dim, size, falling, total):
    """The places of a row from first to last, equal ones as they came; their keys; and the
    places of each key. Each row is sorted once, however many elements are asked for."""
    row = ("ranked", name, *lead[:dim], None, *lead[dim + 1:], dim, falling, total)
    if row not in program.known:
        kind = program.shape(name).kind
        if kind in PARTS:
            raise Unknown("an order of complex numbers")
        keys = [key_of(kind, program.code(name, (*lead[:dim], at, *lead[dim + 1:])), total)
                for at in range(size)]
        order = sorted(range(size), key=lambda at: keys[at], reverse=falling)
        equal = {}
        for at in order:
            equal.setdefault(keys[at], []).append(at)
        program.known[row] = order, keys, equal
    return program.known[row]


def element(program, instruction, index, leaf):
    """Where equal keys may stand in any order, all of them must have the same bits."""
    (dim,) = movements.listed(instruction, "dimensions")
    falling, total, compared = direction_of(program, instruction)
    size = instruction.shape.leaf(leaf).sizes[dim]
    order, keys, equal = ranked(program, instruction.operands[compared], index, dim, size,
                                falling, total)
    place, name = order[index[dim]], instruction.operands[leaf]
    own = Exact(program.code(name, (*index[:dim], place, *index[dim + 1:])))
    group = ("equal", instruction.operands[compared], name, *index[:dim], None,
             *index[dim + 1:], keys[place])
    if group not in program.known:
        program.known[group] = len({
            program.code(name, (*index[:dim], at, *index[dim + 1:]))
            for at in equal[keys[place]]}) == 1
    if program.known[group] or instruction.attributes.get("is_stable") == "true":
        return own
    raise LeftOpen("the order of equal keys")


def topk(program, instruction, index, leaf):
    """The greatest or the least of the last dimension, and where they stood."""
    (name,) = instruction.operands
    dim, size = len(index) - 1, program.shape(name).sizes[-1]
    falling = instruction.attributes.get("largest", "true") == "true"
    order, keys, equal = ranked(program, name, index, dim, size, falling, False)
    at = order[index[dim]]
    others = equal[keys[at]]
    codes = {program.code(name, (*index[:dim], one)) for one in others}
    if len(codes) > 1 or leaf and len(others) > 1:
        raise LeftOpen("the order of equal keys")
    return Exact(codes.pop() if leaf == 0 else at)
