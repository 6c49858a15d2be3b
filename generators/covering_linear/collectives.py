"""Collectives over arrays in every class of layouts: several operands, and exchanges that
split along another dimension than they join."""

from __future__ import annotations

from assaygen import arrays, collectives as c, types
from assaygen.arrays import Array
from assaygen.cases import Case, bits
from assaygen.covering.pairs import rows
from assaygen.programs import reductions
from assaygen.programs.flights import together
from assaygen.streams import Stream
from covering_folds import common
from covering_folds.common import EVERY, SOME
from covering_folds.regions import bits_of
from ops.all_gather import gathered
from ops.all_to_all import exchanged
from ops.reduce_scatter import kept

LISTED = "replica_groups={{1,0},{2,3}}"
# Name -> replicas, partitions, mode, groups, attributes.
SETTINGS = {
    "pairs": c.Setting(4, 1, c.REPLICAS, [[1, 0], [2, 3]], f", {LISTED}"),
    "all": c.Setting(3, 1, c.REPLICAS, [[0, 1, 2]], ""),
    "alone": c.Setting(1, 1, c.REPLICAS, [[0]], ", replica_groups={{0}}"),
    "partitions": c.Setting(1, 4, c.PARTITIONS, [[1, 0], [2, 3]], f", channel_id=1, {LISTED}"),
    "grid": c.Setting(2, 2, c.REPLICAS, [[1, 0]], ", replica_groups={{1,0}}"),
    "flat": c.Setting(2, 2, c.GLOBAL, [[3, 0], [1, 2]],
                      ", channel_id=1, replica_groups={{3,0},{1,2}}, use_global_device_ids=true"),
    "two": c.Setting(2, 1, c.REPLICAS, [[1, 0]], ", replica_groups={{1,0}}"),  # for large arrays
}
# Which settings an operation has.
MODES = {"all-gather": ("pairs", "all", "alone", "grid", "flat"),
         "all-reduce": ("pairs", "all", "alone", "grid", "flat"),
         "reduce-scatter": ("pairs", "all", "alone", "grid", "flat"),
         "all-to-all": ("pairs", "all", "alone", "partitions", "grid"),
         "split-and-join": ("pairs", "all", "partitions", "grid"),
         "collective-broadcast": ("pairs", "all", "partitions", "grid"),
         "collective-permute": ("pairs", "all", "partitions", "grid")}
SHAPES = {"vector": (12,), "tile": (6, 128), "edge": (12, 9), "row": (1, 132), "rank3": (2, 6, 3),
          "rank4": (3, 2, 1, 6), "rank6": (1, 2, 1, 6, 2, 1), "empty": (6, 0), "long": (1020,),
          "scalar": (), "rank5": (1, 2, 3, 1, 6), "page": (6, 720), "grain": (6, 10923)}
FURTHER = ["scalar", "rank5", "page", "grain"]  # few cases each
PAIRED = [name for name in SHAPES if name not in FURTHER]
OPERANDS = {"one": 1, "two": 2, "three": 3}


def operand_fits(row) -> bool:
    return common.fits(row["operand"], row["type"], SHAPES[row["shape"]])


def result_fits(row) -> bool:
    return common.fits(row["result"], row["type"], SHAPES[row["shape"]])


def setting_fits(row) -> bool:
    return row["setting"] in MODES[row["op"]]


def count_fits(row) -> bool:
    several = row["op"] in ("all-gather", "all-reduce", "reduce-scatter")
    return row["count"] == "one" or several and row["shape"] not in ("tile", "long")


def split_fits(row) -> bool:
    dims = SHAPES[row["shape"]]
    return row["op"] != "split-and-join" or len(dims) > 1


def is_added(row) -> bool:
    return row["op"] not in ("all-reduce", "reduce-scatter") or row["type"].kind in (
        "int", "pred") or row["type"] in reductions.FLOATS


class Plan:
    """The devices, what each of them has, and what the instruction is."""

    def __init__(self, row) -> None:
        self.at, self.t = SETTINGS[row["setting"]], row["type"]
        self.dims, self.row = SHAPES[row["shape"]], row
        self.halves = row.get("halves", False)
        name = row["op"] + "-start" * self.halves
        self.what = common.named(name, row["setting"], row["shape"], row["count"],
                                 row["operand"], row["result"])
        self.size = self.at.size()
        # A dimension that can be cut into as many parts.
        self.d = max((d for d, n in enumerate(self.dims) if n % self.size == 0),
                     key=lambda d: self.dims[d], default=0)
        self.other = next((d for d in range(len(self.dims)) if d != self.d), self.d)
        self.tables = [self.table(k) for k in range(OPERANDS[row["count"]])]

    def table(self, k: int) -> dict:
        found = {}
        for device in self.at.devices:
            stream = Stream("covering", self.t.name, self.what, k, *device)
            one = bits_of(self.t, self.dims, stream)
            if self.row["op"] in ("all-reduce", "reduce-scatter") and self.t.kind == "float":
                one = arrays.build(self.t, self.dims, lambda _, s=stream, n=one.size: (
                    arrays.from_number(self.t, s.below(3) - 1 if n < 150 or s.below(8) == 0
                                       else 1)))
            found[device] = common.laid(one, self.row["operand"])
        return found

    def case(self, results: dict, instruction: str, lines=(), region: str = "",
             nan: str = "same") -> Case:
        """results[device] has an array for each operand."""
        first = results[self.at.devices[0]]
        shapes = [common.laid(x, self.row["result"]).shape for x in first]
        shape = together(shapes)
        program = c.start(self.at, *self.tables)
        if region:
            program.region(region)
        for text in lines:
            program.line(text)
        if self.halves:
            shape, instruction = self.start(program, shape, instruction)
        program.root(shape, instruction)
        expect = [bits(x, nan) for device in self.at.devices for x in results[device]]
        return Case(f"{self.t.name}/{self.what}", f"{list(self.dims)}, {self.at.words}", program,
                    expect, ["Type", "Shape", "Layout"], c.inputs(self.at, *self.tables))

    def start(self, program, shape: str, instruction: str) -> tuple[str, str]:
        """Begins the instruction; what ends it is given back."""
        op, rest = instruction.split("(", 1)
        given = together([table[self.at.devices[0]].shape for table in self.tables])
        state = shape if op == "all-reduce" else f"({given}, {shape})"
        program.line(f"s = {state} {op}-start({rest}")
        return shape, f"{op}-done(s)"

    @property
    def names(self) -> str:
        return ", ".join(f"p{k}" for k in range(len(self.tables)))


def gather(p: Plan) -> Case:
    results = {x: [gathered(table, p.at.members(x), p.dims, p.d, p.t) for table in p.tables]
               for x in p.at.devices}
    return p.case(results, f"all-gather({p.names}), dimensions={{{p.d}}}{p.at.attributes}")


def reduced(p: Plan) -> tuple[str, dict]:
    """The combiner, and of each device the wholes; small numbers have exact sums."""
    name = "add" if p.t.kind != "pred" else "or"
    def whole(table, x):
        value, low, high = reductions.combined(table, p.at.members(x), p.dims, p.t, name)
        assert low.codes == high.codes, p.what
        return value
    return name, {x: [whole(table, x) for table in p.tables] for x in p.at.devices}


def reduce(p: Plan) -> Case:
    name, wholes = reduced(p)
    return p.case(wholes, f"all-reduce({p.names}), to_apply=f{p.at.attributes}", (),
                  reductions.region(p.t, name), "any")


def scatter(p: Plan) -> Case:
    name, wholes = reduced(p)
    results = {}
    for x in p.at.devices:
        group = p.at.members(x)
        results[x] = [kept(whole, p.d, group.index(x), len(group)) for whole in wholes[x]]
    return p.case(results, f"reduce-scatter({p.names}), dimensions={{{p.d}}}, to_apply=f"
                  f"{p.at.attributes}", (), reductions.region(p.t, name), "any")


def exchange(p: Plan) -> Case:
    results = {x: [exchanged(p.tables[0], p.at.members(x), p.at.members(x).index(x), p.dims,
                             p.d, p.t)] for x in p.at.devices}
    return p.case(results, f"all-to-all(p0), dimensions={{{p.d}}}{p.at.attributes}")


def split_and_join(p: Plan) -> Case:
    """Cut along one dimension and joined along another: an exchange, whose parts are moved
    to the other dimension."""
    n, d, other = p.size, p.d, p.other
    part = (*p.dims[:d], p.dims[d] // n, *p.dims[d + 1:])
    dims = tuple(size * n if k == other else size for k, size in enumerate(part))
    results = {}
    for x in p.at.devices:
        group = p.at.members(x)
        place = group.index(x)

        def element(i):
            member, inside = divmod(i[other], p.dims[other])
            source = list(i)
            source[other], source[d] = inside, place * part[d] + i[d]
            return p.tables[0][group[member]].at(source)
        results[x] = [arrays.build(p.t, dims, element)]
    name, cut = p.t.name, (*p.dims[:d], n, part[d], *p.dims[d + 1:])
    order = [k for k in range(len(cut)) if k != d]
    order.insert(order.index(other if other < d else other + 1), d)
    turned = [cut[k] for k in order]
    lines = [f"x = {Array(p.t, p.dims, ()).shape} all-to-all(p0), dimensions={{{d}}}"
             f"{p.at.attributes}",
             f"y = {Array(p.t, cut, ()).shape} reshape(x)",
             f"z = {name}[{','.join(map(str, turned))}] transpose(y), "
             f"dimensions={{{','.join(map(str, order))}}}"]
    return p.case(results, "reshape(z)", lines)


def broadcast(p: Plan) -> Case:
    zeros = arrays.build(p.t, p.dims, lambda _: (0, 0) if p.t.kind == "complex" else 0)
    results = {}
    for x in p.at.devices:
        group = p.at.members(x)
        results[x] = [p.tables[0][group[0]] if group else zeros]
    return p.case(results, f"collective-broadcast(p0){p.at.attributes}")


def permute(p: Plan) -> Case:
    """Each id sends to the next one of its group; the last one's operand is lost."""
    links = [pair for group in p.at.groups for pair in zip(group, group[1:])]
    back = {target: source for source, target in links}
    zeros = arrays.build(p.t, p.dims, lambda _: (0, 0) if p.t.kind == "complex" else 0)
    results = {}
    for r, q in p.at.devices:
        mine = r if p.at.mode == c.REPLICAS else q
        source = back.get(mine)
        device = (source, q) if p.at.mode == c.REPLICAS else (r, source)
        results[r, q] = [zeros if source is None else p.tables[0][device]]
    channel = "" if p.at.mode == c.REPLICAS else ", channel_id=1"
    return p.case(results, f"collective-permute(p0), source_target_pairs={c.listed(links)}"
                  f"{channel}")


OPS = {"all-gather": gather, "all-reduce": reduce, "reduce-scatter": scatter,
       "all-to-all": exchange, "split-and-join": split_and_join,
       "collective-broadcast": broadcast, "collective-permute": permute}


RULES = [setting_fits, count_fits, split_fits, is_added, operand_fits, result_fits]
HALVED = ["all-gather", "all-reduce", "collective-permute"]


def whole():
    factors = {"type": SOME, "operand": EVERY, "result": EVERY, "shape": PAIRED, "op": list(OPS),
               "setting": [name for name in SETTINGS if name != "two"], "count": list(OPERANDS)}
    yield from rows(factors, RULES, "collectives")
    for op in OPS:
        yield from further(op)


def halves():
    """The same operations begun and ended."""
    factors = {"type": SOME, "operand": EVERY, "result": EVERY, "shape": PAIRED, "op": HALVED,
               "setting": [name for name in SETTINGS if name != "two"], "count": list(OPERANDS)}
    found = [*rows(factors, RULES, "halves"), *(row for op in HALVED for row in further(op))]
    yield from ({**row, "halves": True} for row in found)
    for op in HALVED[1:]:
        yield from common.turns(op=[op], shape=["scalar"], setting=["pairs"], count=["one"],
                                type=common.named_types("u16 s4"), result=["t128", "default"],
                                operand=["default", "packed"], halves=[True])


def further(op: str) -> list[dict]:
    return common.turns(op=[op], shape=FURTHER[1:], type=common.named_types("u8 s4 u16"),
                        setting=["pairs", "two", "two"], operand=["nested", "packed_tiled", "tail"],
                        result=["permuted", "t8_128", "permuted_tiled"], count=["one"])


def scalars() -> Case:
    """An exchange of tuples, whose parts may be scalars."""
    at, t = SETTINGS["pairs"], types.BY_NAME["u16"]
    stream = Stream("covering", "all-to-all", "scalars")
    tables = [{x: arrays.random_bits(t, (), stream) for x in at.devices} for _ in range(2)]
    program = c.start(at, *tables).root("(u16[], u16[])", f"all-to-all(p0, p1){at.attributes}")
    expect = [bits(tables[at.members(x).index(x)][y], "same")
              for x in at.devices for y in at.members(x)]
    return Case("u16/all-to-all_scalars", f"a scalar for each member, {at.words}", program, expect,
                ["Shape"], c.inputs(at, *tables))


def cases():
    for part in (whole, halves):
        for row in part():
            yield OPS[row["op"]](Plan(row))
    yield scalars()
