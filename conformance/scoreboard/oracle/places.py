"""Elements whose places indices say: gather and scatter."""

import itertools
import math

from oracle import folds
from oracle.formats import LeftOpen, Unknown, integer
from oracle.movements import listed
from oracle.results import Exact


class Indices:
    """The vectors of an array of indices."""

    def __init__(self, program, instruction, name):
        self.program, self.name, self.shape = program, name, program.shape(name)
        self.vector = int(instruction.attributes["index_vector_dim"])

    def at(self, batch):
        """The vector at a place among those dimensions that are not its own."""
        if self.vector == len(self.shape.sizes):
            return [self.value(tuple(batch))]
        return [self.value((*batch[:self.vector], k, *batch[self.vector:]))
                for k in range(self.shape.sizes[self.vector])]

    def value(self, index):
        return integer(self.shape.kind, self.program.code(self.name, index))

    def batch_place(self, dim, batch):
        """The part of a place that is of that dimension of the array."""
        return batch[dim - (dim > self.vector)]


def start_of(rank, indices, batch, mapped, own, theirs):
    """Where a window begins: by its vector, and by the place of batching dimensions."""
    start = [0] * rank
    for dim, value in zip(mapped, indices.at(batch)):
        start[dim] = value
    for dim, other in zip(own, theirs):
        start[dim] = indices.batch_place(other, batch)
    return start


def gather(program, instruction, index):
    """The source of an element: starts are moved into the array."""
    name, begins = instruction.operands
    sizes = program.shape(name).sizes
    slices, window_dims = listed(instruction, "slice_sizes"), listed(instruction, "offset_dims")
    own = listed(instruction, "operand_batching_dims")
    left_out = [*listed(instruction, "collapsed_slice_dims"), *own]
    batch = [part for dim, part in enumerate(index) if dim not in window_dims]
    place = start_of(len(sizes), Indices(program, instruction, begins), batch,
                     listed(instruction, "start_index_map"), own,
                     listed(instruction, "start_indices_batching_dims"))
    place = [min(max(start, 0), size - kept) for start, size, kept in zip(place, sizes, slices)]
    kept = [dim for dim in range(len(sizes)) if dim not in left_out]
    for dim, part in zip(kept, (index[dim] for dim in window_dims)):
        place[dim] += part
    return name, tuple(place)


def landing(program, instruction, name, leaf):
    """For each update where it goes, and whether all of its window lies in the array."""
    count = (len(instruction.operands) - 1) // 2
    indices = Indices(program, instruction, instruction.operands[count])
    updates, sizes = program.shape(name), program.shape(instruction.operands[leaf]).sizes
    if math.prod(updates.sizes) > folds.MOST:
        raise Unknown("a scatter of many elements")
    window_dims = listed(instruction, "update_window_dims")
    own = listed(instruction, "input_batching_dims")
    left_out = [*listed(instruction, "inserted_window_dims"), *own]
    kept = [dim for dim in range(len(sizes)) if dim not in left_out]
    spans = [1] * len(sizes)
    for dim, of in zip(kept, window_dims):
        spans[dim] = updates.sizes[of]
    for place in itertools.product(*map(range, updates.sizes)):
        batch = [part for dim, part in enumerate(place) if dim not in window_dims]
        start = start_of(len(sizes), indices, batch,
                         listed(instruction, "scatter_dims_to_operand_dims"), own,
                         listed(instruction, "scatter_indices_batching_dims"))
        inside = all(0 <= low and low + span <= size
                     for low, span, size in zip(start, spans, sizes))
        for dim, of in zip(kept, window_dims):
            start[dim] += place[of]
        yield place, tuple(start), inside


def scatter(program, instruction, index, leaf):
    count = (len(instruction.operands) - 1) // 2
    name = instruction.operands[count + 1 + leaf]
    kind = folds.same_kind(program, (instruction.operands[leaf], name),
                           instruction.shape.leaf(leaf))
    codes = [program.code(instruction.operands[leaf], index)]
    for place, target, inside in landing(program, instruction, name, leaf):
        if target == index and not inside:
            raise LeftOpen("an update whose window lies in the array in part")
        if target == index:
            codes.append(program.code(name, place))
    if len(codes) == 1:
        return Exact(codes[0])
    if folds.is_second(program, instruction, leaf):
        if len(codes) > 2:
            raise LeftOpen("several updates of an element, of which any may be the last")
        return Exact(codes[1])
    operation = folds.reducer(program, instruction, "to_apply", leaf)
    return folds.folded(operation, kind, codes)
