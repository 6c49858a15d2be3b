"""parameter: what the caller gives (spec/ops/parameter.md)."""

from assaygen import pools, refused, types
from assaygen.cases import without
from assaygen.programs import passing
from assaygen.movement import any_bits
from assaygen.programs.regions import Region, S32, case, shape_of
from assaygen.streams import Stream

WHY = passing.WHY | {
    "Order": "parameters stand in any order; their numbers count",
}
COUNT = 60


def alone(x, what, statement, why):
    return case(what, statement, Region("main", shape_of(x)), why, x)


def random_case(number: int):
    """Several parameters, in an order of their own, all of which come back."""
    stream = Stream("parameter", number)
    arguments = [passing.tree("parameter", stream, 2, str(k))
                 for k in range(1 + stream.below(5))]
    main = Region("main", *map(shape_of, arguments))
    lines = main.lines
    main.lines = []
    while lines:
        main.lines.append(lines.pop(stream.below(len(lines))))
    main.tuple(*(f"p{k}" for k in range(len(arguments))))
    return case(f"tuple/random_{number:03}", "parameters in any order", main,
                ["Order", "Tree", "Layout"], *arguments)


def unused():
    values = [any_bits("parameter", S32, (k,), str(k)) for k in range(4)]
    main = Region("main", *shape_of(tuple(values)))
    main.tuple("p2")
    return case("s32/unused", "only one of four parameters has a use", main, ["Order"], *values)


def devices():
    values = [any_bits("parameter", types.F32, (2,), str(k)) for k in range(6)]
    main = Region("main", shape_of(values[0]))
    return case("f32/devices", "each of six devices gets its own value", main, ["Devices"],
                *values, header=", replica_count=3, num_partitions=2", devices=6)


def cases():
    for t in types.ALL:
        yield alone(any_bits("parameter", t, (3, 4)), f"{t.name}/3x4", f"{t.name} as it came",
                    ["Type"])
    for dims in pools.SHAPES:
        name = "x".join(map(str, dims)) or "scalar"
        yield alone(any_bits("parameter", types.F32, dims), f"f32/shape_{name}",
                    f"an array of {list(dims)}", ["Shape"])
    for i, layout in enumerate(pools.LAYOUTS):
        x = any_bits("parameter", types.F32, (5, 6), layout).with_layout(layout)
        yield alone(x, f"f32/layout_{i}", f"an array laid out as {layout}", ["Layout"])
    yield refused.case(
        "parameter", ("module.entry-layout", "the first parameter is longer in the header",
                      "f32[2] ; s32[3]", "s32[3] negate(p1)"),
        header=", entry_computation_layout={(f32[3]{0}, s32[3]{0})->s32[3]{0}}")
    yield from map(random_case, range(COUNT))
    yield unused()
    yield devices()
