"""all-reduce-done: waits (spec/ops/all_reduce_done.md)."""

from assaygen import flights as f

from ops import all_reduce_start

WHY = all_reduce_start.WHY


def cases():
    for number in range(f.COUNT):
        yield all_reduce_start.one(number, "all-reduce-done")
