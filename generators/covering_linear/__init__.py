"""covering_linear: contractions, transforms, decompositions, draws and collectives over
arrays in every class of layouts, around the sizes at which plans change.

Cases are chosen so that every two choices meet (assaygen/covering/pairs.py).
"""

from covering_folds import common
from covering_linear import (collectives, convolutions, dots, grouped, ragged_exchanges,
                             transforms)

WHY = common.WHY


def cases():
    for part in (dots, grouped, convolutions, transforms, collectives, ragged_exchanges):
        yield from part.cases()
