"""collective-permute: random pairs (spec/ops/collective_permute.md)."""

from assaygen import collectives as c, pairs
from assaygen.arrays import Array
from assaygen.streams import Stream

WHY = c.WHY
MODES = (c.REPLICAS, c.PARTITIONS)


def one(number: int):
    stream = Stream("collective-permute", number)
    at = c.setting(stream, MODES, c.equal_groups)
    t, dims = c.random_type(stream), c.dims_of(stream)
    ids = at.replicas if at.mode == c.REPLICAS else at.partitions
    drawn = pairs.drawn(stream, ids)
    table = c.operands("collective-permute", number, at, t, dims)
    shape = Array(t, dims, ()).shape
    channel = "" if at.mode == c.REPLICAS else ", channel_id=1"
    attributes = f"source_target_pairs={c.listed(drawn)}{channel}"
    program = c.start(at, table)
    halves = stream.below(3) == 0
    if halves:
        program.line(f"s = ({shape}, {shape}) collective-permute-start(p0), "
                     f"{attributes}")
        program.root(shape, "collective-permute-done(s)")
    else:
        program.root(shape, f"collective-permute(p0), {attributes}")
    return c.case(f"{t.name}/random_{number:03}", f"{len(drawn)} pairs", at, [table],
                  program, pairs.moved(at, table, drawn, t, dims),
                  "Halves" if halves else "Random")


def cases():
    yield from map(one, range(c.COUNT))
