"""Plans of movements to and from places that other operands name, and of those that have
sizes at run time."""

from __future__ import annotations

from assaygen import arrays, collectives, indexed, starts, types
from assaygen.arrays import Array
from assaygen.indexed import Numbers
from assaygen.streams import Stream
from covering_movement import rearranged
from covering_movement.plan import MANY, Dims, Plan, listed, moved, size
from ops import gather as gathers
from ops import scatter as scatters

S32 = types.S32


def last(t, *_) -> str:
    """A region that keeps the update."""
    return f"last {{\n  a = {t.name}[] parameter(0)\n  ROOT b = {t.name}[] parameter(1)\n}}"


def scalar(x: int) -> Array:
    return Array(S32, (), (S32.wrap(x),))


def begins(dims: Dims, sizes: Dims, stream: Stream) -> list[int]:
    """Starts, some of which lie outside and are clamped."""
    return [stream.below(n - m + 3) - 1 for n, m in zip(dims, sizes)]


def shorter(dims: Dims, stream: Stream) -> Dims:
    return tuple(n - stream.below(min(n, 3) + 1) for n in dims)


def operands(count: int) -> str:
    return ", ".join(f"p{k}" for k in range(count))


def dynamic_slice(dims: Dims, stream: Stream) -> Plan:
    sizes = shorter(dims, stream)
    begin = begins(dims, sizes, stream)
    first = starts.origin(begin, sizes, dims)
    return moved([dims, *map(scalar, begin)], sizes,
                 lambda i: (0, tuple(o + x for o, x in zip(first, i))),
                 f"dynamic-slice({operands(1 + len(dims))}), dynamic_slice_sizes={listed(sizes)}")


def dynamic_update_slice(dims: Dims, stream: Stream) -> Plan:
    sizes = shorter(dims, stream)
    begin = begins(dims, sizes, stream)
    first = starts.origin(begin, sizes, dims)

    def origin(i):
        place = tuple(x - o for x, o in zip(i, first))
        return (1, place) if all(0 <= x < n for x, n in zip(place, sizes)) else (0, i)
    return moved([dims, sizes, *map(scalar, begin)], dims, origin,
                 f"dynamic-update-slice({operands(2 + len(dims))})")


def numbers(dims: Dims, stream: Stream, whole: bool) -> Numbers:
    """One dimension or two are indexed, most of them collapsed; with `whole` slices extend
    over all of the others."""
    usable = [d for d, n in enumerate(dims) if n > 0]
    mapped = collectives.shuffled(stream, usable)[:1 + stream.below(2)]
    collapsed = sorted(d for d in mapped if whole or stream.below(4))
    sizes = [1 if d in mapped else n if whole or n == 0 else max(n - stream.below(3), 1)
             for d, n in enumerate(dims)]
    batch = [1 + stream.below(3)] if size(tuple(sizes)) > MANY else \
        [2 + stream.below(4) for _ in range(1 + stream.below(2))]
    vector = stream.below(len(batch) + 1)
    kept = len(dims) - len(collapsed)
    offset = sorted(collectives.shuffled(stream, range(kept + len(batch)))[:kept])
    index = (*batch[:vector], len(mapped), *batch[vector:])
    return Numbers(dims, index, offset, collapsed, mapped, vector, sizes, [], [])


def gather(dims: Dims, stream: Stream) -> Plan | None:
    if not any(dims):
        return None
    found = numbers(dims, stream, False)
    where = arrays.build(S32, found.starts, lambda i: S32.wrap(
        stream.below(dims[found.start_map[i[found.vector]]] + 3) - 1))
    text = (f"gather(p0, p1), offset_dims={listed(found.offset)}, "
            f"collapsed_slice_dims={listed(found.collapsed)}, "
            f"start_index_map={listed(found.start_map)}, "
            f"index_vector_dim={found.vector}, slice_sizes={listed(found.sizes)}")
    return moved([dims, where], found.slices(),
                 lambda i: (0, gathers.origin(found, where, list(i))), text)


def scatter(dims: Dims, stream: Stream) -> Plan | None:
    """Each window to a place of its own, some of them outside, where nothing is written."""
    if not any(dims):
        return None
    found = numbers(dims, stream, True)
    spans = [dims[d] + 1 for d in found.start_map]
    vectors = list({tuple(stream.below(n) for n in spans): None
                    for _ in range(size(found.starts))})
    batches = list(collectives.shuffled(stream, vectors))
    places = iter(range(size(tuple(found.batch_sizes()))))
    chosen: dict = {}

    def index(i):
        batch = tuple(x for k, x in enumerate(i) if k != found.vector)
        if batch not in chosen:
            chosen[batch] = next(places)
        # Those that are too many lie outside.
        number = chosen[batch]
        vector = batches[number] if number < len(batches) else tuple(spans)
        return S32.wrap(vector[i[found.vector]])
    where = arrays.build(S32, found.starts, index)
    updates = found.targets(where)

    def origin(i):
        return (2, updates[i][-1]) if i in updates else (0, i)
    text = (f"scatter(p0, p1, p2), {scatters.attributes(found)}, to_apply=last")
    return moved([dims, where, found.slices()], dims, origin, text, region=last)


def bounded(t, dims: Dims, dynamic, layout: str) -> str:
    """f32[<=2,3]{1,0}."""
    sizes = ",".join("<=" * (d in dynamic) + str(n) for d, n in enumerate(dims))
    return f"{t.name}[{sizes}]{layout}"


def zeros(count: int) -> str:
    return "".join([", zero"] * count)


def set_dimension_size(dims: Dims, stream: Stream) -> Plan | None:
    """What counts of the first array is written over the second one."""
    if not dims:
        return None
    d = stream.below(len(dims))
    n = dims[d] - stream.below(min(dims[d], 3) + 1)

    def write(t, layout, _):
        lines = [f"n = s32[] constant({n})", "zero = s32[] constant(0)",
                 f"d = {bounded(t, dims, {d}, layout)} set-dimension-size(p0, n), "
                 f"dimensions={{{d}}}"]
        return lines, Array(t, dims, ()).shape, f"dynamic-update-slice(p1, d{zeros(len(dims))})"
    return moved([dims, dims], dims, lambda i: (0 if i[d] < n else 1, i), "", write=write)


def dynamic_reshape(dims: Dims, stream: Stream) -> Plan | None:
    out = rearranged.regrouped(dims, stream)
    if not out:
        return None

    def write(t, layout, _):
        lines = [f"n{k} = s32[] constant({n})" for k, n in enumerate(out)]
        names = ", ".join(f"n{k}" for k in range(len(out)))
        lines += ["zero = s32[] constant(0)",
                  f"d = {bounded(t, out, range(len(out)), layout)} dynamic-reshape(p0, {names})"]
        return lines, Array(t, out, ()).shape, f"dynamic-update-slice(p1, d{zeros(len(out))})"
    return Plan([dims, out], out, rearranged.flat(dims, out), "", write=write)


def get_dimension_size(dims: Dims, stream: Stream) -> Plan | None:
    if not dims:
        return None
    d = stream.below(len(dims))
    return Plan([dims], (), lambda t, sources, i: dims[d],
                f"get-dimension-size(p0), dimensions={{{d}}}", lambda t: S32)


PLANS = {"dynamic-slice": dynamic_slice, "dynamic-update-slice": dynamic_update_slice,
         "gather": gather, "scatter": scatter, "set-dimension-size": set_dimension_size,
         "dynamic-reshape": dynamic_reshape, "get-dimension-size": get_dimension_size}
