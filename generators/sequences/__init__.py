"""sequences: programs of 2 to 30 instructions that rewriting, fusion, layouts and
memory shared between values break.

Each is evaluated step by step in Python, with numbers for which every order of
evaluation gives one value.
"""

from sequences import choices, drawn, folds, identities, loops, movements
from sequences.catalog import VARIANTS

PARTS = (identities, choices, movements, folds, loops, drawn)
WHY = {name: text for part in PARTS for name, text in part.WHY.items()} | VARIANTS


def cases():
    for part in PARTS:
        for sequence in part.sequences():
            yield from sequence.cases()
