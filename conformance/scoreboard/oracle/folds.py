"""Reductions and products of matrices: the exact value, and what any order may err by."""

import itertools
from fractions import Fraction

from oracle import arithmetic, integers, movements
from oracle.formats import (
    FORMATS, PARTS, LeftOpen, Unknown, decode, integer, is_integer, number, width)
from oracle.results import Computed, Exact

MOST = 1 << 17
COMMUTE = {"add", "multiply", "maximum", "minimum", "and", "or", "xor"}


def rows(sizes, dims):
    count = 1
    for dim in dims:
        count *= sizes[dim]
    if count > MOST:
        raise Unknown("a fold of many elements")
    return itertools.product(*(range(sizes[dim]) for dim in dims))


def whole_index(rank, reduced, inner, outer):
    index, kept = [0] * rank, iter(outer)
    inside = dict(zip(reduced, inner))
    for dim in range(rank):
        index[dim] = inside[dim] if dim in inside else next(kept)
    return tuple(index)


def operands(instruction, leaf):
    """The operand of a result, and its initial value."""
    count = len(instruction.operands) // 2
    return instruction.operands[leaf], instruction.operands[count + leaf]


def same_kind(program, names, result):
    """That of arrays of one type, which the result has, too."""
    kinds = {program.shape(name).kind for name in names} | {result.kind}
    if len(kinds) > 1:
        raise Unknown("a fold of several types")
    return result.kind


def result_of_region(program, instruction, attribute, leaf):
    """The instruction that makes a result of a region, which it makes of two parameters alone;
    and these."""
    region = program.computations[instruction.attributes[attribute].lstrip("%")]
    root = region.root
    if region.instructions[root].operation == "tuple":
        root = region.instructions[root].operands[leaf]
    pair = [region.parameters[leaf], region.parameters[leaf + len(region.parameters) // 2]]
    return region.instructions[root], root, pair


def is_second(program, instruction, leaf):
    """Whether a region gives what comes, whatever was there."""
    _, name, pair = result_of_region(program, instruction, "to_apply", leaf)
    return name == pair[1]


def reducer(program, instruction, attribute="to_apply", leaf=0):
    """The operation of a region of one instruction on its two parameters."""
    root, _, pair = result_of_region(program, instruction, attribute, leaf)
    if set(root.operands) != set(pair) or len(root.operands) != 2:
        raise Unknown("a region of several instructions")
    if root.operands != pair and root.operation not in COMMUTE:
        raise Unknown("an operation on what comes and what was there")
    return root.operation


def is_identity(operation, kind, code):
    if kind in PARTS:
        return False
    if kind not in FORMATS:
        bits = width(kind)
        low = 1 << (bits - 1) if kind[0] == "s" else 0
        return code == {"multiply": 1, "and": (1 << bits) - 1, "maximum": low,
                        "minimum": low ^ ((1 << bits) - 1)}.get(operation, 0)
    value = decode(kind, code)
    if operation in ("maximum", "minimum"):
        f = FORMATS[kind]
        largest = value.kind == "infinity" or (f.special != "ieee" and code & ~f.sign == f.last)
        least = f.special == "e8m0" and code == 0
        return least if least else largest and value.negative == (operation == "maximum")
    return value.kind == "number" and value.value == (operation == "multiply")


def reduce(program, instruction, index, leaf):
    name, init = operands(instruction, leaf)
    operation = reducer(program, instruction, "to_apply", leaf)
    kind = same_kind(program, (name, init), instruction.shape.leaf(leaf))
    reduced, sizes = movements.listed(instruction, "dimensions"), program.shape(name).sizes
    codes = [program.code(init, ())]
    if not is_identity(operation, kind, codes[0]):
        raise LeftOpen("an initial value that is no identity, which may count several times")
    codes += [program.code(name, whole_index(len(sizes), reduced, inner, index))
              for inner in rows(sizes, reduced)]
    return folded(operation, kind, codes)


def folded(operation, kind, codes):
    if kind in PARTS:
        raise Unknown("a fold of complex numbers")
    if kind not in FORMATS:
        code = codes[0]
        for other in codes[1:]:
            code = integers.binary(kind, operation, code, other)
        return Exact(code)
    values = [decode(kind, code) for code in codes]
    if operation == "add":
        return summed(kind, values, len(values) - 1)
    if operation not in ("maximum", "minimum"):
        raise Unknown(f"a fold by {operation}")
    best = values[0]
    for value in values[1:]:
        best = arithmetic.extreme(operation, best, value)
    return Computed(best)


def summed(kind, terms, roundings):
    """A sum in any order: it errs by at most roundings * u * (sum of magnitudes), and twice
    that is let pass; where a partial sum may overflow nothing is known."""
    if any(term.kind != "number" for term in terms):
        total = number(0)
        for term in terms:
            total = arithmetic.add(total, term)
        return Computed(total)
    size = sum(abs(term.value) for term in terms)
    if 2 * size > abs(decode(kind, FORMATS[kind].last).value):
        raise Unknown("a sum that may overflow on its way")
    total = sum(term.value for term in terms)
    if total == 0:
        raise Unknown("the sign of a zero sum")
    unit = Fraction(1, 2 ** FORMATS[kind].precision)
    return Computed(number(total), 0, 2 * (roundings + 1) * (
        unit * size + FORMATS[kind].least))


def dot(program, instruction, index, leaf):
    kind = instruction.shape.kind
    shapes = [program.shape(name) for name in instruction.operands]
    batch = [movements.listed(instruction, f"{side}_batch_dims") for side in ("lhs", "rhs")]
    inner = [movements.listed(instruction, f"{side}_contracting_dims")
             for side in ("lhs", "rhs")]
    outer, begin = index[len(batch[0]):], 0
    places = []
    for side, shape in enumerate(shapes):
        free = [dim for dim in range(len(shape.sizes))
                if dim not in batch[side] and dim not in inner[side]]
        place = dict(zip(batch[side], index))
        place.update(zip(free, outer[begin:]))
        begin += len(free)
        places.append(place)
    pairs = []
    for step in rows(shapes[0].sizes, inner[0]):
        pairs.append([program.code(name, tuple(
            {**place, **dict(zip(dims, step))}[dim] for dim in range(len(shape.sizes))))
            for name, place, dims, shape in zip(instruction.operands, places, inner, shapes)])
    return products(kind, [shape.kind for shape in shapes], pairs)


def is_within(kind, wide):
    """Whether each number of a type is one of the other."""
    if kind == wide:
        return True
    if kind in FORMATS and wide in FORMATS:
        a, b = FORMATS[kind], FORMATS[wide]
        largest = [decode(one, FORMATS[one].last).value for one in (kind, wide)]
        return a.precision <= b.precision and a.least >= b.least and largest[0] <= largest[1]
    return is_integer(kind) and is_integer(wide) and kind[0] == wide[0] and (
        width(kind) <= width(wide))


def products(kind, kinds, pairs):
    """The sum of products of what is taken as the result's type first."""
    if kind in PARTS:
        raise Unknown("a product of complex matrices")
    if not all(is_within(one, kind) for one in kinds):
        raise Unknown("a product of operands of other types")
    if kind == "pred":
        return Exact(int(any(a & b for a, b in pairs)))
    if kind not in FORMATS:
        total = sum(integer(kinds[0], a) * integer(kinds[1], b) for a, b in pairs)
        return Exact(total % (1 << width(kind)))
    return summed(kind, [arithmetic.multiply(decode(kinds[0], a), decode(kinds[1], b))
                         for a, b in pairs], len(pairs))
