"""dynamic_sizes: operations on arrays that have fewer elements at run time than
their bounds say (spec/dynamic_sizes.md).

Arrays are cut to their sizes, and the operation's definition is applied to what
is left. Results are weighted by their places and added up, beside the sizes
that they have.
"""

from dynamic_sizes import contractions, linear, movements, refusals, regions
from dynamic_sizes.common import WHY as SIZED

WHY = SIZED | refusals.WHY


def cases():
    for part in (movements, regions, contractions, linear, refusals):
        yield from part.cases()
