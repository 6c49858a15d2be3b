"""seeds: every example with numbers of the five documents that the specification
began with, and what they say in words (the documentation of XLA, translated)."""

from seeds import broadcasts, devices, elements, folds, layouts, movements, programs
from seeds.common import WHY  # noqa: F401

PARTS = (layouts, broadcasts, elements, movements, folds, programs, devices)


def cases():
    for part in PARTS:
        yield from part.cases()
