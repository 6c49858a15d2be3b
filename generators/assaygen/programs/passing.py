"""Random trees of values for the operations that hand values on: tuple and its
elements, parameters, barriers."""

from __future__ import annotations

from assaygen import pools, types
from assaygen.movement import any_bits
from assaygen.programs.regions import Region, case, shape_of
from assaygen.streams import Stream

WHY = {
    "Type": "any bits of any element type pass unchanged: NaN payloads, subnormals, -0",
    "Tree": "tuples of tuples, empty ones, one value in many places",
    "Devices": "each device has its own values",
    "Rejected": "a rule of the page is violated",
    **pools.LAYOUT_WHY,
}
TILED = ["{0,1}", "{1,0:T(2,2)}", "{1,0:T(2,4)}"]


def tree(op: str, stream: Stream, depth: int, tag: str = ""):
    """An array of any bits, or a tuple of up to three trees."""
    if depth and stream.below(3):
        return tuple(tree(op, stream, depth - 1, f"{tag}{k}")
                     for k in range(stream.below(4)))
    t = stream.choice(types.ALL)
    dims = tuple(stream.below(4) for _ in range(stream.below(4)))
    array = any_bits(op, t, dims, tag)
    if len(dims) == 2 and t.bits >= 8 and stream.bits(1):
        array = array.with_layout(stream.choice(TILED))
    return array


def handed(op: str, t, extra: str = "", tokens: tuple = ()):
    """op(x) is x, for an array of a type; `tokens` are operands behind it."""
    x = any_bits(op, t, (3, 4))
    main = Region("main", shape_of(x))
    behind = [main.step(None, "after-all", (), lambda: None) for _ in tokens]
    main.step(shape_of(x), op, ("p0", *behind), lambda v, *_: v, extra)
    return case(f"{t.name}/3x4", f"{op} of {t.name}", main, ["Type"], x)


def shapes(op: str, extra: str = "", tokens: tuple = ()):
    for dims in pools.SHAPES:
        x = any_bits(op, types.F32, dims)
        main = Region("main", shape_of(x))
        behind = [main.step(None, "after-all", (), lambda: None) for _ in tokens]
        main.step(shape_of(x), op, ("p0", *behind), lambda v, *_: v, extra)
        name = "x".join(map(str, dims)) or "scalar"
        yield case(f"f32/shape_{name}", f"{op} of {list(dims)}", main, ["Shape"], x)
    for i, layout in enumerate(pools.LAYOUTS):
        x = any_bits(op, types.F32, (5, 6), layout).with_layout(layout)
        main = Region("main", shape_of(x))
        behind = [main.step(None, "after-all", (), lambda: None) for _ in tokens]
        main.step(shape_of(x), op, ("p0", *behind), lambda v, *_: v, extra)
        yield case(f"f32/layout_{i}", f"{op} of an array laid out as {layout}", main,
                   ["Layout"], x)


def random_tree(op: str, number: int, extra=lambda form: "", tokens: tuple = ()):
    """op(x) is x, for a tuple."""
    stream = Stream(op, number)
    x = (tree(op, stream, 2, "a"), tree(op, stream, 2, "b"))
    main = Region("main", shape_of(x))
    behind = [main.step(None, "after-all", (), lambda: None) for _ in tokens]
    main.step(shape_of(x), op, ("p0", *behind), lambda v, *_: v, extra(shape_of(x)))
    return case(f"tuple/random_{number:03}", f"{op} of a tuple", main,
                ["Tree", "Type", "Layout"], x)
