"""send-done: ends transfers in any order (spec/ops/send_done.md)."""

from assaygen import refused, stated
from assaygen.programs import channels

WHY = stated.WHY | channels.WHY
ROWS = [
    ("C1", "the operand is an array", "f32[4]",
     "d = token[] send-done(p0), channel_id=1 ; f32[4] copy(p0)"),
    ("C1", "the operand has two parts", "f32[4]",
     "t = token[] after-all() ; x = (f32[4], token[]) tuple(p0, t) ; "
     "d = token[] send-done(x), channel_id=1 ; f32[4] copy(p0)"),
    ("C1", "the operand ends with an array", "(f32[4], u32[], u32[])",
     "d = token[] send-done(p0), channel_id=1 ; f32[4] get-tuple-element(p0), index=0"),
]


STATED_REGIONS = """f {
  x = u32[] constant(1)
  t = token[] after-all()
  s = (u32[], u32[], token[]) send(x, t), channel_id=1
  e = token[] send-done(s), channel_id=1
  ROOT y = u32[] add(x, x)
}

"""
STATED = [
    ("nobody_receives",
     "nobody asks for the value",
     "",
     "u32[] custom-call(), custom_call_target=\"interpreter.run_parallel\", "
     "called_computations={f}, backend_config={}",
     "evaluate.deadlock"),
]


def cases():
    for number in range(channels.COUNT):
        yield channels.one("send-done", number)
    yield from refused.cases("send-done", ROWS)
    yield from (stated.case(row, regions=STATED_REGIONS) for row in STATED)
