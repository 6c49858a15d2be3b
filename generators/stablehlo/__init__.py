"""stablehlo: cases whose program is StableHLO, in a field of its own (spec/conformance.md)."""

from stablehlo import native

WHY = native.WHY


def cases():
    yield from native.cases()
