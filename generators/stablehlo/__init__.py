"""stablehlo: cases whose program is StableHLO, in a field of its own.

The format of cases has no such field yet (spec/conformance.md), so that the cases are
written only where READY is true and generate.py names this package.
"""

from stablehlo import native

READY = False
WHY = native.WHY


def cases():
    if READY:
        yield from native.cases()
