"""What an element is found to be."""

from dataclasses import dataclass
from fractions import Fraction

from oracle.formats import Number


@dataclass
class Exact:
    """The code of an element whose every bit counts."""

    code: object


@dataclass
class Computed:
    """A value that a float is rounded from, and how many codes beside it are let pass."""

    value: Number
    steps: int = 0
    error: Fraction = Fraction(0)  # let pass, too: that of a sum in any order
