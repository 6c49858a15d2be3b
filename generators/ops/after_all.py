"""after-all: graphs of tokens, which hold no values (spec/ops/after_all.md)."""

from assaygen import types
from assaygen.cases import without
from assaygen.programs import passing
from assaygen.movement import any_bits
from assaygen.programs.regions import Region, case, shape_of
from assaygen.streams import Stream

WHY = without(passing.WHY, "Devices", "Layout", "Rejected", "Shape", "Tree") | {
    "Graph": "tokens of tokens, of none, of the same one twice, through tuples",
    "Values": "operands that are no tokens",
}
COUNT = 60


def joined(main, names) -> str:
    return main.step(None, "after-all", names, lambda *_: None)


def random_case(number: int):
    """A value behind each token of a random graph; none of them changes."""
    stream = Stream("after-all", number)
    t = types.ALL[number % len(types.ALL)]
    x = any_bits("after-all", t, (2, 3), str(number))
    main = Region("main", shape_of(x))
    tokens, value = [joined(main, ())], "p0"
    for _ in range(1 + stream.below(6)):
        if stream.below(4) == 0:
            pair = main.tuple(value, stream.choice(tokens))
            value, token = main.element(pair, 0), main.element(pair, 1)
            tokens.append(token)
            continue
        tokens.append(joined(main, tuple(stream.choice(tokens)
                                         for _ in range(stream.below(4)))))
        value = main.step(shape_of(x), "add-dependency", (value, tokens[-1]), lambda v, _: v)
    if main.root != value:
        main.tuple(value)
    return case(f"{t.name}/graph_{number:03}", "a random graph of tokens", main,
                ["Graph", "Type"], x)


def of_values(t):
    x = any_bits("after-all", t, (3,))
    main = Region("main", shape_of(x))
    token = joined(main, ("p0", main.tuple("p0")))
    main.step(shape_of(x), "add-dependency", ("p0", token), lambda v, _: v)
    return case(f"{t.name}/values", "a token behind an array and a tuple", main, ["Values"], x)


def cases():
    yield from map(random_case, range(COUNT))
    yield from map(of_values, types.ALL)
