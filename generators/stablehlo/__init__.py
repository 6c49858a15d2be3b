"""stablehlo: cases whose program is StableHLO, in a field of its own (spec/conformance.md)."""

from stablehlo import linear, native, operations

WHY = native.WHY | operations.WHY | linear.WHY


def cases():
    for part in (native, operations, linear):
        yield from part.cases()
