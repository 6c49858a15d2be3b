"""send-done: ends transfers in any order (spec/ops/send_done.md)."""

from assaygen import refused
from assaygen.programs import channels

WHY = channels.WHY
ROWS = [
    ("C1", "the operand is an array", "f32[4]",
     "d = token[] send-done(p0), channel_id=1 ; f32[4] copy(p0)"),
    ("C1", "the operand has two parts", "f32[4]",
     "t = token[] after-all() ; x = (f32[4], token[]) tuple(p0, t) ; "
     "d = token[] send-done(x), channel_id=1 ; f32[4] copy(p0)"),
    ("C1", "the operand ends with an array", "(f32[4], u32[], u32[])",
     "d = token[] send-done(p0), channel_id=1 ; f32[4] get-tuple-element(p0), index=0"),
]


def cases():
    for number in range(channels.COUNT):
        yield channels.one("send-done", number)
    yield from refused.cases("send-done", ROWS)
