"""Windows that slide over arrays: reduce-window, select-and-scatter and convolution."""

import itertools
import math
from dataclasses import dataclass

from oracle import folds, orders
from oracle.formats import LeftOpen, Unknown


@dataclass
class Dim:
    """A dimension of a window."""

    size: int
    stride: int = 1
    low: int = 0
    base: int = 1  # dilation of what it slides over
    own: int = 1  # its dilation
    reversed: int = 0

    def place(self, at, offset, size):
        """What stands at an offset of the window at a position: a place of that size, or None
        in padding and between elements."""
        offset = self.size - 1 - offset if self.reversed else offset
        place, rest = divmod(at * self.stride + offset * self.own - self.low, self.base)
        return place if rest == 0 and 0 <= place < size else None


FIELDS = {"stride": "stride", "pad": "low", "lhs_dilate": "base", "rhs_dilate": "own",
          "rhs_reversal": "reversed"}


def window_of(instruction):
    fields = dict(part.split("=") for part in
                  instruction.attributes.get("window", "{}").strip("{}").split())
    dims = [Dim(int(size)) for size in fields.pop("size", "").split("x") if size]
    for name, text in fields.items():
        if name not in FIELDS:
            raise Unknown(f"a window with {name}")
        for dim, word in zip(dims, text.split("x"), strict=True):
            setattr(dim, FIELDS[name], int(word.split("_")[0]))
    return dims


def offsets(window):
    if math.prod(dim.size for dim in window) > folds.MOST:
        raise Unknown("a window of many elements")
    return itertools.product(*(range(dim.size) for dim in window))


def places(window, index, offset, sizes):
    """The index of an element in the window at `index`; None of what is no element."""
    found = tuple(dim.place(*each) for dim, *each in zip(window, index, offset, sizes))
    return None if None in found else found


def reduce_window(program, instruction, index, leaf):
    """Padding counts as the initial value, which must be an identity."""
    name, init = folds.operands(instruction, leaf)
    operation = folds.reducer(program, instruction, "to_apply", leaf)
    kind = folds.same_kind(program, (name, init), instruction.shape.leaf(leaf))
    sizes, codes = program.shape(name).sizes, [program.code(init, ())]
    if not folds.is_identity(operation, kind, codes[0]):
        raise LeftOpen("an initial value that is no identity, which may count several times")
    window = window_of(instruction)
    for offset in offsets(window):
        place = places(window, index, offset, sizes)
        if place is not None:
            codes.append(program.code(name, place))
    return folds.folded(operation, kind, codes)


def chosen(program, instruction, index):
    """The place in a window of the element that select prefers to all others."""
    name, window = instruction.operands[0], window_of(instruction)
    falling, total, _ = orders.direction_of(program, instruction, "select",
                                         {"LE": "LT", "GE": "GT"})
    kind, sizes = program.shape(name).kind, program.shape(name).sizes
    found = [place for offset in offsets(window)
             if (place := places(window, index, offset, sizes)) is not None]
    if not found:
        raise Unknown("a window of padding alone")
    keys = [orders.key_of(kind, program.code(name, place), total) for place in found]
    best = max(keys) if falling else min(keys)
    if keys.count(best) > 1:
        raise LeftOpen("equal elements, of which select may prefer any")
    return found[keys.index(best)]


def select_and_scatter(program, instruction, index, leaf):
    _, source, init = instruction.operands
    operation = folds.reducer(program, instruction, "scatter")
    kind = folds.same_kind(program, instruction.operands, instruction.shape)
    codes, sizes = [program.code(init, ())], program.shape(source).sizes
    if not folds.is_identity(operation, kind, codes[0]):
        raise LeftOpen("an initial value that is no identity, which may count several times")
    window = window_of(instruction)
    near = [reach(dim, at, size) for dim, at, size in zip(window, index, sizes)]
    for place in itertools.product(*near):
        if chosen(program, instruction, place) == index:
            codes.append(program.code(source, place))
    return folds.folded(operation, kind, codes)


def reach(dim, at, size):
    """The positions of a window that have that place in it."""
    return [position for position in range(size)
            if 0 <= at + dim.low - position * dim.stride < dim.size]


def spatial(labels):
    return [labels.index(str(number)) for number in range(len(labels) - 2)]


def convolution(program, instruction, index, leaf):
    """The sum over the window and the input features of a group."""
    kind = instruction.shape.kind
    lhs, rhs = instruction.operands
    sides = [program.shape(name) for name in (lhs, rhs)]
    inputs, _, rest = instruction.attributes["dim_labels"].partition("_")
    weights, _, outputs = rest.partition("->")
    count = int(instruction.attributes.get("feature_group_count", 1))
    batches = int(instruction.attributes.get("batch_group_count", 1))
    feature = index[outputs.index("f")]
    group = feature // (instruction.shape.sizes[outputs.index("f")] // (count * batches))
    window, pairs = window_of(instruction), []
    at = [index[dim] for dim in spatial(outputs)]
    sizes = [sides[0].sizes[dim] for dim in spatial(inputs)]
    features = sides[1].sizes[weights.index("i")]
    batch = index[outputs.index("b")]
    if batches > 1:
        batch += group * (sides[0].sizes[inputs.index("b")] // batches)
    for offset in offsets(window):
        place = places(window, at, offset, sizes)
        for i in range(features if place is not None else 0):
            input_feature = i + (group * features if count > 1 else 0)
            pairs.append((
                program.code(lhs, whole(inputs, "b", batch, "f", input_feature, place)),
                program.code(rhs, whole(weights, "o", feature, "i", i, offset))))
    return folds.products(kind, [side.kind for side in sides], pairs)


def whole(labels, first, a, second, b, place):
    """The index of an array whose dimensions have these labels."""
    index = [0] * len(labels)
    index[labels.index(first)], index[labels.index(second)] = a, b
    for dim, part in zip(spatial(labels), place):
        index[dim] = part
    return tuple(index)
