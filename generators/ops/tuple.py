"""tuple: several values as one (spec/ops/tuple.md)."""

from assaygen import types
from assaygen.cases import without
from assaygen.programs import passing
from assaygen.movement import any_bits
from assaygen.programs.regions import Region, S32, case, shape_of
from assaygen.streams import Stream

WHY = without(passing.WHY, "Rejected", "Shape")
COUNT = 80


def pair(t):
    a, b = any_bits("tuple", t, (2, 3)), any_bits("tuple", t, ())
    main = Region("main", *shape_of((a, b)))
    main.tuple("p1", "p0", "p1")
    return case(f"{t.name}/pair", f"two values of {t.name}, one of them twice", main,
                ["Type", "Tree"], a, b)


def random_case(number: int):
    """A random tree of tuples over the parameters, some of them tuples."""
    stream = Stream("tuple", number)
    arguments = [passing.tree("tuple", stream, 1, str(k)) for k in range(1 + stream.below(3))]
    main = Region("main", *map(shape_of, arguments))
    names = [f"p{k}" for k in range(len(arguments))]
    for _ in range(1 + stream.below(3)):
        names.append(main.tuple(*(stream.choice(names) for _ in range(stream.below(4)))))
    main.tuple(names[-1], "p0")
    return case(f"tuple/random_{number:03}", "a random tree of tuples", main,
                ["Tree", "Layout"], *arguments)


def wide():
    """More elements than the comments of the printed shape number."""
    values = [any_bits("tuple", S32, (k % 3,), str(k)) for k in range(40)]
    main = Region("main", *shape_of(tuple(values)))
    main.tuple(*(f"p{39 - k}" for k in range(40)))
    return case("s32/forty", "forty elements, the last one first", main, ["Tree"], *values)


def deep():
    x = any_bits("tuple", types.F32, (2,))
    main = Region("main", shape_of(x))
    name = "p0"
    for _ in range(40):
        name = main.tuple(name)
    return case("f32/deep", "a tuple in a tuple, 40 times", main, ["Tree"], x)


def devices():
    values = [any_bits("tuple", S32, (2,), str(k)) for k in range(6)]
    main = Region("main", *shape_of(tuple(values[:2])))
    main.tuple("p1", "p0")
    return case("s32/devices", "a pair on each of three devices", main, ["Devices"],
                *values, header=", num_partitions=3", devices=3)


def cases():
    for t in types.ALL:
        yield pair(t)
    yield from map(random_case, range(COUNT))
    yield wide()
    yield deep()
    yield devices()
