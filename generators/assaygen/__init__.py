"""The library of the generators: element types, exact values, cases.

Everything here is independent of the C++ code: expected values come from
Python integers, fractions and mpmath.
"""

from assaygen.arrays import Array, iota, splat
from assaygen.cases import Case, bits, interval, rejected, rounded
from assaygen.program import Program
from assaygen.streams import Stream
from assaygen.values import Value

__all__ = [
    "Array", "Case", "Program", "Stream", "Value", "bits", "interval", "iota",
    "rejected", "rounded", "splat",
]
