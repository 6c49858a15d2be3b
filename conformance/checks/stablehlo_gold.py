"""Proves that values which two of StableHLO's own tests expect are wrong.

Reads stablehlo/testdata of $ASSAY_DATA (default ../shared/data), computes the
results of a product and of a power exactly or to 300 bits, and fails where all
expected values are within the absolute tolerance of 0.001 that the file declares.
The files stand in conformance/stablehlo_reasons.h.
"""

import os
import pathlib
import re
import struct
import sys
from fractions import Fraction

import mpmath

TOLERANCE = Fraction(1, 1000)


def f32(text: str) -> Fraction:
    """The f32 nearest to a decimal, exactly."""
    return Fraction(struct.unpack("<f", struct.pack("<f", float(text)))[0])


def constants(text: str) -> list[list[tuple[Fraction, Fraction]]]:
    """The elements of each complex array constant, row-major."""
    found = []
    for body in re.findall(r"constant dense<([^>]*)> : tensor<\d", text):
        if body.startswith('"'):
            data = bytes.fromhex(body[3:-1])
            parts = [Fraction(x) for x in struct.unpack(f"<{len(data) // 4}f", data)]
            found.append(list(zip(parts[::2], parts[1::2])))
        else:
            pairs = re.findall(r"\(([^,()]*),([^,()]*)\)", body)
            found.append([(f32(a), f32(b)) for a, b in pairs])
    return found


def times(a, b):
    return (a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0])


def products(operand: list, columns: int) -> list:
    """Of each column, from its top down to each element, exactly."""
    result = list(operand)
    for i in range(columns, len(operand)):
        result[i] = times(result[i - columns], operand[i])
    return result


def rational(x) -> Fraction:
    man, exp = x.man_exp
    return Fraction(man) * Fraction(2) ** exp


def powers(base: list, exponent: list) -> list:
    mpmath.mp.prec = 300

    def number(x):
        parts = [mpmath.mpf(p.numerator) / p.denominator for p in x]
        return mpmath.mpc(*parts)

    values = [number(b) ** number(e) for b, e in zip(base, exponent)]
    return [(rational(v.real), rational(v.imag)) for v in values]


def distance(a, b) -> Fraction:
    return max(abs(a[0] - b[0]), abs(a[1] - b[1]))


def report(name: str, exact: list, expected: list) -> bool:
    errors = [distance(a, b) for a, b in zip(exact, expected)]
    outside = sum(error > TOLERANCE for error in errors)
    print(
        f"{name}: {outside} of {len(errors)} expected values are more than "
        f"0.001 from the exact ones, the worst by {float(max(errors)):.3g}"
    )
    return outside > 0


def main() -> int:
    data = os.environ.get("ASSAY_DATA", "../shared/data")
    folder = pathlib.Path(data) / "stablehlo" / "testdata"
    product = folder / "cumprod_complex64_8_9.mlir"
    power = folder / "pow_complex64_20_30_complex64_20_30.mlir"
    if not product.exists():
        print("skipped: no stablehlo/testdata in ASSAY_DATA")
        return 77
    operand, expected = constants(product.read_text())[:2]
    proved = report(product.stem, products(operand, 9), expected)
    base, exponent, expected = constants(power.read_text())[:3]
    proved = report(power.stem, powers(base, exponent), expected) and proved
    return 0 if proved else 1


if __name__ == "__main__":
    sys.exit(main())
