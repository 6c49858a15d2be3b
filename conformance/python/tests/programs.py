"""Programs that several tests use."""

SUM = """HloModule sum

add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT c = f32[] add(a, b)
}

ENTRY main {
  x = f32[3] parameter(0)
  zero = f32[] constant(0)
  ROOT s = f32[] reduce(x, zero), dimensions={0}, to_apply=add
}
"""

SOFTMAX = """HloModule softmax

sum {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT c = f32[] add(a, b)
}

ENTRY main {
  x = f32[4] parameter(0)
  e = f32[4] exponential(x)
  zero = f32[] constant(0)
  s = f32[] reduce(e, zero), dimensions={0}, to_apply=sum
  b = f32[4] broadcast(s), dimensions={}
  ROOT r = f32[4] divide(e, b)
}
"""

ENDLESS = """HloModule endless

condition {
  x = s32[] parameter(0)
  ROOT t = pred[] constant(true)
}

body {
  x = s32[] parameter(0)
  one = s32[] constant(1)
  ROOT y = s32[] add(x, one)
}

ENTRY main {
  x = s32[] constant(0)
  ROOT w = s32[] while(x), condition=condition, body=body
}
"""

TWO = """HloModule two

ENTRY main {
  x = s32[2] parameter(0)
  y = s32[2] parameter(1)
  sum = s32[2] add(x, y)
  less = pred[2] compare(x, y), direction=LT
  ROOT r = (s32[2], pred[2]) tuple(sum, less)
}
"""


def unary(operation: str, shape: str) -> str:
    """A program of one operation from arrays of that shape to such."""
    return (f"HloModule one\n\nENTRY main {{\n  x = {shape} parameter(0)\n"
            f"  ROOT r = {shape} {operation}(x)\n}}\n")


def binary(operation: str, shape: str) -> str:
    return (f"HloModule one\n\nENTRY main {{\n  x = {shape} parameter(0)\n"
            f"  y = {shape} parameter(1)\n"
            f"  ROOT r = {shape} {operation}(x, y)\n}}\n")
