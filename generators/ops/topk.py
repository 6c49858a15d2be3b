"""topk: the first of a stable sort by total order (spec/ops/topk.md)."""

from assaygen import arrays, pools, types
from assaygen.cases import Case, bits, rejected
from assaygen.program import Program
from assaygen.streams import Stream
from ops.sort import key_of

WHY = {
    "Order": "the largest, and the smallest, of random bits of any type, NaNs of both "
             "signs and zeros of both signs among them",
    "Ties": "of equal elements the one with the lower index comes first",
    "Size": "k is 0, 1, and the size of the line",
    "Default": "without `largest` the largest are taken",
    **pools.LAYOUT_WHY,
    "Rejected": "a rule of the page is violated",
}
TYPES = [types.PRED, *types.INTS, *types.FLOATS]


def best(t, line, k, largest):
    """Places of the k best codes: sorted() keeps the order of equal ones."""
    keys = [key_of(t, code) for code in line]
    order = sorted(range(len(line)), key=lambda i: -keys[i] if largest else keys[i])
    return order[:k]


def results(operand, k, largest):
    n = operand.dims[-1]
    places = {}
    for start in arrays.Array(operand.type, (*operand.dims[:-1], 1), ()).indices():
        line = [operand.at((*start[:-1], i)) for i in range(n)]
        places[start[:-1]] = best(operand.type, line, k, largest)
    dims = (*operand.dims[:-1], k)
    return (arrays.build(operand.type, dims,
                         lambda i: operand.at((*i[:-1], places[i[:-1]][i[-1]]))),
            arrays.build(types.S32, dims, lambda i: places[i[:-1]][i[-1]]))


def one(operand, k, largest, name, why, layouts=("", "")):
    """`largest` is None where the text does not say."""
    found = [x.with_layout(layout)
             for x, layout in zip(results(operand, k, largest is not False), layouts)]
    shape = ", ".join(x.shape for x in found)
    said = "" if largest is None else f", largest={str(largest).lower()}"
    program = Program("m", [operand]).root(f"({shape})", f"topk(p0), k={k}{said}")
    return Case(f"{operand.type.name}/{name}",
                f"the {k} {'smallest' if largest is False else 'largest'} of {operand.shape}",
                program, [bits(x, "same") for x in found], why)


def with_specials(t, dims, name):
    """Random bits, every other one special: NaNs, infinities, zeros."""
    stream = Stream("topk", t.name, name)
    special = pools.specials(t)
    return arrays.build(t, dims, lambda i: stream.choice(special) if i[-1] % 2
                        else stream.bits(t.bits))


def few_values(t, dims, stream):
    return arrays.build(t, dims, lambda _: arrays.from_number(t, 1 + stream.below(3)))


def of_types():
    for t in TYPES:
        yield one(with_specials(t, (23,), "all"), 23, True, "all", ["Order", "Size"])
        yield one(with_specials(t, (3, 11), "smallest"), 4, False, "smallest", ["Order"])
        yield one(few_values(t, (2, 9), Stream("topk", "ties", t.name)), 5, True, "ties",
                  ["Ties"])
    for t in (types.F32, types.S32, types.BY_NAME["u8"]):
        yield one(with_specials(t, (9,), "default"), 3, None, "default", ["Default"])


def of_sizes():
    for dims, k in (((5,), 0), ((5,), 1), ((0,), 0), ((0, 4), 2), ((3, 0), 0), ((2, 1, 3, 5), 5),
                    ((2, 3, 1), 1), ((1,), 1), ((1, 200), 7)):
        for largest in (True, False):
            name = "x".join(map(str, dims)) + f"_k{k}_" + ("largest" if largest else "smallest")
            yield one(with_specials(types.F32, dims, name), k, largest, name, ["Size", "Shape"])


def of_layouts():
    n = len(pools.LAYOUTS)
    for i, layout in enumerate(pools.LAYOUTS):
        operand = with_specials(types.F32, (5, 6), layout).with_layout(layout)
        laid = (pools.LAYOUTS[(i + 1) % n], pools.LAYOUTS[(i + 2) % n])
        yield one(operand, 4, True, f"layout_{i}", ["Layout"], laid)


def refused(name, t, dims, out, k, label):
    operand = arrays.iota(t, dims)
    shape = "[" + ",".join(map(str, out)) + "]"
    program = Program("m", [operand]).root(f"({t.name}{shape}, s32{shape})",
                                           f"topk(p0), k={k}, largest=true")
    return Case(f"{t.name}/{name}", f"no {k} largest of {operand.shape}", program,
                rejected(f"topk.{label}"), ["Rejected"])


def cases():
    yield from of_types()
    yield from of_sizes()
    yield from of_layouts()
    yield refused("scalar", types.F32, (), (), 1, "C1")
    for t in types.COMPLEX:
        yield refused("complex", t, (3,), (1,), 1, "C2")
    yield refused("too_many", types.F32, (3,), (4,), 4, "C3")
    yield refused("too_many_of_last", types.F32, (5, 3), (5, 4), 4, "C3")
    yield refused("negative", types.F32, (3,), (0,), -1, "C3")
