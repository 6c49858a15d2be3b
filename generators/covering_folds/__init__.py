"""covering_folds: folds, sorts, norms and regions over arrays in every class of layouts,
around the sizes at which plans change, with values that make folds go wrong.

Cases are chosen so that every two choices meet (assaygen/covering/pairs.py).
"""

from covering_folds import common, norms, orders, reduces, regions, windowed

WHY = common.WHY


def cases():
    for part in (reduces, windowed, orders, norms, regions):
        yield from part.cases()
