"""Reductions and products of matrices: the exact value, and what any order may err by."""

import itertools
from fractions import Fraction

from oracle import arithmetic, integers, movements
from oracle.formats import FORMATS, PARTS, LeftOpen, Unknown, decode, number, width
from oracle.results import Computed, Exact

MOST = 1 << 17


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


def reducer(program, instruction):
    """The operation of a region of one instruction on its two parameters."""
    region = program.computations[instruction.attributes["to_apply"].lstrip("%")]
    root = region.instructions[region.root]
    if set(root.operands) != set(region.parameters.values()) or len(root.operands) != 2:
        raise Unknown("a region of several instructions")
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


def reduce(program, instruction, index):
    if len(instruction.operands) != 2:
        raise Unknown("a reduction of several operands")
    name, init = instruction.operands
    reduced, sizes = movements.listed(instruction, "dimensions"), program.shape(name).sizes
    codes = [program.code(init, ())]
    if not is_identity(reducer(program, instruction), instruction.shape.kind, codes[0]):
        raise LeftOpen("an initial value that is no identity, which may count several times")
    codes += [program.code(name, whole_index(len(sizes), reduced, inner, index))
              for inner in rows(sizes, reduced)]
    return folded(reducer(program, instruction), instruction.shape.kind, codes)


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


def dot(program, instruction, index):
    """With operands of the result's type, and products of those."""
    kind = instruction.shape.kind
    shapes = [program.shape(name) for name in instruction.operands]
    if any(shape.kind != kind for shape in shapes):
        raise Unknown("a product of operands of other types")
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
    return products(kind, pairs)


def products(kind, pairs):
    if kind in PARTS:
        raise Unknown("a product of complex matrices")
    if kind not in FORMATS:
        total = 0
        for a, b in pairs:
            total = integers.binary(kind, "add", total, integers.binary(kind, "multiply", a, b))
        return Exact(total)
    return summed(kind, [arithmetic.multiply(decode(kind, a), decode(kind, b))
                         for a, b in pairs], len(pairs))
