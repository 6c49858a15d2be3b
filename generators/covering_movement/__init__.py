"""covering_movement: every operation that moves or converts elements over types, layouts,
shapes and values, each two of which meet."""

from covering_movement import bitcasts, conversions, moves

WHY = {
    "Covering": "each two of operation, type, layout of operand, layout of result, class of "
                "shape and class of values meet in a case where they may",
}


def cases():
    for part in (moves, conversions, bitcasts):
        yield from part.cases()
