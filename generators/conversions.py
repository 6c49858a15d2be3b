#!/usr/bin/env python3
"""Checksums of conversions between all pairs of real types (spec/ops/convert.md).

    conversions.py [FROM ...]          writes interpreter/plans/elementwise/conversions.txt
    conversions.py --check [FROM ...]  exit code 1 if lines of these types differ

A line is a source type, the number of its codes and their checksum, and then each
target type with the checksum of the converted codes. Types of up to 16 bits convert
all their codes, wider ones the walls that `wide_floats` and `wide_integers` build.
The checksum of codes is h = 6364136223846793005 h + code + 1 modulo 2^64, from 0.
"""

import argparse
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
FILE = HERE.parent / "interpreter" / "conversions.txt"
sys.path.insert(0, str(HERE))

from assaygen import types, values  # noqa: E402
from ops import convert  # noqa: E402

HEAD = "# by generators/conversions.py; do not edit\n"
REAL = [t for t in types.ALL if t.kind != "complex"]


def checksum(codes):
    h = 0
    for code in codes:
        h = (h * 6364136223846793005 + code + 1) & 0xFFFFFFFFFFFFFFFF
    return h


def near_walls(bits, below):
    """k * 2^i and its neighbours: one bit, two, or all above i; in that order."""
    for i in range(below):
        for k in (1, 3, (1 << bits) - 1):
            for d in (-1, 0, 1):
                yield (k << i) + d & (1 << bits) - 1


def wide_floats(t):
    """Ties between the codes of every narrower type, at the ends of its binades,
    and what lies beside them; f64 at exponents up to those of f32 and its ends."""
    top = (1 << t.exponent) - 1
    reach = range(max(t.bias - 152, 3), min(t.bias + 130, top - 2))
    for sign in (0, t.sign_mask):
        for field in (0, 1, 2, *reach, top - 2, top - 1, top):
            for low in near_walls(t.mantissa, t.mantissa):
                yield sign | field << t.mantissa | low


def wide_integers(t):
    """2^j alone and with one, two bits or ones at i below it, and their neighbours,
    of both signs: ties of every precision."""
    for j in range(t.bits):
        for low in (0, *near_walls(t.bits, j)):
            yield t.wrap((1 << j) + low)
            yield t.wrap(-(1 << j) - low)


def codes(t):
    if t.bits <= 16:
        return list(range(1 << t.bits))
    return list(wide_floats(t) if t.kind == "float" else wide_integers(t))


def dyadics(found):
    """Finite values as (sign, n, e, floor(log2)) of sign * n * 2^e, n > 0; others as
    they are."""
    for value in found:
        if value.kind == "finite":
            n, d = value.magnitude.as_integer_ratio()
            e = 1 - d.bit_length()
            yield value.sign, n, e, n.bit_length() + e - 1
        else:
            yield value


def to_float(t, numbers):
    """types.encode of many values, by integers alone."""
    least, mantissa, largest = t.min_exponent, t.mantissa, t.max_finite
    zero, beyond = ({sign: types.encode(t, values.signed(kind, sign)) for sign in (1, -1)}
                    for kind in ("zero", "inf"))
    for number in numbers:
        if type(number) is not tuple:
            yield types.encode(t, number)
            continue
        sign, n, e, top = number
        top = max(top, least)
        shift = top - mantissa - e
        if shift <= 0:
            code = n << -shift
        else:
            code = n >> shift
            rest = (n - (code << shift)) << 1
            unit = 1 << shift
            code += rest > unit or (rest == unit and code & 1)
        code += (top - least) << mantissa
        if 0 < code <= largest:
            yield code if sign > 0 else code | t.sign_mask
        else:
            yield beyond[sign] if code else zero[sign]


def results(source, target, sources, found, numbers):
    if target is source:
        return sources
    if target.kind == "float" and target.specials != "e8m0":
        return to_float(target, numbers)
    if target.kind == "int" and source.kind == "int":
        return (target.wrap(code) for code in map(source.integer, sources))
    return (convert.of_value(source, target, value) for value in found)


def line(source):
    sources = codes(source)
    found = [convert.value_of(source, code) for code in sources]
    numbers = list(dyadics(found))
    words = [source.name, str(len(sources)), f"{checksum(sources):016x}"]
    for target in REAL:
        converted = results(source, target, sources, found, numbers)
        words += [target.name, f"{checksum(converted):016x}"]
    return " ".join(words) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("type", nargs="*")
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    old = FILE.read_text().splitlines(True)[1:] if FILE.exists() else []
    lines = {text.split()[0]: text for text in old}
    wanted = arguments.type or [t.name for t in REAL]
    new = lines | {name: line(types.BY_NAME[name]) for name in wanted}
    if arguments.check:
        print("conversions: fine" if new == lines else
              "stale checksums, run generators/conversions.py")
        return int(new != lines)
    FILE.write_text(HEAD + "".join(new[t.name] for t in REAL if t.name in new))
    return 0


if __name__ == "__main__":
    sys.exit(main())
