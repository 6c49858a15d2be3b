"""infeed: values of a queue, in their order (spec/ops/infeed.md)."""

from assaygen import refused, stated, types
from assaygen.programs import hosts
from assaygen.movement import any_bits
from assaygen.programs.regions import PRED, Region, S32, case, scalar, shape, shape_of
from assaygen.streams import Stream

WHY = stated.WHY | refused.WHY | {
    "Type": "any bits of any element type pass unchanged: NaN payloads, subnormals, -0",
    "Order": "several values of several shapes: first in, first out",
    "Control": "loops and branches take as many values as they run",
}
COUNT = 60
STATED_REGIONS = """f {
  t = token[] after-all()
  e = ((), token[]) infeed(t)
  u = token[] get-tuple-element(e), index=1
  i = (s32[], token[]) infeed(u)
  ROOT x = s32[] get-tuple-element(i), index=0
}

w {
  t = token[] parameter(0)
  ROOT i = (s32[], token[]) infeed(t)
}

g {
  t = token[] after-all()
  s = ((token[]), (s32[], token[])) async-start(t), calls=w
  d = (s32[], token[]) async-done(s)
  ROOT x = s32[] get-tuple-element(d), index=0
}

q {
  ROOT c = s32[] constant(8)
}

r {
  ROOT c = s32[] constant(9)
}

"""
STATED = [
    ("no_arrays", "an infeed of the empty tuple takes no value of the queue", "",
     "s32[] custom-call(), custom_call_target=\"interpreter.run_parallel\", "
     "called_computations={f, q}, backend_config={\"infeed\":[1]}",
     "s32[] 00000008"),
    ("begun_once", "what async-start has taken of the queue async-done gives", "",
     "s32[] custom-call(), custom_call_target=\"interpreter.run_parallel\", "
     "called_computations={g, q, r}, backend_config={\"infeed\":[1,2]}",
     "s32[] 00000008"),
]


def one(t):
    x = any_bits("infeed", t, (2, 3))
    queue, program, main = hosts.Queue(), Region("f"), Region("main")
    y, _ = hosts.infeed(program, queue, shape_of(x), hosts.token(program))
    program.tuple(y)
    hosts.run(main, queue, program, [x])
    return case(f"{t.name}/one", f"a value of {t.name}", main, ["Type"])


def random_case(number: int):
    """Tuples and arrays, which the program returns in another order."""
    stream = Stream("infeed", number)
    values = [hosts.value("infeed", stream, str(k)) for k in range(1 + stream.below(5))]
    queue, program, main = hosts.Queue(), Region("f"), Region("main")
    token, names = hosts.token(program), []
    for x in values:
        name, token = hosts.infeed(program, queue, shape_of(x), token)
        names.insert(stream.below(len(names) + 1), name)
    program.tuple(*names)
    hosts.run(main, queue, program, values)
    return case(f"tuple/random_{number:03}", f"{len(values)} values", main,
                ["Order", "Type"])


def loops(count: int, left: int):
    """x = 3 x + the next value, as often as the operand says; then one more."""
    stream = Stream("infeed", "loop", count)
    values = [scalar(S32, stream.below(1000) - 500) for _ in range(count + left)]
    queue = hosts.Queue()
    form = (shape(S32), shape(S32), shape(S32), None)
    more, turn = Region("more", form), Region("turn", form)
    more.compare(more.element("p0", 0), more.element("p0", 1), "LT")
    i, n, x, token = (turn.element("p0", k) for k in range(4))
    y, token = hosts.infeed(turn, queue, shape(S32), token)
    x = turn.two("add", turn.two("multiply", x, turn.constant(S32, 3)), y)
    turn.tuple(turn.two("add", i, turn.constant(S32, 1)), n, x, token)
    program = Region("f", shape(S32))
    zero = program.constant(S32, 0)
    state = program.loop(program.tuple(zero, "p0", zero, hosts.token(program)), more, turn)
    x, token = program.element(state, 2), program.element(state, 3)
    names = [x]
    for _ in range(left):
        y, token = hosts.infeed(program, queue, shape(S32), token)
        names.append(y)
    program.tuple(*names)
    main = Region("main", shape(S32))
    hosts.run(main, queue, program, values, ("p0",))
    return case(f"s32/loop_{count}_{left}", f"a loop takes {count} values, {left} are left",
                main, ["Control"], scalar(S32, count))


def branches(flag: int):
    """Only the first branch takes a value: what comes next depends on it."""
    queue = hosts.Queue()
    form = (shape(S32), None)
    takes, passes = Region("takes", form), Region("passes", form)
    y, token = hosts.infeed(takes, queue, shape(S32), takes.element("p0", 1))
    takes.tuple(y, token)
    passes.tuple(passes.element("p0", 0), passes.element("p0", 1))
    program = Region("f", shape(PRED))
    start = program.tuple(program.constant(S32, 7), hosts.token(program))
    both = program.branch("p0", [takes, passes], [start, start])
    y, _ = hosts.infeed(program, queue, shape(S32), program.element(both, 1))
    program.tuple(program.element(both, 0), y)
    main = Region("main", shape(PRED))
    hosts.run(main, queue, program, [scalar(S32, k) for k in (100, 200)], ("p0",))
    return case(f"s32/branch_{flag}", f"a branch that takes a value, by {bool(flag)}", main,
                ["Control"], scalar(PRED, flag))


QUEUE = """f {{
  t = token[] after-all()
  i = ({0}, token[]) infeed(t)
  u = token[] get-tuple-element(i), index=1
  j = ({0}, token[]) infeed(u)
  ROOT r = {0} get-tuple-element(j), index=0
}}

q0 {{
  ROOT c = s32[2] constant({{1, 2}})
}}

q1 {{
  ROOT c = {1}
}}"""
CALL = ('custom-call(), custom_call_target="interpreter.run_parallel", '
        'called_computations={f, q0, q1}, backend_config={"infeed":')
ROWS = [
    ("C1", "the operand is an array", "s32[]", "(f32[4], token[]) infeed(p0)"),
    ("C1", "the token is in a tuple", "",
     "t = token[] after-all() ; u = (token[]) tuple(t) ; (f32[4], token[]) infeed(u)"),
    ("C2", "the result is the data alone", "", "t = token[] after-all() ; f32[4] infeed(t)"),
    ("C2", "the result has no token", "",
     "t = token[] after-all() ; (f32[4], f32[4]) infeed(t)"),
    ("C2", "the token comes first", "", "t = token[] after-all() ; (token[], f32[4]) infeed(t)"),
    ("C2", "the result has three parts", "",
     "t = token[] after-all() ; (f32[4], f32[4], token[]) infeed(t)"),
    ("infeed.empty", "there is no queue", "",
     "t = token[] after-all() ; (f32[4], token[]) infeed(t)"),
]
QUEUED = [
    ("infeed.empty", "the queue has one value for two", "s32[2]", "[1]", "s32[2]",
     "s32[2] constant({3, 4})"),
    ("infeed.shape", "the next value is longer", "s32[2]", "[1,2]", "s32[2]",
     "s32[3] constant({3, 4, 5})"),
    ("infeed.shape", "the next value has another type", "s32[2]", "[1,2]", "s32[2]",
     "u32[2] constant({3, 4})"),
    ("infeed.shape", "the next value is a tuple", "s32[2]", "[1,2]", "s32[2]",
     "(s32[2]) constant(({3, 4}))"),
]


def forbidden():
    yield from refused.cases("infeed", ROWS)
    for rule, statement, asked, listed, result, last in QUEUED:
        call = CALL if listed == "[1,2]" else CALL.replace(", q1", "")
        row = (rule, statement, "", f"{result} {call}{listed}}}")
        yield refused.case("infeed", row, QUEUE.format(asked, last))


def cases():
    for t in types.ALL:
        yield one(t)
    yield from map(random_case, range(COUNT))
    for count, left in ((0, 1), (1, 0), (5, 2)):
        yield loops(count, left)
    for flag in (0, 1):
        yield branches(flag)
    yield from forbidden()
    yield from (stated.case(row, nan="same", regions=STATED_REGIONS) for row in STATED)
