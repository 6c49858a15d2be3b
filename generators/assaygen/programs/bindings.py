"""Asynchronous computations, of integers but for those that only move elements:
several at once, whose operands are bound bit by bit, ended in another order than begun."""

from __future__ import annotations

from assaygen import collectives as c, types
from assaygen.programs import regions
from assaygen.movement import any_bits
from assaygen.programs.regions import Region, case, shape
from assaygen.streams import Stream

WHY = {
    "Bound": "the operands are bound by the start and by several updates, some of "
             "which bind none",
    "Several": "several computations at once, ended in another order than begun",
    "Rejected": "a rule of the page is violated",
}
COUNT = 80
WORD = shape(types.BY_NAME["u32"])
WRAPPED = """w {
  a = f32[4] parameter(0)
  b = s32[2] parameter(1)
  ROOT t = (s32[2], f32[4]) tuple(b, a)
}"""


def begin(stream: Stream, main: Region, region: Region, names: list[str]) -> str:
    """A start and its updates; the name of the last state."""
    forms, bound = region.parameters, stream.below(len(names) + 1)
    state = main.step((forms[:bound], result(region, bound), WORD), "async-start",
                      names[:bound], lambda *parts: parts, f", calls={region.name}", (region,))
    while bound < len(names) or stream.below(4) == 0:
        more = names[bound:bound + stream.below(len(names) - bound + 1)]
        bound += len(more)
        state = main.step((forms[:bound], result(region, bound), WORD), "async-update",
                          (state, *more), lambda before, *parts: (*before, *parts))
    return state


def result(region: Region, bound: int):
    """Until all operands are bound there is no result."""
    return region.result if bound == len(region.parameters) else ()


def wrapped(stream: Stream, name: str, forms: list) -> Region:
    """What runs asynchronously is one operation: a call."""
    inner, region = Region(f"{name}_called", *forms), Region(name, *forms)
    names = [f"p{i}" for i in range(len(forms))]
    if forms[0].type.kind != "int":
        inner.tuple(*reversed(names))
        region.call(inner, *names)
        return region
    regions.mixed(stream, inner, names, 1 + stream.below(3))
    if stream.below(3) == 0:
        inner.tuple(inner.root, "p0")
    region.call(inner, *names)
    return region


def one(op: str, number: int, kind=None):
    stream = Stream(op, number)
    t, dims = kind or stream.choice(types.INTS), c.dims_of(stream, 2)
    form = shape(t, *dims)
    main = Region("main", form, form, form)
    states = []
    for k in range(1 + stream.below(3)):
        count = 1 + stream.below(4)
        region = wrapped(stream, f"w{k}", [form] * count)
        names = [f"p{stream.below(3)}" for _ in range(count)]
        states.append((begin(stream, main, region, names), region))
    ended = {k: main.step(states[k][1].result, "async-done", (states[k][0],),
                          lambda parts, k=k: states[k][1].run(*parts))
             for k in c.shuffled(stream, range(len(states)))}
    main.tuple(*(ended[k] for k in sorted(ended)))
    return case(f"{t.name}/random_{number:03}", f"{len(states)} computations at once", main,
                ["Bound", "Several"], *(drawn(op, t, dims, stream, k) for k in range(3)))


def drawn(op: str, t, dims, stream: Stream, k: int):
    return regions.small(t, dims, stream) if t.kind == "int" else any_bits(op, t, dims, str(k))


def cases(op: str):
    """COUNT of integers, and two of each other type."""
    others = [t for t in types.ALL if t.kind != "int"]
    for number in range(COUNT):
        yield one(op, number)
    for number, t in enumerate(others + others, 1000):
        yield one(op, number, t)
