"""What all-reduce and reduce-scatter make of the members of a group."""

from __future__ import annotations

from assaygen import arrays, collectives as c, combiners, sums, types, values
from assaygen.arrays import Array
from assaygen.cases import bits, interval
from assaygen.program import scalar_region
from assaygen.streams import Stream

MODES = (c.REPLICAS, c.BOTH, c.GLOBAL)
WHY = {
    **c.WHY,
    "AnyOrder": "a sum whose every order is admissible within the proven bound",
    "Type": "the types whose sums are seldom exact: small numbers, pred and complex ones",
    "Order": "a combiner that has an order: from the left, as the group says",
}
# Drawn at random, besides integers; of_types has one case of each of the others.
FLOATS = [types.BY_NAME[n] for n in ("f32", "f64", "bf16", "f16", "f8e5m2")]
INTEGER = {
    "add": lambda a, b: a + b,
    "multiply": lambda a, b: a * b,
    "minimum": min,
    "maximum": max,
    "subtract": lambda a, b: a - b,
}


def is_narrow(t) -> bool:
    """pred, complex numbers, and floats that are not drawn."""
    return t.kind != "int" and t not in FLOATS


def of_types(one):
    """one(number, (type, combiner)): two cases of each type that is not drawn."""
    others = [t for t in types.ALL if is_narrow(t)]
    for number, t in enumerate(others + others, 1000):
        yield one(number, (t, combiners.names(t)[-1]))


def operands(op: str, number: int, at, t, dims):
    """Bits for integers, small multiples of a power of two for floats."""
    def array(d):
        stream = Stream(op, number, *d)
        if is_narrow(t):
            return combiners.drawn(t, combiners.names(t)[-1], dims, stream)
        if t.kind == "int":
            return arrays.random_bits(t, dims, stream)
        scale = 2 ** stream.below(8)
        return arrays.build(t, dims, lambda _: types.encode(
            t, values.number((stream.below(31) - 15) * scale)))
    return {d: array(d) for d in at.devices}


def draw(stream: Stream):
    """An element type and a combiner."""
    if stream.below(3) == 0:
        return stream.choice(FLOATS), "add"
    return stream.choice(types.INTS), stream.choice(list(INTEGER))


def region(t, name: str) -> str:
    return scalar_region("f", t.name, f"{t.name}[] {name}(a, b)")


def combine(t, name: str, codes: list[int]) -> tuple[int, int, int]:
    """(value, least, greatest) of one element of all members, in their order."""
    if is_narrow(t):
        return combiners.joined(t, name, codes)
    if t.kind == "float":
        return float_sum(t, codes)
    result = t.integer(codes[0])
    for code in codes[1:]:
        result = t.integer(t.wrap(INTEGER[name](result, t.integer(code))))
    return (t.wrap(result),) * 3


def float_sum(t, codes: list[int]) -> tuple[int, int, int]:
    terms = [types.decode(t, code) for code in codes]
    if all(v.is_zero and v.sign < 0 for v in terms):
        return (codes[0],) * 3
    if len(codes) == 1:
        return (codes[0],) * 3
    return sums.codes(t, [v.exact for v in terms], products=False)


def combined(table, group, dims, t, name: str) -> list[Array]:
    """The value, and the ends of what another order may give."""
    found = {i: combine(t, name, [table[m].at(i) for m in group])
             for i in arrays.build(t, dims, lambda _: 0).indices()}
    return [arrays.build(t, dims, lambda i, k=k: found[i][k]) for k in range(3)]


def expectation(value: Array, low: Array, high: Array) -> dict:
    if low.codes == high.codes:
        return bits(value)
    return interval(value, low, high)


def why(t, name: str, expect: list[dict]) -> str:
    if any("interval" in e for e in expect):
        return "AnyOrder"
    return "Order" if name == "subtract" else "Type" if is_narrow(t) else "Random"
