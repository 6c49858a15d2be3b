"""Control flow, tuples, the host and random numbers."""

from __future__ import annotations

from assaygen import arrays
from assaygen.arrays import Array
from assaygen.cases import Case
from seeds.common import (F32, PRED, S32, U64, example, matrix, number, text, vector)

OPS = "002_operations"


def tuples():
    v, s = arrays.iota(F32, (10,), 0), number(S32, 5)
    yield example(OPS, "tuple.element_1", "element 1 of a tuple of an array and a scalar", [v, s],
                  "t = (f32[10], s32[]) tuple(p0, p1)\nr = s32[] get-tuple-element(t), index=1",
                  [s])
    yield example(OPS, "tuple.made", "a tuple of an array and a scalar", [v, s],
                  "t = (f32[10], s32[]) tuple(p0, p1)", [v, s])


LOOP = """more {
  s = (s32[], f32[10]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] constant(1000)
  ROOT p = pred[] compare(i, n), direction=LT
}

turn {
  s = (s32[], f32[10]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  v = f32[10] get-tuple-element(s), index=1
  one = s32[] constant(1)
  j = s32[] add(i, one)
  c = f32[10] constant({1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  w = f32[10] add(v, c)
  ROOT r = (s32[], f32[10]) tuple(j, w)
}"""


def control():
    yield example(OPS, "while.thousand", "a constant vector is added a thousand times", [],
                  """i = s32[] constant(0)
                  z = f32[] constant(0)
                  v = f32[10] broadcast(z), dimensions={}
                  s = (s32[], f32[10]) tuple(i, v)
                  r = (s32[], f32[10]) while(s), condition=more, body=turn""",
                  [number(S32, 1000), vector(F32, *(1000 * k for k in range(1, 11)))],
                  regions=[LOOP])
    once = "one {\n  x = s32[] parameter(0)\n  ROOT r = s32[] negate(x)\n}"
    twice = "two {\n  x = s32[] parameter(0)\n  ROOT r = s32[] add(x, x)\n}"
    for k, found in ((1, -7), (0, 18)):
        yield example(OPS, f"conditional.pred_{k}", "one of two computations, each on its operand",
                      [Array(PRED, (), (k,)), number(S32, 7), number(S32, 9)],
                      "r = s32[] conditional(p0, p1, p2), true_computation=one, "
                      "false_computation=two", [number(S32, found)], why="Stated",
                      regions=[once, twice])
    for k, found in ((-1, 18), (0, -7), (1, 18), (2, 18)):
        yield example(OPS, f"conditional.index_{'minus_' * (k < 0)}{abs(k)}",
                      "an index out of range runs the last branch",
                      [number(S32, k), number(S32, 7), number(S32, 9)],
                      "r = s32[] conditional(p0, p1, p2), branch_computations={one, two}",
                      [number(S32, found)], why="Stated", regions=[once, twice])
    yield example(OPS, "call.two_arguments", "a computation is called", [
        number(S32, 7), number(S32, 9)], "r = s32[] call(p0, p1), to_apply=f",
        [number(S32, -2)], why="Stated", regions=[
            "f {\n  x = s32[] parameter(0)\n  y = s32[] parameter(1)\n"
            "  ROOT r = s32[] subtract(x, y)\n}"])
    x, y = vector(F32, 1, 2), matrix(F32, [10, 20, 30], [40, 50, 60])
    yield example(OPS, "custom_call.first_element", "what the document's function writes first: "
                  "x[1] + y[1][0]", [x, y], """a = f32[1] slice(p0), slice={[1:2]}
                  b = f32[1,1] slice(p1), slice={[1:2], [0:1]}
                  c = f32[1] reshape(b)
                  r = f32[1] add(a, c)""", [vector(F32, 42)])
    yield example(OPS, "optimization_barrier.tuple", "a barrier hands on what it gets", [x, y],
                  """t = (f32[2], f32[2,3]) tuple(p0, p1)
                  r = (f32[2], f32[2,3]) opt-barrier(t)""", [x, y], why="Stated")
    yield example(OPS, "after_all.joined", "a token of two tokens, and of none", [x],
                  """a = token[] after-all()
                  b = token[] after-all()
                  c = token[] after-all(a, b)
                  r = f32[2] add-dependency(p0, c)""", [x], why="Stated")


def host(program: str, values, results) -> str:
    """A module that runs f on a queue of computations that give the values."""
    queue = "".join(f"q{k} {{\n{lines}\n}}\n\n" for k, lines in enumerate(values))
    names = ", ".join(["f", *(f"q{k}" for k in range(len(values)))])
    listed = ",".join(str(k + 1) for k in range(len(values)))
    form = "(" + ", ".join(results) + ")" if len(results) != 1 else results[0]
    return (f"HloModule m\n\n{program}\n\n{queue}ENTRY main {{\n  t = token[] after-all()\n"
            f"  ROOT r = {form} custom-call(t), custom_call_target=\"interpreter.run_parallel\", "
            f"called_computations={{{names}}}, backend_config={{\"infeed\":[{listed}]}}\n}}\n")


def constant(t: str, words: str) -> str:
    return f"  ROOT c = {t} constant({words})"


TURNS = """more {
  s = (s32[], s32[], token[]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] constant(2)
  ROOT p = pred[] compare(i, n), direction=LT
}

turn {
  s = (s32[], s32[], token[]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  x = s32[] get-tuple-element(s), index=1
  t = token[] get-tuple-element(s), index=2
  one = s32[] constant(1)
  j = s32[] add(i, one)
  v = (s32[], token[]) infeed(t)
  y = s32[] get-tuple-element(v), index=0
  u = token[] get-tuple-element(v), index=1
  ten = s32[] constant(10)
  z = s32[] multiply(x, ten)
  w = s32[] add(z, y)
  ROOT r = (s32[], s32[], token[]) tuple(j, w, u)
}

"""


def infeeds():
    loops = TURNS + """f {
  t = token[] parameter(0)
  zero = s32[] constant(0)
  a = (s32[], s32[], token[]) tuple(zero, zero, t)
  b = (s32[], s32[], token[]) while(a), condition=more, body=turn
  x = s32[] get-tuple-element(b), index=1
  u = token[] get-tuple-element(b), index=2
  c = (s32[], s32[], token[]) tuple(zero, x, u)
  d = (s32[], s32[], token[]) while(c), condition=more, body=turn
  ROOT r = s32[] get-tuple-element(d), index=1
}"""
    yield text(OPS, "infeed.two_loops", "two loops take in turn, the second what follows the first",
               host(loops, [constant("s32[]", str(k)) for k in (1, 2, 3, 4)], ["s32[]"]),
               [number(S32, 1234)], why="Stated")
    nested = """f {
  t = token[] parameter(0)
  i = (((s32[2], (f32[])), s32[]), token[]) infeed(t)
  ROOT a = ((s32[2], (f32[])), s32[]) get-tuple-element(i), index=0
}"""
    value = ("  c = s32[2] constant({1, 2})\n  d = f32[] constant(3)\n  e = (f32[]) tuple(d)\n"
             "  g = (s32[2], (f32[])) tuple(c, e)\n  h = s32[] constant(4)\n"
             "  ROOT r = ((s32[2], (f32[])), s32[]) tuple(g, h)")
    yield text(OPS, "infeed.nested_tuples", "nested tuples are taken, which the document does not "
               "support", host(nested, [value], ["((s32[2], (f32[])), s32[])"]),
               [vector(S32, 1, 2), number(F32, 3), number(S32, 4)], why="Refused")
    for name, shape in (("empty_tuple", "()"), ("tuple_of_empty_tuples", "((), ())")):
        program = f"""f {{
  t = token[] parameter(0)
  e = ({shape}, token[]) infeed(t)
  u = token[] get-tuple-element(e), index=1
  i = (s32[2], token[]) infeed(u)
  ROOT a = s32[2] get-tuple-element(i), index=0
}}"""
        yield text(OPS, f"infeed.{name}", "an infeed of no arrays reads nothing",
                   host(program, [constant("s32[2]", "{1, 2}")], ["s32[2]"]),
                   [vector(S32, 1, 2)], why="Stated")


SEEDS = [("rng_three_fry", 2), ("rng_philox", 2), ("rng_philox", 3), ("rng_default", 2)]


def draws():
    """Equal states give equal bits; which bits, only named algorithms say."""
    for algorithm, words in SEEDS:
        form = f"u64[{words}], u32[100]"
        state = Array(U64, (words,), (42, 7, 1)[:words])
        yield example(OPS, f"rng_bit_generator.{algorithm[4:]}_{words}", "equal states give equal "
                      "bits and equal states", [state], f"""
                      a = ({form}) rng-bit-generator(p0), algorithm={algorithm}
                      b = ({form}) rng-bit-generator(p0), algorithm={algorithm}
                      c = u32[100] get-tuple-element(a), index=1
                      d = u32[100] get-tuple-element(b), index=1
                      e = u64[{words}] get-tuple-element(a), index=0
                      f = u64[{words}] get-tuple-element(b), index=0
                      g = pred[100] compare(c, d), direction=EQ
                      h = pred[{words}] compare(e, f), direction=EQ
                      r = (pred[100], pred[{words}]) tuple(g, h)""",
                      [Array(PRED, (100,), (1,) * 100), Array(PRED, (words,), (1,) * words)],
                      why="Stated")
    yield uniform()
    yield example(OPS, "rng_normal.no_deviation", "a deviation of 0 gives the mean, the one "
                  "number that is promised", [number(F32, 3), number(F32, 0)],
                  "r = f32[4] rng(p0, p1), distribution=rng_normal", [vector(F32, 3, 3, 3, 3)],
                  why="Stated")


def uniform() -> Case:
    """No promise about the bits: any number of [2, 3)."""
    return example(OPS, "rng_uniform.range", "any number from 2 on that is below 3",
                   [number(F32, 2), number(F32, 3)],
                   """x = f32[8] rng(p0, p1), distribution=rng_uniform
                      a = f32[8] broadcast(p0), dimensions={}
                      b = f32[8] broadcast(p1), dimensions={}
                      c = pred[8] compare(x, a), direction=GE
                      d = pred[8] compare(x, b), direction=LT
                      r = pred[8] and(c, d)""", [Array(PRED, (8,), (1,) * 8)], why="Stated")


def cases():
    for part in (tuples, control, infeeds, draws):
        yield from part()
