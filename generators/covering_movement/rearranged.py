"""Plans of movements that take no indices from arrays."""

from __future__ import annotations

from assaygen import collectives
from assaygen.arrays import Array
from assaygen.covering.arrange import DENSE
from assaygen.streams import Stream
from covering_movement.plan import MANY, Dims, Plan, listed, moved, size, some
from ops import iota as counted
from ops import pad as padded


def copy(dims: Dims, _: Stream) -> Plan:
    return moved([dims], dims, lambda i: (0, i), "copy(p0)")


def broadcast(dims: Dims, stream: Stream) -> Plan:
    """One dimension more or two, anywhere."""
    new = 1 + stream.below(2) if len(dims) < 5 and size(dims) < MANY else 1
    places = set(collectives.shuffled(stream, range(len(dims) + new))[:new])
    old = iter(dims)
    out = tuple(1 + stream.below(3) if d in places else next(old)
                for d in range(len(dims) + new))
    kept = [d for d in range(len(out)) if d not in places]
    return moved([dims], out, lambda i: (0, tuple(i[d] for d in kept)),
                 f"broadcast(p0), dimensions={listed(kept)}")


def regrouped(dims: Dims, stream: Stream) -> Dims:
    """Other sizes of as many elements: parts of sizes in the same order, and ones."""
    if 0 in dims:
        return tuple(collectives.shuffled(stream, [0, 1 + stream.below(9)]))
    parts: list[int] = []
    for n in dims:
        least = next((p for p in (2, 3, 5, 7) if n % p == 0 and n > p), 1)
        parts += [least, n // least] if stream.bits(1) else [n]
    out = [1]
    for n in parts:
        if stream.bits(1) and len(out) < 6:
            out.append(n)
        else:
            out[-1] *= n
    return tuple(out) if stream.bits(1) or len(out) == 1 else tuple(out[::-1])


def reshape(dims: Dims, stream: Stream) -> Plan:
    out = regrouped(dims, stream)
    return Plan([dims], out, flat(dims, out), "reshape(p0)")


def flat(dims: Dims, out: Dims):
    """The element at the same place in row-major order."""
    shape = Array(None, out, ())  # type: ignore[arg-type]
    return lambda t, sources, i: sources[0].codes[shape.position(i)]


def transpose(dims: Dims, stream: Stream) -> Plan:
    order = collectives.shuffled(stream, range(len(dims)))
    if order == sorted(order):
        order = order[1:] + order[:1]
    place = [order.index(d) for d in range(len(dims))]
    return moved([dims], tuple(dims[d] for d in order),
                 lambda i: (0, tuple(i[k] for k in place)),
                 f"transpose(p0), dimensions={listed(order)}")


def reverse(dims: Dims, stream: Stream) -> Plan:
    turned = some(stream, range(len(dims))) or list(range(len(dims)))[:1]
    return moved([dims], dims, lambda i: (0, tuple(
        n - 1 - x if d in turned else x for d, (n, x) in enumerate(zip(dims, i)))),
        f"reverse(p0), dimensions={listed(turned)}")


def pad(dims: Dims, stream: Stream) -> Plan | None:
    """Edges of both signs, and gaps in small arrays."""
    gap = 2 if size(dims) < DENSE else 1  # gaps would break up runs
    padding = [(stream.below(5) - 1, stream.below(5) - 1, stream.below(gap)) for _ in dims]
    out = padded.sizes(dims, padding)
    if not dims or min(out) < 0:
        return None

    def origin(i):
        place = []
        for x, n, (low, _, interior) in zip(i, dims, padding):
            y, rest = divmod(x - low, interior + 1)
            if rest or not 0 <= y < n:
                return 1, ()
            place.append(y)
        return 0, tuple(place)
    text = "x".join("_".join(map(str, p)) for p in padding)
    return moved([dims, ()], out, origin, f"pad(p0, p1), padding={text}")


def slice_(dims: Dims, stream: Stream) -> Plan:
    ranges = []
    for n in dims:
        begin = stream.below(min(n, 3) + 1)
        end = max(n - stream.below(3), begin)
        ranges.append((begin, end, 1 + stream.below(3)))
    out = tuple(max(-(-(end - begin) // step), 0) for begin, end, step in ranges)
    text = ", ".join(f"[{begin}:{end}:{step}]" for begin, end, step in ranges)
    return moved([dims], out, lambda i: (0, tuple(
        begin + x * step for x, (begin, _, step) in zip(i, ranges))),
        f"slice(p0), slice={{{text}}}")


def concatenate(dims: Dims, stream: Stream) -> Plan | None:
    """Up to three arrays, of which the others are shorter, at times empty."""
    if not dims:
        return None
    d = stream.below(len(dims))
    lengths = [dims[d], *(min(stream.below(dims[d] + 2), 9) for _ in range(1 + stream.below(2)))]
    inputs = [(*dims[:d], n, *dims[d + 1:]) for n in lengths]

    def origin(i):
        x, k = i[d], 0
        while x >= lengths[k]:
            x, k = x - lengths[k], k + 1
        return k, (*i[:d], x, *i[d + 1:])
    operands = ", ".join(f"p{k}" for k in range(len(lengths)))
    return moved(inputs, (*dims[:d], sum(lengths), *dims[d + 1:]), origin,
                 f"concatenate({operands}), dimensions={{{d}}}")


def iota(dims: Dims, stream: Stream) -> Plan | None:
    """It has no operand."""
    if not dims:
        return None
    d = stream.below(len(dims))
    return Plan([], dims, lambda t, sources, i: counted.code(t, i[d]),
                f"iota(), iota_dimension={d}")


def in_tuple(instruction: str):
    """Programs that put two arrays in a tuple and take one of them out, around another
    instruction."""
    def plan(dims: Dims, stream: Stream) -> Plan:
        index = stream.below(2)
        other = (3, 5)

        def write(t, layout, shapes):
            pair = f"({shapes[0]}, {shapes[1]})" if index == 0 else f"({shapes[1]}, {shapes[0]})"
            operands = "p0, p1" if index == 0 else "p1, p0"
            lines = [f"t = {pair} tuple({operands})"]
            if instruction:
                lines.append(f"b = {pair} {instruction}(t)")
            name = "b" if instruction else "t"
            shape = Array(t, dims, (), layout).shape
            if shape == shapes[0]:
                return lines, shape, f"get-tuple-element({name}), index={index}"
            lines.append(f"g = {shapes[0]} get-tuple-element({name}), index={index}")
            return lines, shape, "copy(g)"
        return moved([dims, other], dims, lambda i: (0, i), "", write=write)
    return plan


PLANS = {"copy": copy, "broadcast": broadcast, "reshape": reshape, "transpose": transpose,
         "reverse": reverse, "pad": pad, "slice": slice_, "concatenate": concatenate,
         "iota": iota, "get-tuple-element": in_tuple(""), "opt-barrier": in_tuple("opt-barrier")}
