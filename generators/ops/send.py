"""send and recv: random pairs over channels (spec/ops/send.md)."""

from assaygen import collectives as c, refused
from assaygen.cases import without
from assaygen.programs import pairs
from assaygen.arrays import Array
from assaygen.streams import Stream

WHY = without(c.WHY, "Halves") | refused.WHY
ROWS = [
    ("C1", "both operands are arrays", "f32[4]",
     "s = (f32[4], u32[], token[]) send(p0, p0), channel_id=1 ; "
     "e = token[] send-done(s), channel_id=1 ; f32[4] copy(p0)"),
    ("C1", "the token is in a tuple", "f32[4]",
     "t = token[] after-all() ; u = (token[]) tuple(t) ; "
     "s = (f32[4], u32[], token[]) send(p0, u), channel_id=1 ; "
     "e = token[] send-done(s), channel_id=1 ; f32[4] copy(p0)"),
    ("channel.alike", "two shapes over one channel to the host", "f32[4] ; f32[2]",
     "t = token[] after-all() ; "
     "s = (f32[4], u32[], token[]) send(p0, t), channel_id=1, is_host_transfer=true ; "
     "d = token[] send-done(s), channel_id=1, is_host_transfer=true ; "
     "u = (f32[2], u32[], token[]) send(p1, d), channel_id=1, is_host_transfer=true ; "
     "e = token[] send-done(u), channel_id=1, is_host_transfer=true ; f32[4] copy(p0)"),
]
MODES = (c.REPLICAS, c.PARTITIONS)


def one(number: int):
    stream = Stream("send", number)
    at = c.setting(stream, MODES, c.equal_groups)
    t, dims = c.random_type(stream), c.dims_of(stream)
    ids = at.replicas if at.mode == c.REPLICAS else at.partitions
    drawn = pairs.drawn(stream, ids)
    table = c.operands("send", number, at, t, dims)
    shape = Array(t, dims, ()).shape
    channel = "channel_id=0" if at.mode == c.REPLICAS else "channel_id=3"
    listed = (f"{channel}, frontend_attributes="
              f'{{_xla_send_recv_source_target_pairs="{c.listed(drawn)}"}}')
    send = f"s = ({shape}, u32[], token[]) send(p0, t), {listed}"
    recv = f"q = ({shape}, u32[], token[]) recv(t), {listed}"
    program = c.start(at, table).line("t = token[] after-all()")
    for line in [send, recv] if stream.below(2) else [recv, send]:
        program.line(line)
    program.line(f"e = token[] send-done(s), {channel}")
    program.line(f"d = ({shape}, token[]) recv-done(q), {channel}")
    program.root(shape, "get-tuple-element(d), index=0")
    return c.case(f"{t.name}/random_{number:03}", f"{len(drawn)} pairs", at, [table],
                  program, pairs.moved(at, table, drawn, t, dims))


def cases():
    yield from map(one, range(c.COUNT))
    yield from refused.cases("send", ROWS)
