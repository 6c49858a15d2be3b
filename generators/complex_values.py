#!/usr/bin/env python3
"""Values of complex functions, by mpmath, for the test that compares the reference
with them (spec/numerics.md).

    complex_values.py [FILE]           writes interpreter/numeric/complex/testing/complex_values.txt
    complex_values.py --check [FILE]   exit code 1 if some lines would differ

A line is ": function f32|f64", or the codes of the parts of the arguments, those of
the result, and on which side of the result's parts the exact ones lie ("-0+").
"""

import pathlib
import sys
from fractions import Fraction

HERE = pathlib.Path(__file__).resolve().parent
FILE = HERE.parent / "interpreter/numeric/complex/testing/complex_values.txt"
sys.path.insert(0, str(HERE))

from assaygen import blocks, types, values  # noqa: E402
from assaygen.elements.complex_functions import (UNARY, arguments, evaluate,  # noqa: E402
                                        precision_of, round_part, signed_zero)

NAMES = (*UNARY, "pow", "atan2")
COUNT = {"f64": 600, "f32": 500}
CHECKED = 7  # every so many lines are computed anew by --check


def hexadecimal(t, code):
    return f"{code:0{t.bits // 4}x}"


def line(function, name, parts):
    t = types.BY_NAME[name]
    value = evaluate(function, parts)
    precision = precision_of(function, parts)
    rounded = [round_part(t, x, value, precision) for x in (value.real, value.imag)]
    given = [types.encode(t, values.number(Fraction(x), -1 if x < 0 else 1))
             if x else 0 for x in parts]
    rounded[1] = signed_zero(t, function, parts, rounded[1])
    codes = [hexadecimal(t, code) for code in (*given, *(c for c, _ in rounded))]
    return " ".join((*codes, "".join(side for _, side in rounded)))


def lines(function, name, every=1):
    return [line(function, name, arguments(function, name, index))
            for index in range(0, COUNT[name], every)]


def block_lines(name, checked):
    function, kind = name.split()
    return lines(function, kind, CHECKED if checked else 1)


if __name__ == "__main__":
    sys.exit(blocks.main(
        __doc__, FILE, [f"{function} {name}" for function in NAMES for name in COUNT],
        block_lines, lambda _, rows: rows[::CHECKED],
        ("# by generators/complex_values.py; do not edit",)))
