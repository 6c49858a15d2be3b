"""Windows over arrays, from their definition (spec/ops/reduce_window.md).

A dimension is (size, stride, low, high, base dilation, window dilation).
"""

from __future__ import annotations

import itertools
import math

from assaygen.streams import Stream


def dilated(size, dilation):
    return 0 if size == 0 else (size - 1) * dilation + 1


def result_dims(dims, window):
    out = []
    for size, (width, stride, low, high, base, spread) in zip(dims, window):
        padded, reach = low + dilated(size, base) + high, dilated(width, spread)
        out.append(0 if padded <= 0 or reach > padded else (padded - reach) // stride + 1)
    return tuple(out)


def places(dims, window, out):
    """The indices of the cells in the window of result index `out`, in order."""
    for taps in itertools.product(*(range(w[0]) for w in window)):
        index = []
        for o, k, size, (_, stride, low, _, base, spread) in zip(out, taps, dims, window):
            place, gap = divmod(o * stride + k * spread - low, base)
            if gap or not 0 <= place < size:
                break
            index.append(place)
        else:
            yield tuple(index)


def cells(operand, window, out):
    """The codes in the window of result index `out`, in order."""
    return [operand.at(index) for index in places(operand.dims, window, out)]


def attribute(window):
    def joined(pick):
        return "x".join(pick(w) for w in window)
    return ("window={size=" + joined(lambda w: str(w[0]))
            + " stride=" + joined(lambda w: str(w[1]))
            + " pad=" + joined(lambda w: f"{w[2]}_{w[3]}")
            + " lhs_dilate=" + joined(lambda w: str(w[4]))
            + " rhs_dilate=" + joined(lambda w: str(w[5])) + "}")


def dimension(stream: Stream, dilate_base=True):
    """One dimension of a window: each number its default every other time."""
    def mostly(usual, count):
        return usual + stream.below(count) * stream.bits(1)
    low, high = (stream.bits(1) * (stream.below(6) - 2) for _ in range(2))
    base = mostly(1, 3) if dilate_base else 1
    return (1 + stream.below(3), mostly(1, 3), low, high, base, mostly(1, 3))


def draw(stream: Stream, ranks=(1, 1, 2, 2, 3), dilate_base=True):
    """Sizes and a window with few cells; one in eight may leave no place."""
    while True:
        rank = stream.choice(ranks)
        dims = tuple(1 + stream.below(5) for _ in range(rank))
        if stream.below(24) == 0:
            dims = (0, *dims[1:])
        window = [dimension(stream, dilate_base) for _ in dims]
        places_ = math.prod(result_dims(dims, window))
        few = math.prod(w[0] for w in window) <= 12 and math.prod(dims) <= 40
        if few and places_ <= 30 and (places_ or stream.below(8) == 0):
            return dims, window
