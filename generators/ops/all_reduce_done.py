"""all-reduce-done: waits (spec/ops/all_reduce_done.md)."""

from functools import partial

from assaygen.cases import without
from assaygen.programs import flights as f, reductions as r

from ops import all_reduce_start

WHY = without(all_reduce_start.WHY, "Rejected")
ONE = partial(all_reduce_start.one, op="all-reduce-done")


def cases():
    yield from map(ONE, range(f.COUNT))
    yield from r.of_types(ONE)
