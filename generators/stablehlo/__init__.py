"""stablehlo: cases whose program is StableHLO, in a field of its own (spec/conformance.md)."""

from stablehlo import (calls, device_refusals, devices, linear, meshes, modules, native,
                       operations, others, quantised, refusals, regions, shards, spellings)

PARTS = (native, operations, linear, others, quantised, spellings, refusals, devices, meshes,
         shards, calls, regions, modules, device_refusals)
WHY = {name: text for part in PARTS for name, text in part.WHY.items()}


def cases():
    for part in PARTS:
        yield from part.cases()
