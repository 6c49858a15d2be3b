"""Programs that take from the host's queue and give to it, inside of a program
that says what is in the queue (spec/ops/custom_call.md, run_parallel)."""

from __future__ import annotations

from assaygen.movement import any_bits
from assaygen.programs.regions import Region
from assaygen.streams import Stream
from assaygen import types


class Queue:
    """First in, first out; filled anew by each run."""

    def __init__(self) -> None:
        self.values: list = []

    def take(self):
        return self.values.pop(0)


def value(op: str, stream: Stream, tag: str, depth: int = 1):
    """Any bits of any type that are not empty, or a tuple of such."""
    if depth and stream.below(3) == 0:
        return tuple(value(op, stream, f"{tag}{k}", depth - 1)
                     for k in range(1 + stream.below(3)))
    dims = tuple(1 + stream.below(3) for _ in range(stream.below(3)))
    return any_bits(op, stream.choice(types.ALL), dims, tag)


def infeed(region: Region, queue: Queue, form, token: str) -> tuple[str, str]:
    """The names of the next value and of the token behind it."""
    pair = region.step((form, None), "infeed", (token,), lambda _: (queue.take(), None))
    return region.element(pair, 0), region.element(pair, 1)


def token(region: Region) -> str:
    return region.step(None, "after-all", (), lambda: None)


def run(main: Region, queue: Queue, program: Region, values: list, operands=()) -> str:
    """In main: runs the program on a queue of these values."""
    sources = []
    for k, x in enumerate(values):
        source = Region(f"q{k}")
        source.value(x)
        sources.append(source)

    def rule(*arguments):
        queue.values = [source.run() for source in sources]
        return program.run(*arguments)
    names = ", ".join(region.name for region in (program, *sources))
    listed = ",".join(str(k + 1) for k in range(len(sources)))
    return main.step(program.result, "custom-call", operands, rule,
                     ', custom_call_target="interpreter.run_parallel", '
                     f"called_computations={{{names}}}, "
                     f'backend_config={{"infeed":[{listed}]}}', (program, *sources))


