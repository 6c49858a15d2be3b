"""What a builder makes of operands of different shapes (spec/broadcasting.md), and
the values that the rules give, which no instruction takes part in."""

from __future__ import annotations

from assaygen import arrays
from assaygen.arrays import Array
from assaygen.types import S32
from sequences.steps import Steps


def result_dims(lhs, rhs, dims=()) -> tuple[int, ...]:
    """The dimensions of the result."""
    one, other = widened(lhs, rhs, dims), widened(rhs, lhs, dims)
    return tuple(n if m == 1 else m for m, n in zip(one, other))


def widened(mine, theirs, dims) -> tuple[int, ...]:
    """The sizes that an operand has at the rank of the wider one: where none of
    its dimensions lies, that of the other."""
    if len(mine) >= len(theirs):
        return tuple(mine)
    at = {d: n for d, n in zip(dims, mine)}
    return tuple(at.get(d, n) for d, n in enumerate(theirs))


def source(index, mine, rank: int, dims) -> tuple[int, ...]:
    """The index of the operand's element that takes part at an index of the result."""
    where = range(rank) if len(mine) == rank else dims
    return tuple(0 if n == 1 else index[d] for d, n in zip(where, mine))


def value(t, rule, lhs: Array, rhs: Array, dims=()) -> Array:
    """rule(a, b) at each index, straight from the rules."""
    out = result_dims(lhs.dims, rhs.dims, dims)
    return arrays.build(t, out, lambda i: rule(
        lhs.at(source(i, lhs.dims, len(out), dims)), rhs.at(source(i, rhs.dims, len(out), dims))))


def built(b: Steps, x: str, other, dims=()) -> str:
    """The operand x, made to fit the other one's sizes as the builder does it."""
    mine = b.dims(x)
    out = result_dims(mine, other, dims)
    if not mine:
        return b.broadcast(x, out, ()) if out else x
    if len(mine) < len(other):
        wide = widened(mine, other, dims)
        x = b.broadcast(x, wide, dims) if wide != mine else x
        mine = wide
    if mine == out:
        return x
    kept = [d for d, (n, size) in enumerate(zip(mine, out)) if n == size]
    return b.broadcast(b.reshape(x, [mine[d] for d in kept]), out, kept)


# The same array by other instructions.

def by_joints(b: Steps, x: str, other, dims=()) -> str:
    """Copies joined along each dimension that grows."""
    out = result_dims(b.dims(x), other, dims)
    x = with_rank(b, x, out, dims)
    for d, size in enumerate(out):
        if b.dims(x)[d] != size and size:
            x = b.concatenate([x] * size, d)
    return emptied(b, x, out)


def by_rows(b: Steps, x: str, other, dims=()) -> str:
    """A gather of row 0, again and again, behind a transpose."""
    out = result_dims(b.dims(x), other, dims)
    x = with_rank(b, x, out, dims)
    for d, size in enumerate(out):
        if b.dims(x)[d] == size:
            continue
        order = [d, *(k for k in range(len(out)) if k != d)]
        back = [order.index(k) for k in range(len(out))]
        zeros = b.bits(Array(S32, (size,), (0,) * size)) if size else None
        if zeros:
            x = b.transpose(b.rows(b.transpose(x, order), zeros), back)
    return emptied(b, x, out)


def by_dot(b: Steps, x: str, other, dims=()) -> str:
    """A dot with ones, of which nothing is contracted."""
    out = result_dims(b.dims(x), other, dims)
    x = with_rank(b, x, out, dims)
    grows = [d for d, (n, size) in enumerate(zip(b.dims(x), out)) if n != size]
    rest = [d for d in range(len(out)) if d not in grows]
    narrow = b.reshape(x, [out[d] for d in rest])
    ones = b.full(b.type(x), 1, [out[d] for d in grows]) if grows else None
    if not ones:
        return x
    product = b.dot(narrow, ones, (), ())
    return b.transpose(product, [(rest + grows).index(d) for d in range(len(out))])


def by_sums(b: Steps, x: str, other, dims=()) -> str:
    """Pads with the neutral value, added up until all places are filled."""
    out = result_dims(b.dims(x), other, dims)
    x = with_rank(b, x, out, dims)
    for d, size in enumerate(out):
        if b.dims(x)[d] == size or not size:
            continue
        shifted = [b.pad(x, b.number(b.type(x), "-0" if b.type(x).kind == "float" else 0),
                         *((k, size - 1 - k) if d == e else (0, 0) for e in range(len(out))))
                   for k in range(size)]
        x = shifted[0]
        for other_one in shifted[1:]:
            x = b.two("add", x, other_one)
    return emptied(b, x, out)


def with_rank(b: Steps, x: str, out, dims) -> str:
    """A reshape that gives the operand a dimension of size 1 where it has none."""
    mine = b.dims(x)
    if len(mine) == len(out):
        return x
    return b.reshape(x, [mine[list(dims).index(d)] if d in dims else 1 for d in range(len(out))])


def emptied(b: Steps, x: str, out) -> str:
    """Cuts to no elements where the other operand has none."""
    if b.dims(x) == tuple(out):
        return x
    return b.slice(x, *((0, n) for n in out))
