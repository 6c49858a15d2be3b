"""conditional: who is chosen, and that no other runs (spec/ops/conditional.md)."""

from assaygen import pools, refused, types
from assaygen.cases import without
from assaygen.programs import regions
from assaygen.movement import any_bits
from assaygen.programs.regions import PRED, Region, S32, case, scalar, shape
from assaygen.streams import Stream

WHY = refused.WHY | without({
    "Chosen": "each branch in turn, and numbers that name none, which take the last one",
    "Type": "any bits of any element type pass unchanged: NaN payloads, subnormals, -0",
    "Lazy": "the branch that is not chosen would never end",
    "Shapes": "operands of other shapes for each branch; tuples, also empty ones",
    "Nested": "branches in branches, in loops and in calls",
    "Devices": "each device chooses by itself",
    **pools.LAYOUT_WHY,
}, "Shape")
COUNT = 60
INDICES = (0, 1, 2, 3, -1, 4, (1 << 31) - 1, -(1 << 31))


def numbers():
    """Four branches that return their own number."""
    for index in INDICES:
        main = Region("main", shape(S32))
        branches = []
        for k in range(4):
            region = Region(f"b{k}")
            region.constant(S32, 10 + k)
            branches.append(Region(f"c{k}", ()))
            branches[-1].call(region)
        empty = main.tuple()
        main.branch("p0", branches, [empty] * 4)
        yield case(f"s32/number_{index}".replace("-", "minus_"), f"branch {index} of four",
                   main, ["Chosen"], scalar(S32, index))


def single():
    for index in (0, 1, -1):
        main = Region("main", shape(S32), shape(S32))
        only = Region("only", shape(S32))
        only.two("add", "p0", "p0")
        main.branch("p0", [only], ["p1"])
        yield case(f"s32/single_{index}".replace("-", "minus_"),
                   f"branch {index} of one", main, ["Chosen"], scalar(S32, index),
                   scalar(S32, 21))


def moved(t):
    """Two arrays of other shapes; the branches return the operand, and its twin."""
    a, b = any_bits("conditional", t, (2, 3)), any_bits("conditional", t, (4,))
    for flag in (0, 1):
        main = Region("main", shape(PRED), *regions.shape_of((a, b)))
        first, second = Region("first", regions.shape_of(a)), Region(
            "second", regions.shape_of((a, b)))
        second.element("p0", 0)
        both = main.tuple("p1", "p2")
        main.branch("p0", [first, second], ["p1", both])
        yield case(f"{t.name}/moved_{flag}", f"any bits of {t.name}, by {bool(flag)}", main,
                   ["Type", "Shapes"], scalar(PRED, flag), a, b)


def endless():
    """Branch 1 loops for ever; nobody asks for it."""
    form = shape(S32)
    condition = Region("always", form)
    condition.constant(PRED, 1)
    body = Region("same", form)
    dead = Region("dead", form)
    dead.step(form, "while", ("p0",), None, ", condition=always, body=same",
              (condition, body))
    alive = Region("alive", form)
    alive.two("add", "p0", "p0")
    for name, order, which in (("first", [alive, dead], 0), ("last", [dead, alive], 7)):
        main = Region("main", form)
        index = main.constant(S32, which)
        main.branch(index, order, ["p0", "p0"])
        yield case(f"s32/endless_{name}", "an endless branch that is not chosen", main,
                   ["Lazy"], scalar(S32, 5))


def empty():
    main = Region("main", shape(PRED), shape(S32))
    region = Region("nothing", ())
    main.branch("p0", [region, region], [main.tuple()] * 2)
    name = main.root
    main.tuple("p1", name)
    return case("s32/empty", "branches that return the empty tuple", main, ["Shapes"],
                scalar(PRED, 1), scalar(S32, 3))


def random_region(stream, name, form, depth):
    region = Region(name, form)
    x = regions.mixed(stream, region, ["p0"], 1 + stream.below(2))
    if depth:
        random_branch(stream, region, x, name, depth)
    return region


def random_branch(stream, region, x, name, depth):
    """By the sign of the first number, or by its low bits."""
    form = region.shapes[x]
    count = 2 if stream.bits(1) else 1 + stream.below(4)
    branches = [random_region(stream, f"{name}_{k}", form, stream.below(depth))
                for k in range(count)]
    if count == 2 and stream.bits(1):
        zero = region.spread(form.type, 0, form.dims)
        which = region.compare(x, zero, stream.choice(list(regions.COMPARE)))
    else:
        which = region.two("and", x, region.constant(S32, 3))
    return region.branch(which, branches, [x] * count)


def random_case(number: int):
    stream = Stream("conditional", number)
    main = Region("main", shape(S32))
    x = regions.mixed(stream, main, ["p0"], 1)
    x = random_branch(stream, main, x, "b", 3)
    regions.mixed(stream, main, ["p0", x], 1)
    devices = 1 + stream.below(3)
    return case(f"s32/nested_{number:03}", "random branches in branches", main,
                ["Nested", "Devices"], *(regions.small(S32, (), stream) for _ in range(devices)),
                header=f", replica_count={devices}", devices=devices)


def in_a_loop():
    """Collatz: halves even numbers, else triples and adds one; counts the steps."""
    form = (shape(S32), shape(S32))
    more = Region("more", form)
    more.compare(more.element("p0", 0), more.constant(S32, 1), "NE")
    even, odd = Region("even", shape(S32)), Region("odd", shape(S32))
    even.step(shape(S32), "divide", ("p0", even.constant(S32, 2)),
              lambda a, b: scalar(S32, S32.integer(a.codes[0]) // 2))
    odd.two("add", odd.two("multiply", "p0", odd.constant(S32, 3)), odd.constant(S32, 1))
    turn = Region("turn", form)
    x, n = (turn.element("p0", i) for i in (0, 1))
    which = turn.two("and", x, turn.constant(S32, 1))
    y = turn.branch(which, [even, odd], [x, x])
    turn.tuple(y, turn.two("add", n, turn.constant(S32, 1)))
    for start in (1, 6, 27):
        main = Region("main", shape(S32))
        main.loop(main.tuple("p0", main.constant(S32, 0)), more, turn)
        main.element(main.root, 1)
        yield case(f"s32/collatz_{start}", f"the steps of {start} to 1", main, ["Nested"],
                   scalar(S32, start))


def laid_out():
    for i, layout in enumerate(pools.LAYOUTS):
        x = any_bits("conditional", types.F32, (5, 6), str(i)).with_layout(layout)
        form = regions.shape_of(x)
        same = Region("same", form)
        main = Region("main", shape(PRED), form)
        main.branch("p0", [same, same], ["p1", "p1"])
        yield case(f"f32/layout_{i}", f"an operand laid out as {layout}", main, ["Layout"],
                   scalar(PRED, i % 2), x)


BRANCHES = """negative {{
  a = s32[2] parameter(0)
  ROOT r = s32[2] negate(a)
}}

{0} {{
  a = s32[2] parameter(0)
  {1}
}}{2}"""
ROWS = [
    ("C1", "the selector is unsigned", "u32[] ; s32[2]",
     "s32[2] conditional(p0, p1, p1), branch_computations={negative, same}"),
    ("C1", "the selector is a vector", "pred[1] ; s32[2]",
     "s32[2] conditional(p0, p1, p1), true_computation=negative, false_computation=same"),
    ("C1", "the selector has 64 bits", "s64[] ; s32[2]",
     "s32[2] conditional(p0, p1, p1), branch_computations={negative, same}"),
    ("C2", "an index with true and false", "s32[] ; s32[2]",
     "s32[2] conditional(p0, p1, p1), true_computation=negative, false_computation=same"),
    ("C2", "a predicate with numbered branches", "pred[] ; s32[2]",
     "s32[2] conditional(p0, p1, p1), branch_computations={negative, same}"),
    ("C3", "an operand too much", "s32[] ; s32[2]",
     "s32[2] conditional(p0, p1, p1, p1), branch_computations={negative, same}"),
    ("C3", "an operand too few", "pred[] ; s32[2]",
     "s32[2] conditional(p0, p1), true_computation=negative, false_computation=same"),
    ("C4", "an operand has another size", "s32[] ; s32[2] ; s32[3]",
     "s32[2] conditional(p0, p1, p2), branch_computations={negative, same}"),
    ("C4", "an operand is a tuple", "pred[] ; s32[2] ; (s32[2])",
     "s32[2] conditional(p0, p1, p2), true_computation=negative, false_computation=same"),
]
BROKEN = [
    ("C4", "a branch has two parameters",
     "b = s32[2] parameter(1)\n  ROOT r = s32[2] add(a, b)", ""),
    ("C5", "a branch returns another type", "ROOT r = f32[2] convert(a)", ""),
    ("C5", "a branch returns a tuple", "ROOT r = (s32[2]) tuple(a)", ""),
    ("C6", "a branch runs in another thread", "ROOT r = s32[2] copy(a)",
     ', execution_thread="host"'),
]


def forbidden():
    good = BRANCHES.format("same", "ROOT r = s32[2] copy(a)", "")
    yield from refused.cases("conditional", ROWS, good)
    root = "s32[2] conditional(p0, p1, p1), branch_computations={negative, same}"
    for rule, statement, body, tail in BROKEN:
        yield refused.case("conditional", (rule, statement, "s32[] ; s32[2]", root),
                           BRANCHES.format("same", body, tail))
    first = BRANCHES.format("same", "ROOT r = s32[2] copy(a), sharding={replicated}", "")
    yield refused.case(
        "conditional", ("sharding.consistent", "a branch has another sharding",
                        "s32[] ; s32[2]", root + ", sharding={maximal device=0}"), first)


def cases():
    for rows in (numbers, single, endless, in_a_loop, laid_out, forbidden):
        yield from rows()
    for t in types.ALL:
        yield from moved(t)
    yield empty()
    yield from map(random_case, range(COUNT))
