"""collective-permute: random pairs (spec/ops/collective_permute.md)."""

from assaygen import arrays, collectives as c, movement, refused, types
from assaygen.programs import pairs
from assaygen.arrays import Array
from assaygen.cases import Case, bits
from assaygen.program import Program
from assaygen.streams import Stream

WHY = refused.WHY | c.WHY | {
    "Slices": "slices of inputs go into outputs, at offsets that are clamped",
    "SeveralSlices": "the n-th pair of a source carries its n-th slice, the n-th pair of "
                     "a target fills its n-th place",
}
BUFFERS = 120  # cases with slices
SLICES = 40  # cases with several slices of an array
MODES = (c.REPLICAS, c.PARTITIONS)


def one(number: int):
    stream = Stream("collective-permute", number)
    at = c.setting(stream, MODES, c.equal_groups)
    t, dims = c.random_type(stream), c.dims_of(stream)
    ids = at.replicas if at.mode == c.REPLICAS else at.partitions
    drawn = pairs.drawn(stream, ids)
    table = c.operands("collective-permute", number, at, t, dims)
    shape = Array(t, dims, ()).shape
    channel = "" if at.mode == c.REPLICAS else ", channel_id=1"
    attributes = f"source_target_pairs={c.listed(drawn)}{channel}"
    program = c.start(at, table)
    halves = stream.below(3) == 0
    if halves:
        program.line(f"s = ({shape}, {shape}) collective-permute-start(p0), "
                     f"{attributes}")
        program.root(shape, "collective-permute-done(s)")
    else:
        program.root(shape, f"collective-permute(p0), {attributes}")
    return c.case(f"{t.name}/random_{number:03}", f"{len(drawn)} pairs", at, [table],
                  program, pairs.moved(at, table, drawn, t, dims),
                  "Halves" if halves else "Random")


class Buffer:
    """What the devices have of one pair of buffers: p{first}.. are the input, the output,
    and an index for each dimension of both offsets."""

    def __init__(self, stream: Stream, at: c.Setting, name: str) -> None:
        self.t = c.random_type(stream)
        rank = 1 + stream.below(2)
        self.dims = [tuple(1 + stream.below(4) for _ in range(rank)) for _ in range(2)]
        self.sizes = [stream.below(min(a, b) + 1) for a, b in zip(*self.dims)]
        self.arrays = [{d: movement.any_bits("collective-permute", self.t, dims, f"{name}{d}{k}")
                        for d in at.devices} for k, dims in enumerate(self.dims)]
        self.index = stream.choice(types.INTS)
        self.starts = [{d: [self.start(stream, n) for n in dims] for d in at.devices}
                       for dims in self.dims]

    def start(self, stream, n):
        low, high = self.index.low, self.index.high
        return stream.choice([low, high, *[min(stream.below(n), high)] * 4])

    def place(self, which, device):
        return [min(max(start, 0), n - size) for start, n, size in zip(
            self.starts[which][device], self.dims[which], self.sizes)]

    def inputs(self, device):
        indices = [arrays.splat(self.index, (), self.index.wrap(x))
                   for which in self.starts for x in which[device]]
        return [self.arrays[0][device], self.arrays[1][device], *indices]

    def result(self, device, source):
        """The output with the slice of the source, if there is one."""
        output = self.arrays[1][device]
        if source is None:
            return output
        to, begin = self.place(1, device), self.place(0, source)

        def element(i):
            within = [x - o for x, o in zip(i, to)]
            if not all(0 <= x < size for x, size in zip(within, self.sizes)):
                return output.at(i)
            return self.arrays[0][source].at([x + o for x, o in zip(within, begin)])
        return arrays.build(self.t, self.dims[1], element)

    def offsets(self, first):
        """The two tuples of indices, as text."""
        rank = len(self.sizes)
        shape = ", ".join([f"{self.index.name}[]"] * rank)
        return [(f"({shape})", "tuple(" + ", ".join(
            f"p{first + 2 + side * rank + d}" for d in range(rank)) + ")") for side in range(2)]


def operands_of(program, buffers):
    """The four operands: those of the one buffer, or tuples of those of several."""
    first, rows = 0, [[], [], [], []]
    for k, buffer in enumerate(buffers):
        given = [(x.shape, f"p{first + i}") for i, x in enumerate(
            [Array(buffer.t, dims, ()) for dims in buffer.dims])]
        for side, (shape, text) in enumerate(buffer.offsets(first)):
            program.line(f"at{k}_{side} = {shape} {text}")
            given.append((shape, f"at{k}_{side}"))
        for row, one_ in zip(rows, given):
            row.append(one_)
        first += 2 + 2 * len(buffer.sizes)
    if len(buffers) == 1:
        return [row[0] for row in rows]
    found = []
    for k, row in enumerate(rows):
        shape = f"({', '.join(s for s, _ in row)})"
        program.line(f"all{k} = {shape} tuple({', '.join(n for _, n in row)})")
        found.append((shape, f"all{k}"))
    return found


def into_buffers(number: int):
    stream = Stream("collective-permute", "buffers", number)
    at = c.setting(stream, MODES, c.equal_groups)
    drawn = pairs.drawn(stream, at.replicas if at.mode == c.REPLICAS else at.partitions)
    buffers = [Buffer(stream, at, f"{number}/{k}") for k in range(1 + stream.below(2))]
    sources = {d: pairs.source(at, d, drawn) for d in at.devices}
    first = at.devices[0]
    program = Program("m", [x for b in buffers for x in b.inputs(first)], at.header)
    four = operands_of(program, buffers)
    sizes = c.listed([b.sizes for b in buffers])
    channel = "" if at.mode == c.REPLICAS else ", channel_id=1"
    program.root(four[1][0], f"collective-permute({', '.join(n for _, n in four)}), "
                 f"source_target_pairs={c.listed(drawn)}, slice_sizes={sizes}{channel}")
    expect = [bits(b.result(d, sources[d]), "same") for d in at.devices for b in buffers]
    return Case(f"{buffers[0].t.name}/buffers_{number:03}",
                f"{len(drawn)} pairs, slices {sizes}, {at.words}", program, expect,
                ["Random", "Slices"], [x for d in at.devices for b in buffers for x in b.inputs(d)])


class Sliced:
    """One array with several slices on every device: p0 is the input, p1 the output, and
    behind them stand the indices of all input offsets, then those of all output offsets."""

    def __init__(self, stream: Stream, at: c.Setting, name: str, count: int) -> None:
        self.t = c.random_type(stream)
        rank = 1 + stream.below(2)
        self.dims = [tuple(1 + stream.below(5) for _ in range(rank)) for _ in range(2)]
        self.sizes = [[stream.below(min(a, b) + 1) for a, b in zip(*self.dims)]
                      for _ in range(count)]
        self.arrays = [{d: movement.any_bits("collective-permute", self.t, dims, f"{name}{d}{k}")
                        for d in at.devices} for k, dims in enumerate(self.dims)]
        self.starts = [{d: [[stream.below(n + 2) - 1 for n in dims] for _ in range(count)]
                        for d in at.devices} for dims in self.dims]

    def inputs(self, device):
        s32 = types.S32
        indices = [arrays.splat(s32, (), s32.wrap(x))
                   for which in self.starts for start in which[device] for x in start]
        return [self.arrays[0][device], self.arrays[1][device], *indices]

    def begin(self, which, device, number, size):
        """Offset `number` for a slice of that size, clamped."""
        return [min(max(x, 0), n - k) for x, n, k in zip(
            self.starts[which][device][number], self.dims[which], size)]

    def results(self, at: c.Setting, drawn):
        """The outputs after all pairs have written to them, one after the other."""
        current = dict(self.arrays[1])
        for d in at.devices:
            for sender, slice_, place in arrivals(at, d, drawn):
                current[d] = self.written(current[d], sender, slice_, d, place)
        return current

    def written(self, output, sender, slice_, device, place):
        size = self.sizes[slice_]
        to, begin = self.begin(1, device, place, size), self.begin(0, sender, slice_, size)

        def element(i):
            within = [x - o for x, o in zip(i, to)]
            if not all(0 <= x < k for x, k in zip(within, size)):
                return output.at(i)
            return self.arrays[0][sender].at([x + o for x, o in zip(within, begin)])
        return arrays.build(self.t, self.dims[1], element)

    def offsets(self, program, side):
        """A tuple of offsets, each a tuple of indices."""
        rank, count = len(self.dims[0]), len(self.sizes)
        one = f"({', '.join(['s32[]'] * rank)})"
        for k in range(count):
            first = 2 + (side * count + k) * rank
            names = ", ".join(f"p{first + d}" for d in range(rank))
            program.line(f"at{side}_{k} = {one} tuple({names})")
        whole = f"({', '.join([one] * count)})"
        names = ", ".join(f"at{side}_{k}" for k in range(count))
        program.line(f"all{side} = {whole} tuple({names})")
        return f"all{side}"


def arrivals(at: c.Setting, device, drawn):
    """Who sends what to the device: the sender, which of its slices, which place here."""
    mine = device[0] if at.mode == c.REPLICAS else device[1]
    found = []
    for k, (source, target) in enumerate(drawn):
        if target != mine:
            continue
        slice_ = sum(s == source for s, _ in drawn[:k])
        sender = (source, device[1]) if at.mode == c.REPLICAS else (device[0], source)
        found.append((sender, slice_, len(found)))
    return found


def several_pairs(stream, ids: int, count: int) -> list[tuple[int, int]]:
    """Pairs in which no id sends or receives more than `count` times."""
    ends = [c.shuffled(stream, [i for i in range(ids) for _ in range(count)])
            for _ in range(2)]
    return list(zip(*ends))[:1 + stream.below(ids * count)]


def several_slices(number: int):
    stream = Stream("collective-permute", "slices", number)
    at = c.setting(stream, MODES, c.equal_groups)
    count = 2 + stream.below(2)
    ids = at.replicas if at.mode == c.REPLICAS else at.partitions
    drawn = several_pairs(stream, ids, count)
    array = Sliced(stream, at, f"several{number}", count)
    program = Program("m", array.inputs(at.devices[0]), at.header)
    offsets = [array.offsets(program, side) for side in range(2)]
    sizes = c.listed(array.sizes)
    channel = "" if at.mode == c.REPLICAS else ", channel_id=1"
    program.root(Array(array.t, array.dims[1], ()).shape,
                 f"collective-permute(p0, p1, {', '.join(offsets)}), "
                 f"source_target_pairs={c.listed(drawn)}, slice_sizes={sizes}{channel}")
    results = array.results(at, drawn)
    return Case(f"{array.t.name}/slices_{number:03}",
                f"{len(drawn)} pairs of {count} slices {sizes}, {at.words}", program,
                [bits(results[d], "same") for d in at.devices], ["Random", "SeveralSlices"],
                [x for d in at.devices for x in array.inputs(d)])


ROWS = [
    ("C1", "two operands with slice sizes", "f32[4,8] ; f32[4,8]",
     "f32[4,8] collective-permute(p0, p1), source_target_pairs={{0,1}}, slice_sizes={{2,8}}"),
    ("C1", "five operands with slice sizes", "f32[4,8] ; f32[4,8] ; s32[]",
     "at = (s32[], s32[]) tuple(p2, p2) ; f32[4,8] collective-permute(p0, p1, at, at, at), "
     "source_target_pairs={{0,1}}, slice_sizes={{2,8}}"),
    ("C2", "the output is a tuple", "f32[4,8] ; (f32[4,8]) ; s32[]",
     "at = (s32[], s32[]) tuple(p2, p2) ; (f32[4,8]) collective-permute(p0, p1, at, at), "
     "source_target_pairs={{0,1}}, slice_sizes={{2,8}}"),
    ("C2", "the output has more arrays", "(f32[4,8]) ; (f32[4,8], f32[4,8]) ; s32[]",
     "at = (s32[], s32[]) tuple(p2, p2) ; in = ((s32[], s32[])) tuple(at) ; (f32[4,8], "
     "f32[4,8]) collective-permute(p0, p1, in, in), source_target_pairs={{0,1}}, "
     "slice_sizes={{2,8}}"),
    ("C3", "one offset for two arrays", "(f32[4,8], f32[4,8]) ; (f32[4,8], f32[4,8]) ; s32[]",
     "at = (s32[], s32[]) tuple(p2, p2) ; in = ((s32[], s32[])) tuple(at) ; (f32[4,8], "
     "f32[4,8]) collective-permute(p0, p1, in, in), source_target_pairs={{0,1}}, "
     "slice_sizes={{2,8},{2,8}}"),
    ("C4", "an index for one of two dimensions", "f32[4,8] ; f32[4,8] ; s32[]",
     "at = (s32[], s32[]) tuple(p2, p2) ; one = (s32[]) tuple(p2) ; f32[4,8] "
     "collective-permute(p0, p1, at, one), source_target_pairs={{0,1}}, slice_sizes={{2,8}}"),
    ("C4", "an index is an array", "f32[4,8] ; f32[4,8] ; s32[]",
     "at = (s32[], s32[]) tuple(p2, p2) ; f32[4,8] collective-permute(p0, p1, p2, at), "
     "source_target_pairs={{0,1}}, slice_sizes={{2,8}}"),
    ("C5", "the operand is a tuple", "(s32[4], s32[4])",
     "s32[4] collective-permute(p0), source_target_pairs={{0,1}}"),
    ("collective-permute.slice", "the slice is longer than the output", "",
     "x = s32[4] iota(), iota_dimension=0 ; y = s32[2] iota(), iota_dimension=0 ; i = s32[] "
     "constant(0) ; at = (s32[]) tuple(i) ; s32[2] collective-permute(x, y, at, at), "
     "source_target_pairs={{0,0}}, slice_sizes={{3}}"),
    ("collective-permute.slice", "the offset is a float", "",
     "x = s32[4] iota(), iota_dimension=0 ; i = f32[] constant(1) ; at = (f32[]) tuple(i) ; "
     "s32[4] collective-permute(x, x, at, at), source_target_pairs={{0,0}}, slice_sizes={{2}}"),
]


def cases():
    yield from map(one, range(c.COUNT))
    yield from map(into_buffers, range(BUFFERS))
    yield from map(several_slices, range(SLICES))
    yield from refused.cases("collective-permute", ROWS)
