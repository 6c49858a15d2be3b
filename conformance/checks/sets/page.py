"""The table of spec/types.md, against the types that are computed with."""

from __future__ import annotations

import pathlib
import re

from formats import FLOATS, TYPES, Type, decode, encode, infinity, number

PAGE = pathlib.Path(__file__).resolve().parents[3] / "spec/types.md"
ROW = re.compile(r"^\| (\w+) \| (\d+) \| (\d+) \| (\d+) \|(.*)\|$", re.M)
CODE = re.compile(r"0x[0-9a-f]+")


def _codes(t: Type) -> list[int | None]:
    """Infinity, NaN, the largest, the smallest normal and positive numbers, and -0."""
    return [
        encode(t, infinity(False)) if t.has_infinity else None,
        t.nan if t.has_nan else None,
        t.greatest_code,
        encode(t, number(t.least_normal)),
        encode(t, number(t.least_positive)),
        encode(t, number(0, True)) if t.has_negative_zero else None,
    ]


def problems() -> list[str]:
    """What differs between the page and formats.py."""
    found, seen = [], set()
    for name, exponent, mantissa, bias, rest in ROW.findall(PAGE.read_text()):
        t = TYPES[name]
        seen.add(t)
        cells = [CODE.search(cell) for cell in rest.split("|")]
        stated = [int(cell[0], 16) if cell else None for cell in cells]
        if stated != _codes(t) or (int(mantissa), int(bias)) != (t.mantissa, t.bias):
            found.append(f"{name}: types.md has {stated}, formats.py {_codes(t)}")
        if t.bits != int(exponent) + int(mantissa) + (t.family != "e8m0"):
            found.append(f"{name}: {t.bits} bits")
    found += [f"types.md lacks {t.name}" for t in FLOATS if t not in seen]
    for t in (t for t in FLOATS if t.bits <= 16):
        for code in range(0, 1 << t.bits, 17 if t.bits == 16 else 1):
            x = decode(t, code)
            if x.is_number and encode(t, x) != code:
                found.append(f"{t.name}: {code:x} is not what it is rounded to")
    return found
