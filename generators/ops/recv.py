"""recv: from other devices, and from the host (spec/ops/recv.md)."""

from assaygen import refused, types
from assaygen.programs import channels, hosts
from assaygen.movement import any_bits
from assaygen.programs.regions import Region, case, shape_of
from assaygen.streams import Stream

WHY = channels.WHY | {
    "Host": "a transfer from the host takes the next value of the queue",
    "Type": "any bits of any element type pass unchanged: NaN payloads, subnormals, -0",
}
ROWS = [
    ("C1", "the operand is an array", "s32[2]",
     "q = (f32[4], u32[], token[]) recv(p0), channel_id=1 ; "
     "d = (f32[4], token[]) recv-done(q), channel_id=1 ; s32[2] copy(p0)"),
    ("C1", "the token is in a tuple", "s32[2]",
     "t = token[] after-all() ; u = (token[]) tuple(t) ; "
     "q = (f32[4], u32[], token[]) recv(u), channel_id=1 ; "
     "d = (f32[4], token[]) recv-done(q), channel_id=1 ; s32[2] copy(p0)"),
    ("C2", "the result is the data alone", "s32[2]",
     "t = token[] after-all() ; q = f32[4] recv(t), channel_id=1 ; "
     "d = (f32[4], token[]) recv-done(q), channel_id=1 ; s32[2] copy(p0)"),
    ("C2", "the result is the empty tuple", "s32[2]",
     "t = token[] after-all() ; q = () recv(t), channel_id=1 ; "
     "d = (f32[4], token[]) recv-done(q), channel_id=1 ; s32[2] copy(p0)"),
    ("channel.alike", "two shapes over one channel from the host", "s32[2]",
     "t = token[] after-all() ; "
     "q = (f32[4], u32[], token[]) recv(t), channel_id=1, is_host_transfer=true ; "
     "d = (f32[4], token[]) recv-done(q), channel_id=1, is_host_transfer=true ; "
     "u = token[] get-tuple-element(d), index=1 ; "
     "v = (f32[2], u32[], token[]) recv(u), channel_id=1, is_host_transfer=true ; "
     "e = (f32[2], token[]) recv-done(v), channel_id=1, is_host_transfer=true ; "
     "s32[2] copy(p0)"),
]


def from_host(values, what: str, why: str, step: int = 1):
    """Values of a queue, one transfer after the other, each over a channel of its own, or
    with step 0 all over one."""
    queue, program, main = hosts.Queue(), Region("f"), Region("main")
    token, names = hosts.token(program), []
    for k, x in enumerate(values):
        form, extra = shape_of(x), f", channel_id={step * k + 1}, is_host_transfer=true"
        begun = program.step((form, channels.WORD, None), "recv", (token,), lambda _: None,
                             extra)
        done = program.step((form, None), "recv-done", (begun,),
                            lambda _: (queue.take(), None), extra)
        names.append(program.element(done, 0))
        token = program.element(done, 1)
    program.tuple(*names)
    hosts.run(main, queue, program, values)
    return case(what, f"{len(values)} values from the host", main, [why])


def cases():
    for number in range(channels.COUNT):
        yield channels.one("recv", number)
    for t in types.ALL:
        yield from_host([any_bits("recv", t, (2, 2))], f"{t.name}/host", "Type")
    for number in range(20):
        stream = Stream("recv", "host", number)
        values = [hosts.value("recv", stream, str(k), 0) for k in range(2 + stream.below(4))]
        yield from_host(values, f"host/random_{number:03}", "Host")
    alike = [any_bits("recv", types.F32, (2, 2), f"alike{k}") for k in range(3)]
    yield from_host(alike, "f32/host_one_channel", "Host", 0)
    yield from refused.cases("recv", ROWS)
