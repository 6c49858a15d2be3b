"""Sums of products: dot, ragged-dot, convolution."""

from assaygen.streams import Stream
from dynamic_sizes.common import Sized, draw, indices, marked, sizes_text
from dynamic_sizes.regions import Windows

COUNT = 24


def dot(number: int):
    """[b, m, k] times [k, b, n]: sums over the elements that both have."""
    stream = Stream("dynamic_sizes", "dot", number)
    b, m, k, n = (1 + stream.below(4) for _ in range(4))
    x, y = draw(stream, [b, m, k]), draw(stream, [k, b, n])
    dims = [b, m, n]
    sized = Sized([x, y])
    sized.line(f"y = {sized.shape(dims)} dot(d0, d1), lhs_batch_dims={{0}}, "
               "rhs_batch_dims={1}, lhs_contracting_dims={2}, rhs_contracting_dims={0}")
    terms = range(min(x.sizes[2], y.sizes[0]))
    sizes = [min(x.sizes[0], y.sizes[1]), x.sizes[1], y.sizes[2]]
    found = {(g, i, j): sum(x.at((g, i, t)) * y.at((t, g, j)) for t in terms)
             for g, i, j in indices(sizes)}
    return sized.case(f"dot_{number:02}", f"the product of {sizes_text(x, y)}",
                      [("y", dims, sizes, found)], ["Cut", "Least"])


def ragged_dot(number: int):
    """Rows in groups: matrices and group sizes that both exist count."""
    stream = Stream("dynamic_sizes", "ragged-dot", number)
    m, k, n, groups = (1 + stream.below(4) for _ in range(4))
    x, y = draw(stream, [m, k]), draw(stream, [groups, k, n])
    lengths = draw(stream, [groups], high=3)
    dims = [m, n]
    sized = Sized([x, y, lengths])
    sized.line(f"y = {sized.shape(dims)} ragged-dot(d0, d1, d2), "
               "lhs_contracting_dims={1}, rhs_contracting_dims={1}, lhs_ragged_dims={0}, "
               "rhs_group_dims={0}")
    terms = range(min(x.sizes[1], y.sizes[1]))
    owners = [g for g in range(min(y.sizes[0], lengths.sizes[0]))
              for _ in range(lengths.at((g,)))]
    sizes = [x.sizes[0], y.sizes[2]]
    found = {(i, j): sum(x.at((i, t)) * y.at((owners[i], t, j)) for t in terms)
             if i < len(owners) else 0 for i, j in indices(sizes)}
    return sized.case(f"ragged_dot_{number:02}", f"the product of {sizes_text(x, y, lengths)}",
                      [("y", dims, sizes, found)], ["Cut", "Least"])


def convolved(x, kernel, windows, at, groups: int, out_features: int) -> int:
    """The element at [batch, places.., feature] of a convolution."""
    batch, *places, feature = at
    inputs = kernel.sizes[-2] if groups > 1 else min(x.sizes[-1], kernel.sizes[-2])
    first = feature // (out_features // groups) * kernel.dims[-2] if groups > 1 else 0
    total = 0
    for taps in indices([w.size for w in windows]):
        cell = [w.cell(p, t, n)
                for w, p, t, n in zip(windows, places, taps, x.sizes[1:-1])]
        if None in cell:
            continue
        total += sum(x.at((batch, *cell, first + i)) * kernel.at((*taps, i, feature))
                     for i in range(inputs))
    return total


def convolution(number: int):
    """Images with sizes in batch, places and features; one in four in groups."""
    stream = Stream("dynamic_sizes", "convolution", number)
    groups = 2 if number % 4 == 3 else 1
    spatial = 1 + stream.below(2)
    windows = [Windows(stream) for _ in range(spatial)]
    inputs, outputs = 1 + stream.below(3), groups * (1 + stream.below(2))
    image = [1 + stream.below(3), *(1 + stream.below(6) for _ in windows), groups * inputs]
    last = len(image) - 1
    x = draw(stream, image, fixed=(last,) if groups > 1 else ())
    kernel = draw(stream, [*(w.size for w in windows), inputs, outputs],
                  fixed=range(last + 1) if groups > 1 else range(spatial))
    dims = [image[0], *(w.places(n) for w, n in zip(windows, image[1:])), outputs]
    names = "01"[:spatial]

    def join(*parts):
        return "x".join("_".join(str(getattr(w, p)) for p in parts) for w in windows)

    sized = Sized([x, kernel])
    sized.line(f"y = {sized.shape(dims)} convolution(d0, d1), "
               f"window={{size={join('size')} stride={join('stride')} pad={join('low', 'high')} "
               f"lhs_dilate={join('base')} rhs_dilate={join('dilation')}}}, "
               f"dim_labels=b{names}f_{names}io->b{names}f, feature_group_count={groups}")
    sizes = [x.sizes[0], *(w.places(n) for w, n in zip(windows, x.sizes[1:])), kernel.sizes[-1]]
    found = {i: convolved(x, kernel, windows, i, groups, outputs) for i in indices(sizes)}
    return sized.case(f"convolution_{number:02}", f"of {sizes_text(x, kernel)}",
                      [("y", dims, sizes, found)], ["Cut", "Least"])


def cases():
    for make in (dot, convolution):
        yield from map(make, range(COUNT))
    yield from map(ragged_dot, range(12))
