"""broadcasting: the programs that a builder writes for operands of different shapes
(spec/broadcasting.md), next to others that have the same values.

The values come from the rules, index by index; the instructions of each program
are evaluated besides, and must agree.
"""

from broadcasting import choices, pairs, refusals

WHY = pairs.WHY | choices.WHY | refusals.WHY


def cases():
    for part in (pairs, choices, refusals):
        yield from part.cases()
