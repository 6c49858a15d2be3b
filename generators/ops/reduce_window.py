"""reduce-window: strides, paddings and dilations (spec/ops/reduce-window.md)."""

import itertools

from assaygen import arrays, sums, types, values
from assaygen.arrays import Array
from assaygen.cases import Case, bits, interval
from assaygen.program import Program, scalar_region
from assaygen.streams import Stream

WHY = {
    "Window": "stride, padding and dilation of every sign and size",
    "Padding": "cells outside of the operand take no part",
    "AnyOrder": "a sum whose every order is admissible within the proven bound",
}
# per dimension: size, stride, low, high, base dilation, window dilation
WINDOWS = [
    ((6,), [(3, 1, 0, 0, 1, 1)]),
    ((6,), [(2, 2, 1, 1, 1, 1)]),
    ((6,), [(2, 1, 0, 0, 1, 3)]),
    ((4,), [(3, 1, 1, 2, 2, 1)]),
    ((7,), [(2, 3, -1, -2, 1, 1)]),
    ((2,), [(5, 1, 0, 0, 1, 1)]),
    ((4, 5), [(2, 1, 0, 1, 1, 1), (3, 2, 1, 1, 1, 1)]),
    ((1, 5, 5, 2), [(1, 1, 0, 0, 1, 1), (3, 2, 1, 1, 1, 1), (3, 2, 1, 1, 1, 1),
                    (1, 1, 0, 0, 1, 1)]),
    ((3, 4), [(2, 1, 3, 3, 1, 1), (1, 1, 0, 0, 1, 1)]),
]


def dilated(size, dilation):
    return 0 if size == 0 else (size - 1) * dilation + 1


def result_dims(dims, window):
    out = []
    for size, (width, stride, low, high, base, spread) in zip(dims, window):
        padded, reach = low + dilated(size, base) + high, dilated(width, spread)
        out.append(0 if padded == 0 or reach > padded else (padded - reach) // stride + 1)
    return tuple(out)


def cells(operand, window, out):
    """The codes in the window of result index `out`, in order."""
    found = []
    for taps in itertools.product(*(range(w[0]) for w in window)):
        index = []
        for o, k, size, (_, stride, low, _, base, spread) in zip(
                out, taps, operand.dims, window):
            place, gap = divmod(o * stride + k * spread - low, base)
            if gap or not 0 <= place < size:
                break
            index.append(place)
        else:
            found.append(operand.at(index))
    return found


def attribute(window):
    def joined(pick):
        return "x".join(pick(w) for w in window)
    return ("window={size=" + joined(lambda w: str(w[0]))
            + " stride=" + joined(lambda w: str(w[1]))
            + " pad=" + joined(lambda w: f"{w[2]}_{w[3]}")
            + " lhs_dilate=" + joined(lambda w: str(w[4]))
            + " rhs_dilate=" + joined(lambda w: str(w[5])) + "}")


def program(operand, init, t, window, out, name):
    shape = Array(t, out, ()).shape
    return (Program("m", [operand, init])
            .region(scalar_region("f", t.name, f"{t.name}[] {name}(a, b)"))
            .root(shape, f"reduce-window(p0, p1), {attribute(window)}, to_apply=f"))


def one(t, number, name):
    dims, window = WINDOWS[number]
    stream = Stream("reduce-window", t.name, number)
    out = result_dims(dims, window)
    is_sum = name == "add" and t.kind == "float"
    if is_sum:
        one_ = (t.bias - 2) << t.mantissa
        operand = arrays.build(t, dims, lambda _: one_ + stream.below(1 << t.mantissa))
    else:
        operand = arrays.random_bits(t, dims, stream)
    init = arrays.splat(t, (), identity(t, name))
    indices = Array(t, out, ()).indices()
    rows = [cells(operand, window, index) for index in indices]
    if is_sum:
        triples = [sums.codes(t, [types.decode(t, c).exact for c in row], False)
                   for row in rows]
        sets = [Array(t, out, tuple(c)) for c in zip(*triples)] or [Array(t, out, ())] * 3
        expect = interval(*sets)
    else:
        expect = bits(Array(t, out, tuple(folded(t, name, row) for row in rows)))
    return Case(f"{t.name}/{name}_{number}", f"{name} over windows of {list(dims)}",
                program(operand, init, t, window, out, name), [expect],
                ["Window", "Padding"] + ["AnyOrder"] * is_sum)


def identity(t, name):
    if name == "add":
        return 0
    if t.kind == "int":
        return t.wrap(t.low)
    lowest = t.max_finite + (1 if t.specials == "ieee" else 0)
    return lowest | t.sign_mask


def folded(t, name, row):
    if t.kind == "int":
        numbers = [t.integer(c) for c in row]
        return t.wrap(sum(numbers) if name == "add" else max([t.low, *numbers]))
    value = types.decode(t, identity(t, name))
    for code in row:
        value = values.maximum(value, types.decode(t, code))
    return types.encode(t, value)


def cases():
    for t in types.INTS:
        for number in range(len(WINDOWS)):
            yield one(t, number, ("add", "maximum")[number % 2])
    for t in types.FLOATS:
        for number in range(len(WINDOWS)):
            if t.specials != "e8m0":
                yield one(t, number, "maximum")
            if t.bits >= 8 and t.specials != "e8m0":
                yield one(t, number, "add")
