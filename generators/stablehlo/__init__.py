"""stablehlo: cases whose program is StableHLO, in a field of its own (spec/conformance.md)."""

from stablehlo import linear, native, operations, others, quantised, refusals, spellings

PARTS = (native, operations, linear, others, quantised, spellings, refusals)
WHY = {name: text for part in PARTS for name, text in part.WHY.items()}


def cases():
    for part in PARTS:
        yield from part.cases()
