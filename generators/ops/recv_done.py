"""recv-done: ends transfers in any order (spec/ops/recv_done.md)."""

from assaygen import refused, stated
from assaygen.programs import channels

WHY = stated.WHY | channels.WHY
ROWS = [
    ("C1", "the operand is an array", "f32[4]",
     "d = (f32[4], token[]) recv-done(p0), channel_id=1 ; f32[4] copy(p0)"),
    ("C1", "the operand has two parts", "f32[4]",
     "t = token[] after-all() ; x = (f32[4], token[]) tuple(p0, t) ; "
     "d = (f32[4], token[]) recv-done(x), channel_id=1 ; f32[4] copy(p0)"),
    ("C1", "the operand ends with an array", "(f32[4], u32[], f32[4])",
     "d = (f32[4], token[]) recv-done(p0), channel_id=1 ; "
     "f32[4] get-tuple-element(p0), index=0"),
]


STATED_REGIONS = """f {
  t = token[] after-all()
  r = (u32[], u32[], token[]) recv(t), channel_id=1
  d = (u32[], token[]) recv-done(r), channel_id=1
  g = u32[] get-tuple-element(d), index=0
  d1 = token[] get-tuple-element(d), index=1
  s = (u32[], u32[], token[]) send(g, d1), channel_id=1
  e = token[] send-done(s), channel_id=1
  ROOT y = u32[] constant(1)
}

"""
STATED = [
    ("nobody_sends",
     "nobody sends",
     "",
     "u32[] custom-call(), custom_call_target=\"interpreter.run_parallel\", "
     "called_computations={f}, backend_config={}",
     "evaluate.deadlock"),
]


def cases():
    for number in range(channels.COUNT):
        yield channels.one("recv-done", number)
    yield from refused.cases("recv-done", ROWS)
    yield from (stated.case(row, regions=STATED_REGIONS) for row in STATED)
