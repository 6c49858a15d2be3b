#!/usr/bin/env python3
"""Values of complex functions, by mpmath, for the test that compares the reference
with them (spec/numerics.md).

    complex_values.py [FILE]           writes interpreter/numeric/complex_values.txt
    complex_values.py --check [FILE]   exit code 1 if some lines would differ

A line is ": function f32|f64", or the codes of the parts of the arguments, those of
the result, and on which side of the result's parts the exact ones lie ("-0+").
"""

import argparse
import pathlib
import sys
from fractions import Fraction

HERE = pathlib.Path(__file__).resolve().parent
FILE = HERE.parent / "interpreter" / "numeric" / "complex_values.txt"
sys.path.insert(0, str(HERE))

from assaygen import types, values  # noqa: E402
from assaygen.complex_functions import (UNARY, arguments, evaluate,  # noqa: E402
                                        precision_of, round_part, signed_zero)

NAMES = (*UNARY, "pow")
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


def differences(text):
    blocks, key = {}, ""
    for row in text.splitlines()[1:]:
        if row.startswith(": "):
            key = row[2:]
            blocks[key] = []
        else:
            blocks[key].append(row)
    return [f"{function} {name}" for function in NAMES for name in COUNT
            if blocks.get(f"{function} {name}", [])[::CHECKED]
            != lines(function, name, CHECKED)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", nargs="?", type=pathlib.Path, default=FILE)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    if options.check:
        wrong = differences(options.file.read_text())
        print("\n".join(f"{name} differs" for name in wrong) or "the same")
        return 1 if wrong else 0
    text = ["# by generators/complex_values.py; do not edit"]
    for function in NAMES:
        for name in COUNT:
            text += [f": {function} {name}", *lines(function, name)]
    options.file.write_text("\n".join(text) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
