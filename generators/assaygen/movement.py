"""Cases of operations that move elements: every type, bits preserved."""

from __future__ import annotations

import math

from assaygen import arrays, pools, types
from assaygen.arrays import Array
from assaygen.cases import Case, bits
from assaygen.program import Program
from assaygen.streams import Stream
from assaygen.types import Type

WHY = {
    "Type": "any bits of any element type pass unchanged: NaN payloads, "
            "subnormals, -0",
    "Edge": "an extreme of the attributes: nothing moved, all moved, cropped",
    **pools.LAYOUT_WHY,
    "Rejected": "a rule of the page is violated",
    "Random": "shapes, types, attributes and bits drawn at random",
}
RANDOM = 60


def any_bits(op: str, t: Type, dims, tag: str = "") -> Array:
    """An array of random bits; every third element is a special one (-0,
    subnormals, signaling NaNs), which wide types would hardly ever draw."""
    stream = Stream(op, tag, t.name, dims)
    array = arrays.random_bits(t, dims, stream)
    special = pools.specials(t)
    codes = [special[stream.bits(16) % len(special)] if k % 3 == 0 else code
             for k, code in enumerate(array.codes)]
    return Array(t, array.dims, tuple(codes))


def dims(stream: Stream, least: int = 0) -> tuple[int, ...]:
    """At most 72 elements in up to four dimensions, one in 16 of which is empty."""
    rank = max(least, stream.choice((0, 1, 1, 2, 2, 2, 3, 3, 3, 4)))
    while True:
        sizes = tuple(1 + stream.below(6) for _ in range(rank))
        if math.prod(sizes) <= 72:
            return tuple(n * (stream.below(16) > 0) for n in sizes)


def random(op: str, make):
    """make(stream, type, name) gives a case, for each of so many streams."""
    for number in range(RANDOM):
        stream = Stream(op, "random", number)
        found = make(stream, stream.choice(ALL), f"random_{number:02}")
        found.why = ["Random"]
        yield found


def moved(source: Array, dims, index_of, otherwise=None) -> Array:
    """The array whose element at i is source[index_of(i)], or `otherwise`
    where index_of gives None."""
    def element(i):
        j = index_of(i)
        return otherwise if j is None else source.at(j)
    return arrays.build(source.type, dims, element)


def case(what: str, statement: str, inputs: list[Array], instruction: str,
         result: Array, why: list[str]) -> Case:
    """A program of one instruction on the inputs p0, p1, ..."""
    program = Program("m", inputs).root(result.shape, instruction)
    return Case(f"{result.type.name}/{what}", statement, program,
                [bits(result, "same")], why)


def with_layouts(op: str, t: Type, make):
    """make(operand layout, result layout) gives a case, for each layout of a
    matrix; the result's layout is the next one."""
    layouts = pools.LAYOUTS
    if t.bits < 8 and t.kind == "int":
        layouts = [f"{{1,0:E({t.bits})}}", f"{{0,1:T(2,4)E({t.bits})}}"]
    for i, layout in enumerate(layouts):
        yield make(i, layout, layouts[(i + 1) % len(layouts)])


ALL = types.ALL
