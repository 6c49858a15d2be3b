"""Operations that apply regions: scatters, windows, orders, scans."""

import itertools

from assaygen.streams import Stream
from dynamic_sizes.common import LESS, Operand, Sized, braces, draw, indices, marked, sizes_text

COUNT = 24
SECOND = "second {\n  a = s32[] parameter(0)\n  ROOT b = s32[] parameter(1)\n}"
GREATER = """greater {
  a = s32[] parameter(0)
  b = s32[] parameter(1)
  ROOT c = pred[] compare(a, b), direction=GE
}"""
PAIRS = """pairs {
  a = s32[] parameter(0)
  b = s32[] parameter(1)
  c = s32[] parameter(2)
  d = s32[] parameter(3)
  e = s32[] add(a, c)
  f = s32[] maximum(b, d)
  ROOT t = (s32[], s32[]) tuple(e, f)
}"""
KEYS = """keys {
  a = s32[] parameter(0)
  b = s32[] parameter(1)
  c = s32[] parameter(2)
  d = s32[] parameter(3)
  ROOT e = pred[] compare(a, b), direction=LT
}"""
STEP = """step {
  x = s32[] parameter(0)
  c = s32[] parameter(1)
  n = s32[] add(x, c)
  ROOT t = (s32[], s32[]) tuple(n, n)
}"""
STEPS = """steps {
  x = s32[<=3] parameter(0)
  c = s32[<=3] parameter(1)
  n = s32[<=3] add(x, c)
  ROOT t = (s32[<=3], s32[<=3]) tuple(n, n)
}"""


def scatter(number: int):
    """Rows that are added, in one of three cases windows of several rows."""
    stream = Stream("dynamic_sizes", "scatter", number)
    x = draw(stream, [1 + stream.below(5), 1 + stream.below(4)])
    at = draw(stream, [1 + stream.below(4), 1], fixed=(1,), high=6)
    box = [1 + stream.below(n) for n in x.dims] if number % 3 == 0 else [1, x.dims[1]]
    update = draw(stream, [at.dims[0], *box])
    sized = Sized([x, at, update])
    sized.line(f"y = {marked(x.dims, x.dynamic)} scatter(d0, d1, d2), "
               "update_window_dims={1,2}, inserted_window_dims={}, "
               "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add")
    window = [min(a, b) for a, b in zip(update.sizes[1:], x.sizes)]
    found = x.table()
    for k in range(min(at.sizes[0], update.sizes[0])):
        first = at.at((k, 0))
        if first > x.sizes[0] - window[0]:
            continue
        for i, j in indices(window):
            found[first + i, j] += update.at((k, i, j))
    return sized.case(f"scatter_{number:02}", f"{sizes_text(x, at, update)}",
                      [("y", x.dims, x.sizes, found)], ["Cut", "Least"])


def scatter_batched(number: int):
    """Each row of updates goes into its own row."""
    stream = Stream("dynamic_sizes", "scatter", "batched", number)
    batch = 1 + stream.below(4)
    x = draw(stream, [batch, 1 + stream.below(4)])
    at = draw(stream, [batch, 1 + stream.below(3)], high=6)
    update = draw(stream, at.dims)
    sized = Sized([x, at, update], [SECOND])
    sized.line(f"y = {sized.shape(x.dims)} scatter(d0, d1, d2), update_window_dims={{}}, "
               "inserted_window_dims={1}, scatter_dims_to_operand_dims={1}, "
               "input_batching_dims={0}, scatter_indices_batching_dims={0}, "
               "index_vector_dim=2, to_apply=second")
    rows = min(x.sizes[0], at.sizes[0], update.sizes[0])
    sizes = [rows, x.sizes[1]]
    found = {i: x.at(i) for i in indices(sizes)}
    for i in indices([rows, min(at.sizes[1], update.sizes[1])]):
        if (i[0], at.at(i)) in found:
            found[i[0], at.at(i)] = update.at(i)
    return sized.case(f"scatter_batched_{number:02}", f"batches of {sizes_text(x, at, update)}",
                      [("y", x.dims, sizes, found)], ["Cut", "Least"])


def reduced(number: int):
    """Two inputs, a sum and a maximum: both have the least sizes."""
    stream = Stream("dynamic_sizes", "reduce", number)
    dims = [1 + stream.below(4), 1 + stream.below(4)]
    a, b = draw(stream, dims), draw(stream, dims)
    d = stream.below(2)
    sized = Sized([a, b], [PAIRS])
    left = sized.shape([dims[1 - d]])
    sized.line(f"t = ({left}, {left}) reduce(d0, d1, zero, zero), dimensions={{{d}}}, "
               "to_apply=pairs")
    sized.line(f"q = {left} get-tuple-element(t), index=0")
    sized.line(f"y = {left} get-tuple-element(t), index=1")
    sizes = [min(n) for n in zip(a.sizes, b.sizes)]

    def line(x, k):
        return [x.at((k, i) if d else (i, k)) for i in range(sizes[d])]

    kept = [sizes[1 - d]]
    sums = {(k,): sum(line(a, k)) for k in range(kept[0])}
    tops = {(k,): max([0, *line(b, k)]) for k in range(kept[0])}
    bounds = [dims[1 - d]]
    return sized.case(f"reduce_{number:02}", f"sums and maxima of {sizes_text(a, b)}",
                      [("q", bounds, kept, sums), ("y", bounds, kept, tops)], ["Cut", "Least"])


class Windows:
    """One window dimension: size, stride, low, high, base dilation, window dilation."""

    def __init__(self, stream: Stream) -> None:
        self.size, self.stride = 1 + stream.below(3), 1 + stream.below(2)
        self.low, self.high = stream.below(3) - 1, stream.below(3) - 1
        self.base, self.dilation = 1 + stream.below(2), 1 + stream.below(2)

    def places(self, n: int) -> int:
        space = (n - 1) * self.base + 1 if n else 0
        extent = (self.size - 1) * self.dilation + 1
        left = space + self.low + self.high - extent
        return 0 if left < 0 else left // self.stride + 1

    def cell(self, place: int, tap: int, n: int):
        """The element under a tap, or None."""
        at = place * self.stride + tap * self.dilation - self.low
        return at // self.base if at >= 0 and at % self.base == 0 and at // self.base < n else None

    def cells(self, place: int, n: int) -> list[int]:
        found = (self.cell(place, tap, n) for tap in range(self.size))
        return [i for i in found if i is not None]


def window_text(windows) -> str:
    def join(*names):
        return "x".join("_".join(str(getattr(w, n)) for n in names) for w in windows)
    return (f"size={join('size')} stride={join('stride')} pad={join('low', 'high')} "
            f"lhs_dilate={join('base')} rhs_dilate={join('dilation')}")


def reduce_window(number: int):
    stream = Stream("dynamic_sizes", "reduce-window", number)
    x = draw(stream, [1 + stream.below(6) for _ in range(1 + stream.below(2))])
    windows = [Windows(stream) for _ in x.dims]
    dims = [w.places(n) for w, n in zip(windows, x.dims)]
    sized = Sized([x])
    sized.line(f"y = {sized.shape(dims)} reduce-window(d0, zero), "
               f"window={{{window_text(windows)}}}, to_apply=add")
    sizes = [w.places(n) for w, n in zip(windows, x.sizes)]
    found = {}
    for place in indices(sizes):
        cells = [w.cells(p, n) for w, p, n in zip(windows, place, x.sizes)]
        found[place] = sum(x.at(i) for i in itertools.product(*cells))
    return sized.case(f"reduce_window_{number:02}", f"sums over windows of {sizes_text(x)}",
                      [("y", dims, sizes, found)])


def select_and_scatter(number: int):
    """The first of the greatest in each window gets the source's element."""
    stream = Stream("dynamic_sizes", "select-and-scatter", number)
    x = draw(stream, [2 + stream.below(5)])
    window = Windows(stream)
    window.base = 1
    places = window.places(x.dims[0])
    if places == 0:
        window.low = window.high = 2
        places = window.places(x.dims[0])
    source = draw(stream, [places])
    text = window_text([window]).replace("lhs_dilate=1 ", "")
    sized = Sized([x, source], [GREATER])
    sized.line(f"y = {marked(x.dims, x.dynamic)} select-and-scatter(d0, d1, zero), "
               f"window={{{text}}}, select=greater, scatter=add")
    found = {(i,): 0 for i in range(x.sizes[0])}
    for place in range(min(window.places(x.sizes[0]), source.sizes[0])):
        cells = window.cells(place, x.sizes[0])
        if cells:
            found[max(cells, key=lambda i: (x.at((i,)), -i)),] += source.at((place,))
    return sized.case(f"select_and_scatter_{number:02}", f"windows of {sizes_text(x, source)}",
                      [("y", x.dims, x.sizes, found)], ["Cut", "Least"])


def lines(sizes, d: int):
    """The indices of each line along dimension d, in order."""
    outer = indices(n for k, n in enumerate(sizes) if k != d)
    return [[(*o[:d], i, *o[d:]) for i in range(sizes[d])] for o in outer]


def sort(number: int):
    """Keys, and values of another size beside them."""
    stream = Stream("dynamic_sizes", "sort", number)
    dims = [1 + stream.below(4), 1 + stream.below(5)]
    keys, values = draw(stream, dims), draw(stream, dims)
    d = stream.below(2)
    sized = Sized([keys, values], [KEYS])
    shape = sized.shape(dims)
    sized.line(f"t = ({shape}, {shape}) sort(d0, d1), dimensions={{{d}}}, is_stable=true, "
               "to_apply=keys")
    sized.line(f"q = {shape} get-tuple-element(t), index=0")
    sized.line(f"y = {shape} get-tuple-element(t), index=1")
    sizes = [min(n) for n in zip(keys.sizes, values.sizes)]
    first, second = {}, {}
    for line in lines(sizes, d):
        for to, at in zip(line, sorted(line, key=keys.at)):
            first[to], second[to] = keys.at(at), values.at(at)
    return sized.case(f"sort_{number:02}", f"lines of {sizes_text(keys, values)}",
                      [("q", dims, sizes, first), ("y", dims, sizes, second)], ["Cut", "Least"])


def sort_one(number: int):
    stream = Stream("dynamic_sizes", "sort", "one", number)
    x = Operand([7], [stream.below(8)], stream)
    sized = Sized([x], [LESS]).line(
        "y = s32[<=7] sort(d0), dimensions={0}, is_stable=true, to_apply=less")
    found = {(i,): value for i, value in enumerate(sorted(x.table().values()))}
    return sized.case(f"sort_one_{number:02}", sizes_text(x), [("y", x.dims, x.sizes, found)])


def topk(number: int):
    stream = Stream("dynamic_sizes", "topk", number)
    x = draw(stream, [1 + stream.below(3), 1 + stream.below(5)])
    k = 1 + stream.below(x.dims[1])
    dims = [x.dims[0], k]
    sized = Sized([x])
    shape = sized.shape(dims)
    sized.line(f"t = ({shape}, {shape}) topk(d0), k={k}, largest=true")
    sized.line(f"q = {shape} get-tuple-element(t), index=0")
    sized.line(f"y = {shape} get-tuple-element(t), index=1")
    sizes = [x.sizes[0], min(k, x.sizes[1])]
    values, places = {}, {}
    for row in range(sizes[0]):
        order = sorted(range(x.sizes[1]), key=lambda i: (-x.at((row, i)), i))
        for j, i in enumerate(order[:k]):
            values[row, j], places[row, j] = x.at((row, i)), i
    return sized.case(f"topk_{number:02}", f"{k} of {sizes_text(x)}",
                      [("q", dims, sizes, values), ("y", dims, sizes, places)])


def scan(number: int):
    """Running sums, in one of two cases from the last element that there is."""
    stream = Stream("dynamic_sizes", "scan", number)
    x = Operand([5], [stream.below(6)], stream)
    backwards = number % 2 == 1
    sized = Sized([x], [STEP]).line(
        "t = (s32[<=5], s32[]) scan(d0, zero), dimensions={0}, num_carries=1, "
        f"is_reverse={str(backwards).lower()}, to_apply=step")
    sized.line("y = s32[<=5] get-tuple-element(t), index=0")
    order = list(range(x.sizes[0]))[::-1 if backwards else 1]
    sums = itertools.accumulate(x.at((i,)) for i in order)
    found = {(i,): value for i, value in zip(order, sums)}
    return sized.case(f"scan_{number:02}", sizes_text(x), [("y", x.dims, x.sizes, found)])


def scan_rows(number: int):
    """Running sums of rows that have a size of their own."""
    stream = Stream("dynamic_sizes", "scan", "rows", number)
    x = Operand([4, 3], [1 + stream.below(4), stream.below(4)], stream)
    sized = Sized([x], [STEPS])
    sized.line("z = s32[3] broadcast(zero), dimensions={}")
    sized.line("t = (s32[<=4,<=3], s32[<=3]) scan(d0, z), dimensions={0}, num_carries=1, "
               "to_apply=steps")
    sized.line("y = s32[<=4,<=3] get-tuple-element(t), index=0")
    found = {(i, j): sum(x.at((k, j)) for k in range(i + 1)) for i, j in indices(x.sizes)}
    return sized.case(f"scan_rows_{number:02}", sizes_text(x), [("y", x.dims, x.sizes, found)])


def mapped(number: int):
    stream = Stream("dynamic_sizes", "map", number)
    dims = [1 + stream.below(4), 1 + stream.below(4)]
    a, b = draw(stream, dims), draw(stream, dims)
    sized = Sized([a, b])
    sized.line(f"y = {sized.shape(dims)} map(d0, d1), dimensions={braces(range(2))}, "
               "to_apply=add")
    sizes = [min(n) for n in zip(a.sizes, b.sizes)]
    found = {i: a.at(i) + b.at(i) for i in indices(sizes)}
    return sized.case(f"map_{number:02}", f"sums of {sizes_text(a, b)}",
                      [("y", dims, sizes, found)], ["Least"])


def cases():
    for make in (scatter, scatter_batched, reduce_window, select_and_scatter):
        yield from map(make, range(COUNT))
    for make in (reduced, sort, topk):
        yield from map(make, range(12))
    for make in (sort_one, scan, scan_rows, mapped):
        yield from map(make, range(6))
