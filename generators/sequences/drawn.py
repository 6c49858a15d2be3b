"""Sequences drawn at random: 2 to 30 instructions over integers, each on values before."""

from __future__ import annotations

from assaygen import arrays
from assaygen.streams import Stream
from assaygen.types import BY_NAME, PRED, S32
from sequences.catalog import Sequence

WHY = {"Drawn": "instructions drawn at random, each on values of those before it"}
TYPES = [S32, BY_NAME["u8"], BY_NAME["s64"], BY_NAME["s8"]]
PLAIN = ("add", "subtract", "multiply", "maximum", "minimum", "and", "or", "xor")
COUNT = 110
MOST = 26  # instructions behind which no further one is drawn


class Draw:
    """Writes instructions on random values of one type; pred only on the way."""

    def __init__(self, b, stream: Stream, names) -> None:
        self.b, self.stream, self.values = b, stream, list(names)

    def pick(self) -> str:
        """One of the values, a late one mostly."""
        n = len(self.values)
        return self.values[max(self.stream.below(n), self.stream.below(n))]

    def like(self, x: str) -> str:
        """A value of the same dimensions."""
        found = [y for y in self.values if self.b.dims(y) == self.b.dims(x)]
        return self.stream.choice(found)

    def step(self) -> str:
        write = self.stream.choice([
            self.two, self.two, self.two, self.select, self.transpose, self.reshape, self.cut,
            self.pad, self.reverse, self.joined, self.total, self.spread, self.update,
            self.dynamic, self.rows, self.inside, self.looped, self.copied])
        x = self.pick()
        return write(x, self.b.dims(x))

    def two(self, x, dims):
        y = self.like(x)
        return self.b.two(self.stream.choice(PLAIN), *self.stream.choice([(x, y), (y, x)]))

    def select(self, x, dims):
        y, z = self.like(x), self.like(x)
        p = self.b.compare(y, z, self.stream.choice(["LT", "EQ", "GE"]))
        return self.b.select(p, x, y)

    def transpose(self, x, dims):
        rest = list(range(len(dims)))
        return self.b.transpose(x, [rest.pop(self.stream.below(len(rest))) for _ in dims])

    def reshape(self, x, dims):
        size = 1
        for n in dims:
            size *= n
        first = self.stream.choice([n for n in range(1, size + 1) if size % n == 0])
        return self.b.reshape(x, self.stream.choice([(size,), (first, size // first)]))

    def cut(self, x, dims):
        cuts = []
        for n in dims:
            start = self.stream.below(n)
            cuts.append((start, start + 1 + self.stream.below(n - start),
                         1 + self.stream.below(2)))
        return self.b.slice(x, *cuts)

    def pad(self, x, dims):
        edges = [(self.stream.below(3) - (n > 2), self.stream.below(2) - (n > 2),
                  self.stream.below(8) // 7) for n in dims]
        return self.b.pad(x, self.b.number(self.b.type(x), 7), *edges)

    def reverse(self, x, dims):
        return self.b.reverse(x, [d for d in range(len(dims)) if self.stream.bits(1)])

    def joined(self, x, dims):
        return self.b.concatenate([x, self.like(x)], self.stream.below(len(dims)))

    def total(self, x, dims):
        if len(dims) < 2:
            return self.two(x, dims)
        op = self.stream.choice(["add", "multiply", "maximum", "xor"])
        return self.b.reduce(op, x, self.b.number(self.b.type(x), 3),
                             (self.stream.below(len(dims)),))

    def spread(self, x, dims):
        if len(dims) > 2:
            return self.two(x, dims)
        at = self.stream.below(len(dims) + 1)
        wider = [*dims[:at], 2, *dims[at:]]
        return self.b.broadcast(x, wider, [d + (d >= at) for d in range(len(dims))])

    def places(self, dims):
        return [self.b.number(S32, self.stream.below(n + 2) - 1) for n in dims]

    def update(self, x, dims):
        part = self.b.slice(self.like(x), *((0, 1 + self.stream.below(n)) for n in dims))
        return self.b.update(x, part, self.places(dims))

    def dynamic(self, x, dims):
        return self.b.dynamic_slice(x, self.places(dims),
                                    [1 + self.stream.below(n) for n in dims])

    def rows(self, x, dims):
        count = 1 + self.stream.below(4)
        which = arrays.build(S32, (count,), lambda _: S32.wrap(self.stream.below(6) - 1))
        return self.b.rows(x, self.b.bits(which))

    def inside(self, x, dims):
        op = self.stream.choice(PLAIN)
        return self.b.inside(self.stream.choice(["fusion", "call"]), lambda r, p, q: r.two(
            op, r.two("subtract", p, q), p), x, self.like(x))

    def looped(self, x, dims):
        """Two values, each of which becomes the other in some turns."""
        op, turns = self.stream.choice(PLAIN), self.stream.below(4)
        return self.b.repeat(
            [self.b.number(S32, 0), x, self.like(x)],
            lambda r, i, *_: r.compare(i, r.number(S32, turns), "LT"),
            lambda r, i, p, q: [r.two("add", i, r.number(S32, 1)), q, r.two(op, p, q)])[2]

    def copied(self, x, dims):
        return self.b.same(self.stream.choice(["copy", "opt-barrier"]), x)


def small_enough(b, name: str) -> bool:
    size = 1
    for n in b.dims(name):
        size *= n
    return size <= 60


def one(number: int) -> Sequence:
    start = Stream("sequences", "drawn", number)
    t = start.choice(TYPES)
    shapes = [start.choice([(3,), (2, 3), (4,), (2, 2, 3), (3, 4)]) for _ in range(2)]
    inputs = tuple(arrays.random_bits(t, dims, start) for dims in shapes)
    steps = 2 + start.below(12)

    def build(b, *names):
        draw = Draw(b, Stream("sequences", "drawn", number, "steps"), names)
        for _ in range(steps):
            if len(b.lines) > MOST:
                break
            name = draw.step()
            if small_enough(b, name) and b.dims(name):
                draw.values.append(name)
        used = [x for x in draw.values[len(names):] if b.type(x) is not PRED]
        return b.tuple(*used[-1:], *used[len(used) // 2:len(used) // 2 + 1], names[0])
    only = "given" if number % 3 == 0 else "folded"
    if number % 3 == 1 and any(len(dims) > 1 for dims in shapes):
        only = "arranged"
    return Sequence(t, f"drawn_{number:03}", f"{steps} draws", "Drawn", inputs, build,
                    nan="same", only=only)


def sequences():
    yield from map(one, range(COUNT))
