"""collective-permute-start: several at once
(spec/ops/collective_permute_start.md); collective_permute.py has single ones."""

from assaygen import collectives as c, refused
from assaygen.programs import flights as f, pairs
from assaygen.cases import bits, without
from assaygen.streams import Stream

from ops import collective_permute

WHY = without(f.WHY, "Halves", "Random") | {"Context": "words of context behind the pair"}
PAIRS = "source_target_pairs={{0,1},{1,0}}"


def row(statement: str, shapes: str, state: str):
    names = ", ".join(f"p{k}" for k in range(len(shapes.split(" ; "))))
    return ("C1", statement, shapes, f"s = {state} collective-permute-start({names}), {PAIRS}"
            " ; f32[4] collective-permute-done(s)")


ROWS = [
    row("a word of context is signed", "f32[4]", "(f32[4], f32[4], s32[])"),
    row("the state is flat for two operands", "f32[4] ; f32[4]",
        "(f32[4], f32[4], f32[4], f32[4])"),
]


def one(number: int, op: str = "collective-permute-start"):
    stream = Stream(op, number)
    at = c.setting(stream, collective_permute.MODES, c.equal_groups)
    ids = at.replicas if at.mode == c.REPLICAS else at.partitions
    channel = "" if at.mode == c.REPLICAS else ", channel_id=1"
    found = []
    for k in range(1 + stream.below(3)):
        drawn = pairs.drawn(stream, ids)
        tables, moved = [], {x: [] for x in at.devices}
        for j in range(1 + stream.below(3)):
            t, dims = c.random_type(stream), c.dims_of(stream)
            tables.append(c.operands(op, number, at, t, dims, f"{k}_{j}"))
            for x, value in pairs.moved(at, tables[-1], drawn, t, dims).items():
                moved[x] += value
        found.append(f.Flight(tables, moved, f"source_target_pairs={c.listed(drawn)}{channel}"))
    words = ", u32[]" * (2 * stream.below(2))
    text = f.program(stream, "collective-permute", at, found,
                     lambda given, result: f"({given}, {result}{words})")
    case = f.case(number, f"{len(found)} at once", at, found, text,
                  [bits(x, "same") for x in f.results(at, found)])
    case.why += ["Context"] * bool(words)
    return case


def cases():
    yield from map(one, range(f.COUNT))
    yield from refused.cases("collective-permute-start", ROWS)
