"""set-dimension-size: sums see what counts only (spec/ops/set_dimension_size.md)."""

from assaygen import sized
from assaygen.cases import Case, bits
from assaygen.streams import Stream

WHY = sized.WHY


def summed(i):
    array = sized.draw(Stream("set_dimension_size", i))
    program = array.program()
    every = ",".join(map(str, range(len(array.dims))))
    program.root("s32[]", f"reduce({array.name}, zero), dimensions={{{every}}}, to_apply=add")
    expect = bits(sized.scalar(sum(array.values())))
    return Case(f"s32/sum_{i:02}", f"the sum over {array.sizes} of {list(array.dims)}",
                program, [expect], ["Random", "Edge"])


def cases():
    for i in range(60):
        yield summed(i)
