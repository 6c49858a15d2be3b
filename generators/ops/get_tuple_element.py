"""get-tuple-element: one part of a tuple (spec/ops/get_tuple_element.md)."""

from assaygen import refused, types
from assaygen.cases import without
from assaygen.programs import passing
from assaygen.movement import any_bits
from assaygen.programs.regions import Region, S32, case, shape_of
from assaygen.streams import Stream

WHY = without(passing.WHY, "Devices", "Shape")
COUNT = 80


def of_pair(t):
    a, b = any_bits("get-tuple-element", t, (2, 3)), any_bits("get-tuple-element", S32, ())
    for index in (0, 1):
        main = Region("main", shape_of((a, b) if index == 0 else (b, a)))
        main.element("p0", index)
        yield case(f"{t.name}/element_{index}", f"element {index}, of {t.name}", main,
                   ["Type"], (a, b) if index == 0 else (b, a))


def random_case(number: int):
    """A path from a random tree to one of its parts."""
    stream = Stream("get-tuple-element", number)
    x = tuple(passing.tree("get-tuple-element", stream, 3, str(k))
              for k in range(1 + stream.below(3)))
    main = Region("main", shape_of(x))
    name, part, path = "p0", x, []
    while isinstance(part, tuple) and part and (not path or stream.below(4)):
        path.append(stream.below(len(part)))
        name, part = main.element(name, path[-1]), part[path[-1]]
    return case(f"tuple/random_{number:03}", f"the part at {path}", main,
                ["Tree", "Layout"], x)


def last_of_many():
    x = tuple(any_bits("get-tuple-element", S32, (1,), str(k)) for k in range(40))
    main = Region("main", shape_of(x))
    main.tuple(main.element("p0", 39), main.element("p0", 0))
    return case("s32/forty", "the last and the first of forty", main, ["Tree"], x)


ROWS = [
    ("C1", "the operand is a scalar", "f32[]", "f32[] get-tuple-element(p0), index=0"),
    ("C1", "the operand is a matrix", "s8[2,2]", "s8[2] get-tuple-element(p0), index=0"),
    ("C2", "the index is the number of elements", "(f32[2], s32[])",
     "s32[] get-tuple-element(p0), index=2"),
    ("C2", "the tuple is empty", "() ; f32[]", "f32[] get-tuple-element(p0), index=0"),
    ("C2", "the index counts leaves", "((f32[2], f32[2]), s32[])",
     "s32[] get-tuple-element(p0), index=2"),
    ("C2", "the index is negative", "(f32[2], s32[])", "s32[] get-tuple-element(p0), index=-1"),
]


def cases():
    for t in types.ALL:
        yield from of_pair(t)
    yield from map(random_case, range(COUNT))
    yield last_of_many()
    yield from refused.cases("get-tuple-element", ROWS)
