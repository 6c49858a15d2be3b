"""Where an element comes from that an operation only moves."""

from oracle.formats import Unknown, integer
from oracle.programs import numbers


def flat(sizes, index):
    place = 0
    for size, part in zip(sizes, index):
        place = place * size + part
    return place


def unflat(sizes, place):
    index = []
    for size in reversed(sizes):
        index.append(place % size)
        place //= size
    return tuple(reversed(index))


def listed(instruction, name):
    return numbers(instruction.attributes.get(name, "{}"))


def of_reshape(program, instruction, index):
    (name,) = instruction.operands
    sizes = program.shape(name).sizes
    return name, unflat(sizes, flat(instruction.shape.sizes, index))


def of_broadcast(program, instruction, index):
    (name,) = instruction.operands
    return name, tuple(index[dim] for dim in listed(instruction, "dimensions"))


def of_transpose(program, instruction, index):
    (name,) = instruction.operands
    source = [0] * len(index)
    for dim, part in zip(listed(instruction, "dimensions"), index):
        source[dim] = part
    return name, tuple(source)


def of_reverse(program, instruction, index):
    (name,) = instruction.operands
    turned, sizes = listed(instruction, "dimensions"), program.shape(name).sizes
    return name, tuple(size - 1 - part if dim in turned else part
                       for dim, (size, part) in enumerate(zip(sizes, index)))


def of_slice(program, instruction, index):
    (name,) = instruction.operands
    source = []
    for part, bounds in zip(index, instruction.attributes["slice"].strip("{}").split(",")):
        words = [int(word) for word in bounds.strip(" []").split(":")]
        source.append(words[0] + part * (words[2] if len(words) > 2 else 1))
    return name, tuple(source)


def of_concatenate(program, instruction, index):
    (dim,) = listed(instruction, "dimensions")
    place = index[dim]
    for name in instruction.operands:
        size = program.shape(name).sizes[dim]
        if place < size:
            return name, (*index[:dim], place, *index[dim + 1:])
        place -= size
    raise Unknown("an index behind the last operand")


def of_pad(program, instruction, index):
    name, value = instruction.operands
    source = []
    for part, size, words in zip(index, program.shape(name).sizes,
                                 instruction.attributes["padding"].split("x")):
        low, _, inner = (int(word) for word in (words + "_0").split("_")[:3])
        place, rest = divmod(part - low, inner + 1)
        if rest or not 0 <= place < size:
            return value, ()
        source.append(place)
    return name, tuple(source)


def of_select(program, instruction, index):
    chosen, *values = instruction.operands
    take = program.code(chosen, index if program.shape(chosen).sizes else ())
    return values[0 if take else 1], index


def of_dynamic_slice(program, instruction, index):
    name, *starts = instruction.operands
    source = []
    for part, size, kept, start in zip(index, program.shape(name).sizes,
                                       instruction.shape.sizes, starts):
        first = integer(program.shape(start).kind, program.code(start, ()))
        source.append(min(max(first, 0), size - kept) + part)
    return name, tuple(source)


def of_dynamic_update_slice(program, instruction, index):
    name, update, *starts = instruction.operands
    source = []
    for part, size, kept, start in zip(index, instruction.shape.sizes,
                                       program.shape(update).sizes, starts):
        first = integer(program.shape(start).kind, program.code(start, ()))
        place = part - min(max(first, 0), size - kept)
        if not 0 <= place < kept:
            return name, index
        source.append(place)
    return update, tuple(source)


RULES = {"reshape": of_reshape, "broadcast": of_broadcast, "transpose": of_transpose,
         "reverse": of_reverse, "slice": of_slice, "concatenate": of_concatenate,
         "pad": of_pad, "select": of_select, "dynamic-slice": of_dynamic_slice,
         "dynamic-update-slice": of_dynamic_update_slice}


def source(program, instruction, index):
    """An instruction and an index; None of an operation that does more."""
    if instruction.operation in ("copy", "opt-barrier"):
        (name,) = instruction.operands
        same = program.shape(name).kind == instruction.shape.kind
        return (name, index) if same else None
    rule = RULES.get(instruction.operation)
    return rule and rule(program, instruction, index)
