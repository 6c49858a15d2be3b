"""stablehlo: cases whose program is StableHLO, in a field of its own (spec/conformance.md)."""

from stablehlo import native, operations

WHY = native.WHY | operations.WHY


def cases():
    for part in (native, operations):
        yield from part.cases()
