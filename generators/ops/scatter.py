"""scatter: windows of updates at places that indices name (spec/ops/scatter.md)."""

from assaygen import arrays, combiners, indexed, movement, pools, refused, stated, types
from assaygen.arrays import Array
from assaygen.cases import Case, rejected
from assaygen.indexed import Numbers, listed
from assaygen.program import Program
from assaygen.streams import Stream

WHY = stated.WHY | {
    "Random": "dimension numbers, shapes, types, regions and indices drawn at random",
    "Combiner": "each region that is one operation, of each type",
    "Outside": "a window that does not lie in the operand as a whole is left out",
    "Index": "indices of each type, with its ends",
    "Several": "several updates of one element: joined in any order, each once",
    "AnyOrder": "a sum whose every order is admissible within the proven bound",
    "Flags": "promises that hold change nothing",
    "Variadic": "several operands and updates, each with its own combiner",
    "Mixed": "one float type stands for another",
    "Empty": "no windows, or windows without elements",
    "Untouched": "an element without updates keeps its bits, those of NaN too",
    "Layout": "operands, indices and updates in other orders and tilings",
    "Rejected": "a rule of the page is violated",
}
COUNT = 240
S32, F32 = types.S32, types.F32
# Operand, indices, window in the updates, inserted, map, index_vector_dim, window sizes
# (1 where inserted), batching of the operand and of the indices.
ROWS = Numbers((5, 4), (3, 1), [1], [0], [0], 1, [1, 4], [], [])
SCALARS = Numbers((6,), (5,), [], [0], [0], 1, [1], [], [])
BLOCKS = Numbers((5, 6), (2, 4), [0, 2], [], [1, 0], 0, [2, 3], [], [])
BATCHED = Numbers((3, 4, 2), (3, 2, 1), [2], [1], [1], 2, [1, 1, 2], [0], [0])


def attributes(numbers):
    text = (f"update_window_dims={listed(numbers.offset)}, "
            f"inserted_window_dims={listed(numbers.collapsed)}, "
            f"scatter_dims_to_operand_dims={listed(numbers.start_map)}, ")
    if numbers.operand_batching:
        text += (f"input_batching_dims={listed(numbers.operand_batching)}, "
                 f"scatter_indices_batching_dims={listed(numbers.start_batching)}, ")
    return text + f"index_vector_dim={numbers.vector}"


def updates_of(t, name, numbers, found, tag, stream):
    """Where updates alone count, several of one element have neighbouring codes."""
    dims = numbers.slices()
    if name != "update":
        return combiners.drawn(t, name, dims, stream)
    array = movement.any_bits("scatter", t, dims, tag)
    codes = list(array.codes)
    for places in found.values():
        at = [array.position(i) for i in places]
        if len(at) > 1:
            base = codes[at[0]]
            for k, code in zip(at, combiners.updates(t, base, len(at))):
                codes[k] = code
    return Array(t, dims, tuple(codes))


def result_of(t, name, operand, updates, found):
    triples = [combiners.joined(t, name, [operand.at(i), *map(updates.at, found.get(i, []))])
               for i in operand.indices()]
    nan = "same" if name == "update" else "any"
    several = any(len(places) > 1 for places in found.values())
    join = combiners.expectation if several else combiners.once
    return join(t, operand.dims, triples, nan)


def one(kinds, numbers, indices, name, why, flags="", layout=""):
    """Operands and updates of all kinds, drawn by the name of the case."""
    stream = Stream("scatter", kinds[0][0].name, name)
    found = numbers.targets(indices)
    operands = [combiners.drawn(t, f, numbers.dims, stream) for t, f in kinds]
    updates = [updates_of(t, f, numbers, found, f"{name}{k}", stream)
               for k, (t, f) in enumerate(kinds)]
    expect = [result_of(t, f, x, u, found) for (t, f), x, u in zip(kinds, operands, updates)]
    inputs = [x.with_layout(layout) for x in (*operands, indices, *updates)]
    program = Program("m", inputs).region(combiners.region(kinds)).root(
        combiners.shape(inputs[:len(kinds)]),
        f"scatter({combiners.parameters(len(inputs))}), {attributes(numbers)}{flags}, "
        "to_apply=f")
    why = [*why, *["Several"] * any(len(x) > 1 for x in found.values()),
           *["AnyOrder"] * any(map(combiners.is_open, expect))]
    words = " and ".join(f for _, f in kinds)
    return Case(f"{kinds[0][0].name}/{name}",
                f"{words} of windows {list(numbers.slices())} into {list(numbers.dims)}",
                program, expect, why)


def of(t, *numbers):
    return tuple(t.wrap(x) for x in numbers)


def combiner_cases():
    """Rows 1, 3 and 1 again; scalars, some outside."""
    rows = Array(S32, ROWS.starts, of(S32, 1, 3, 1))
    scalars = Array(S32, SCALARS.starts, of(S32, 4, -1, 4, 6, 0))
    for t in types.ALL:
        extra = ["subtract"] if t.kind == "int" else []
        for name in dict.fromkeys([*combiners.names(t), *extra, "update"]):
            yield one([(t, name)], ROWS, rows, f"{name}_rows", ["Combiner"])
        name = combiners.names(t)[0]
        yield one([(t, name)], SCALARS, scalars, f"{name}_scalars", ["Combiner", "Outside"])


def index_cases():
    for t in types.INTS:
        ends = [t.low, t.high, 2 if t.bits > 2 else 0, 5 if t.bits > 3 else 0, 0]
        yield one([(S32, "add")], SCALARS, Array(t, SCALARS.starts, of(t, *ends)),
                  f"{t.name}_indices", ["Index", "Outside"])


def window_cases():
    """Blocks of 2x3 in 5x6: inside, at the last place, and outside by one, on each
    side; the map swaps row and column."""
    for number, (columns, rows) in enumerate((
            ((0, 3, 1, 2), (0, 3, 1, 0)), ((-1, 4, 0, 3), (0, 0, -1, 4)),
            ((3, 3, 3, 3), (3, 3, 3, 3)))):
        indices = Array(S32, BLOCKS.starts, of(S32, *columns, *rows))
        for t, name in ((F32, "add"), (S32, "maximum"), (types.BY_NAME["bf16"], "update")):
            yield one([(t, name)], BLOCKS, indices, f"{name}_blocks_{number}", ["Outside"])
    indices = Array(S32, BATCHED.starts, of(S32, 0, 3, 2, 2, -1, 1))
    for t, name in ((F32, "add"), (types.BY_NAME["u8"], "xor"), (types.C64, "update")):
        yield one([(t, name)], BATCHED, indices, f"{name}_batched", ["Outside"])


def flag_cases():
    unique = Array(S32, SCALARS.starts, of(S32, 4, 0, 5, 1, 3))
    ordered = Array(S32, SCALARS.starts, of(S32, 0, 2, 2, 4, 5))
    both = Array(S32, SCALARS.starts, of(S32, 0, 1, 2, 4, 5))
    for name in ("add", "update", "subtract"):
        for t in (S32, F32):
            if name == "subtract" and t is F32:
                continue
            yield one([(t, name)], SCALARS, unique, f"{name}_unique", ["Flags"],
                      ", unique_indices=true")
            yield one([(t, name)], SCALARS, ordered, f"{name}_sorted", ["Flags"],
                      ", indices_are_sorted=true")
            yield one([(t, name)], SCALARS, both, f"{name}_sorted_unique", ["Flags"],
                      ", indices_are_sorted=true, unique_indices=true")


def empty_cases():
    none = Numbers((4, 3), (0, 1), [1], [0], [0], 1, [1, 3], [], [])
    hollow = Numbers((4, 3), (2, 1), [1], [0], [0], 1, [1, 0], [], [])
    nothing = Numbers((0, 3), (2, 1), [1], [0], [0], 1, [1, 3], [], [])
    single = Numbers((), (2, 0), [], [], [], 1, [], [], [])
    for t, name in ((F32, "update"), (F32, "maximum"), (S32, "add"), (types.PRED, "or")):
        for tag, numbers in (("no_windows", none), ("hollow", hollow), ("nothing", nothing),
                             ("scalar", single)):
            indices = arrays.splat(S32, numbers.starts, 0)
            yield one([(t, name)], numbers, indices, f"{name}_{tag}", ["Empty", "Untouched"])


def layout_cases():
    numbers = Numbers((5, 6), (5, 1), [1], [0], [0], 1, [1, 6], [], [])
    indices = Array(S32, numbers.starts, of(S32, 4, 0, 4, 5, 2))
    for k, layout in enumerate(pools.LAYOUTS):
        for t, name in ((F32, "update"), (S32, "add"), (F32, "add")):
            yield one([(t, name)], numbers, indices, f"{name}_layout_{k}", ["Layout"],
                      layout=layout)


def mixed_cases():
    """Whole numbers, which every float type here holds."""
    names = (("f32", "bf16", "f32"), ("bf16", "f32", "f32"), ("f16", "f64", "f64"),
             ("bf16", "f16", "f64"), ("f64", "f16", "f32"))
    for triple in names:
        t, u, r = (types.BY_NAME[n] for n in triple)
        x = arrays.iota(t, SCALARS.dims)
        indices = Array(S32, SCALARS.starts, of(S32, 1, 3, 3, 9, 3))
        updates = arrays.iota(u, SCALARS.slices(), 10)
        table = SCALARS.targets(indices)
        sums = [k + 1 + sum(10 + i[0] for i in table.get((k,), [])) for k in range(6)]
        program = Program("m", [x, indices, updates]).region(combiners.region([(r, "add")])).root(
            x.shape, f"scatter(p0, p1, p2), {attributes(SCALARS)}, to_apply=f")
        result = Array(t, SCALARS.dims, tuple(arrays.from_number(t, n) for n in sums))
        yield Case(f"{t.name}/mixed_{u.name}_{r.name}", f"{u.name} added to {t.name} in {r.name}",
                   program, [combiners.bits(result)], ["Mixed", "Several"])


def kind(stream, rounds=True):
    """A type and a combiner; without `rounds` no sum that rounds."""
    draw = stream.below(4)
    if draw == 0:
        return stream.choice(types.ALL), "update"
    if draw == 1:
        return stream.choice(types.INTS), "subtract"
    t, name = combiners.draw(stream)
    if name == "add" and t.mantissa >= 7 and not rounds:
        name = "maximum"
    return t, name


def random(number):
    stream = Stream("scatter", "random", number)
    numbers = indexed.draw(stream, unused=number % 8 == 1)
    index = stream.choice(types.INTS)
    indices = indexed.indices(numbers, index, stream)
    words = []
    if len(numbers.start_map) == 1 and not numbers.operand_batching and stream.bits(1):
        indices = Array(index, indices.dims, tuple(sorted(indices.codes, key=index.integer)))
        words.append(", indices_are_sorted=true")
    if all(len(x) == 1 for x in numbers.targets(indices).values()) and stream.bits(1):
        words.append(", unique_indices=true")
    kinds = [kind(stream)]
    if number % 4 == 3:
        kinds = [kind(stream, rounds=False) for _ in range(2 + stream.below(2))]
    why = ["Random"] + ["Variadic"] * (len(kinds) > 1) + ["Flags"] * bool(words)
    return one(kinds, numbers, indices, f"random_{number:03}", why, "".join(words))


BASE = {"update_window_dims": "{1}", "inserted_window_dims": "{0,1}",
        "scatter_dims_to_operand_dims": "{0,1}", "index_vector_dim": "1"}
BATCH = "input_batching_dims"
START_BATCH = "scatter_indices_batching_dims"
# Label, what is wrong, other dimensions of the updates, other attributes.
BROKEN = [
    ("C4", "the index vectors lie along no dimension", (2, 3), {"index_vector_dim": "3"}),
    ("C4", "index_vector_dim is negative", (2, 3), {"index_vector_dim": "-1"}),
    ("C5", "a window dimension is none of the updates", (2, 3), {"update_window_dims": "{2}"}),
    ("C5", "window dimensions are not in order", (2, 3), {"update_window_dims": "{1,0}"}),
    ("C6", "an inserted dimension is none of the operand", (2, 3),
     {"inserted_window_dims": "{0,3}"}),
    ("C6", "inserted dimensions are not in order", (2, 3), {"inserted_window_dims": "{1,0}"}),
    ("C7", "a batching dimension is inserted, too", (2, 3), {BATCH: "{1}", START_BATCH: "{0}"}),
    ("C8", "there is no batching dimension of the indices", (2, 3),
     {"inserted_window_dims": "{1}", BATCH: "{0}"}),
    ("C8", "the index vectors lie along a batching dimension", (2, 3),
     {"inserted_window_dims": "{1}", BATCH: "{0}", START_BATCH: "{1}"}),
    ("C9", "batching dimensions differ in size", (2, 3),
     {"inserted_window_dims": "{1}", BATCH: "{0}", START_BATCH: "{0}"}),
    ("C10", "the map has fewer entries than an index vector", (2, 3),
     {"scatter_dims_to_operand_dims": "{0}"}),
    ("C11", "the map has a dimension twice", (2, 3), {"scatter_dims_to_operand_dims": "{0,0}"}),
    ("C11", "the map has a dimension that the operand lacks", (2, 3),
     {"scatter_dims_to_operand_dims": "{0,3}"}),
    ("C12", "a dimension of the operand has no role", (2, 3), {"inserted_window_dims": "{0}"}),
    ("C13", "the updates have a dimension too many", (2, 2, 3), {"update_window_dims": "{2}"}),
    ("C14", "the window is larger than the operand", (2, 4), {}),
    ("C15", "there are more windows than index vectors", (3, 3), {}),
]
SUM = combiners.region([(F32, "add")])
PAIR = combiners.region([(F32, "add"), (F32, "maximum")])
ONE = "f {\n  ROOT a = f32[] parameter(0)\n}"
TRUTH = ("f {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n"
         "  ROOT c = pred[] compare(a, b), direction=LT\n}")


def broken(rule, number, statement, shapes, operands="p0, p1, p2", region=SUM, given=None,
           root="f32[5,4,3]"):
    inputs = [arrays.iota(t, dims) for t, dims in shapes]
    text = ", ".join(f"{name}={value}" for name, value in (BASE | (given or {})).items())
    program = Program("m", inputs).region(region).root(
        root, f"scatter({operands}), {text}, to_apply=f")
    return Case(f"f32/rejected_{rule.lower()}_{number}", statement, program,
                rejected(f"scatter.{rule}"), ["Rejected"])


def rejections():
    x, i, u = (F32, (5, 4, 3)), (S32, (2, 2)), (F32, (2, 3))
    yield broken("C1", 0, "an update is missing or one too many", [x, i, u], "p0, p1, p2, p2")
    two = "(f32[5,4,3], f32[5,4,3])"
    yield broken("C2", 0, "operands differ in shape", [x, (F32, (5, 4, 2)), i, u, u],
                 combiners.parameters(5), PAIR, root="(f32[5,4,3], f32[5,4,2])")
    yield broken("C2", 1, "updates differ in shape", [x, x, i, u, (F32, (2, 2))],
                 combiners.parameters(5), PAIR, root=two)
    yield broken("C3", 0, "indices are floats", [x, (F32, (2, 2)), u])
    yield broken("C3", 1, "indices are truth values", [x, (types.PRED, (2, 2)), u])
    for number, (rule, statement, dims, given) in enumerate(BROKEN):
        yield broken(rule, number, statement, [x, i, (F32, dims)], given=given)
    yield broken("C16", 0, "the region takes one scalar", [x, i, u], region=ONE)
    yield broken("C16", 1, "the region takes too many scalars", [x, i, u], region=PAIR)
    yield broken("C17", 0, "the region returns a truth value", [x, i, u], region=TRUTH)
    yield broken("C18", 0, "the region takes integers", [x, i, u],
                 region=combiners.region([(S32, "add")]))
    yield broken("C18", 1, "the updates are integers", [x, i, (S32, (2, 3))])


STATED = [
    ("window_outside", "a window that is outside in part is left out as a whole",
     "f32[3] 00000000*3 ; s32[2,1] 00000002 00000001 ; f32[2,2] 3f800000*2 40000000*2",
     "f32[3] scatter(p0, p1, p2), update_window_dims={1}, inserted_window_dims={}, "
     "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add",
     "f32[3] 00000000 40000000*2"),
    ("into_nothing", "an update of an operand without elements is left out",
     "f32[0] ; s32[0] ; f32[] 3f800000",
     "f32[0] scatter(p0, p1, p2), update_window_dims={}, inserted_window_dims={0}, "
     "scatter_dims_to_operand_dims={}, index_vector_dim=0, to_apply=add",
     "f32[0]"),
    ("zeros", "-0 where the element and its updates are -0",
     "f32[3] 80000000 00000000 80000000 ; s32[3,1] 00000000 00000001 00000002 ; f32[3,1] "
     "80000000*2 00000000",
     "f32[3] scatter(p0, p1, p2), update_window_dims={1}, inserted_window_dims={}, "
     "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add",
     "f32[3] 80000000 00000000*2"),
]


def cases():
    for rows in (combiner_cases, index_cases, window_cases, flag_cases, empty_cases,
                 layout_cases, mixed_cases, rejections):
        yield from rows()
    yield from map(random, range(COUNT))
    yield from (stated.case(row, regions=refused.REDUCERS + "\n\n") for row in STATED)
