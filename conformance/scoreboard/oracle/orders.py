"""Sorting of one array by one comparison."""

from fractions import Fraction

from oracle import movements
from oracle.formats import FORMATS, PARTS, Unknown, decode, integer
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


def direction_of(program, instruction):
    """(whether the greatest is first, whether all codes are told apart)."""
    region = program.computations[instruction.attributes["to_apply"].lstrip("%")]
    root = region.instructions[region.root]
    names = [region.parameters[0], region.parameters[1]]
    if len(region.instructions) != 3 or root.operation != "compare" or root.operands != names or (
            root.attributes["direction"] not in ("LT", "GT")):
        raise Unknown("a comparator of several instructions")
    return root.attributes["direction"] == "GT", root.attributes.get("type") == "TOTALORDER"


def element(program, instruction, index):
    """Equal keys of other bits would stand in the order that they came in."""
    if len(instruction.operands) != 1 or instruction.shape.kind in PARTS:
        raise Unknown("several arrays in one order")
    (name,), kind = instruction.operands, instruction.shape.kind
    (dim,) = movements.listed(instruction, "dimensions")
    falling, total = direction_of(program, instruction)
    line = [program.code(name, (*index[:dim], at, *index[dim + 1:]))
            for at in range(instruction.shape.sizes[dim])]
    keyed = sorted(((key_of(kind, code, total), code) for code in line),
                   key=lambda pair: pair[0], reverse=falling)
    key, code = keyed[index[dim]]
    if any(other != code for at, other in keyed if at == key):
        raise Unknown("equal keys of other bits")
    return Exact(code)
