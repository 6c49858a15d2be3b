"""Cases of operations that move elements: every type, bits preserved."""

from __future__ import annotations

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
}


def any_bits(op: str, t: Type, dims, tag: str = "") -> Array:
    """An array of random bits; every third element is a special one (-0,
    subnormals, signaling NaNs), which wide types would hardly ever draw."""
    stream = Stream(op, tag, t.name, dims)
    array = arrays.random_bits(t, dims, stream)
    special = pools.specials(t)
    codes = [special[stream.bits(16) % len(special)] if k % 3 == 0 else code
             for k, code in enumerate(array.codes)]
    return Array(t, array.dims, tuple(codes))


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
