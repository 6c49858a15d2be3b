"""Proves that values which some of StableHLO's own tests expect are wrong.

For each file in conformance/corpora/testing/stablehlo_reasons.h: computes the result of its one
operation exactly, as a fraction or to 200 bits, and counts the expected values that
are farther from it than the file's own tolerance allows: 3 units in the last place
(check.expect_close) or 0.001 (check.expect_almost_eq). Fails where a file has none.
Reads stablehlo/testdata of $ASSAY_DATA (default ../shared/data).
"""

import itertools
import math
import os
import pathlib
import re
import struct
import sys
from fractions import Fraction

import mpmath

ROOT = pathlib.Path(__file__).resolve().parents[2]
REASONS = ROOT / "conformance/corpora/testing/stablehlo_reasons.h"
# struct's letter, digits of the significand, least exponent of a normal number
FLOATS = {"f16": ("e", 11, -14), "f32": ("f", 24, -126), "f64": ("d", 53, -1022)}
INTEGERS = {"i8": "b", "i16": "h", "i32": "i", "i64": "q"}
INTEGERS |= {"u" + name: letter.upper() for name, letter in INTEGERS.items()}
SAMPLES = 24  # elements of a Fourier transform that are computed


class Array:
    """Complex fractions, row-major; `kind` is the type of their parts."""

    def __init__(self, dims, kind, elements):
        self.dims, self.kind, self.elements = dims, kind, elements

    def at(self, *index):
        offset = 0
        for extent, i in zip(self.dims, index):
            offset = offset * extent + i
        return self.elements[offset]


def part(kind: str, text: str) -> Fraction:
    """The number of the type nearest to a decimal, exactly."""
    if kind in INTEGERS:
        return Fraction(int(text))
    if kind == "bf16":  # the files print all digits, so that this is exact
        bits = struct.unpack("<I", struct.pack("<f", float(text)))[0]
        bits = (bits + 0x7FFF + (bits >> 16 & 1)) & 0xFFFF0000
        return Fraction(struct.unpack("<f", struct.pack("<I", bits))[0])
    letter = FLOATS[kind][0]
    return Fraction(struct.unpack("<" + letter, struct.pack("<" + letter, float(text)))[0])


def parts(kind: str, body: str) -> list[Fraction]:
    if not body.startswith('"'):
        return [part(kind, text) for text in re.findall(r"[^\[\](), ]+", body)]
    data = bytes.fromhex(body[3:-1])
    letter = INTEGERS.get(kind) or FLOATS[kind][0]
    count = len(data) // struct.calcsize("<" + letter)
    return [Fraction(x) for x in struct.unpack(f"<{count}{letter}", data)]


def constants(text: str) -> list[Array]:
    found = []
    for body, type_text in re.findall(r"constant dense<([^>]*)> : tensor<(\d.*)>\n", text):
        *dims, kind = re.match(r"((?:\d+x)+)(.*)", type_text).groups()
        dims = [int(d) for d in dims[0].split("x")[:-1]]
        is_complex = kind.startswith("complex<")
        kind = kind.removeprefix("complex<").removesuffix(">")
        values = parts(kind, body)
        zero = [Fraction(0)] * len(values)
        pairs = zip(values[::2], values[1::2]) if is_complex else zip(values, zero)
        found.append(Array(dims, kind, list(pairs)))
    return found


def files_constants(text: str) -> list[Array]:
    """The inputs and, last, what is expected."""
    begin = text.index("func.func private @inputs")
    end = text.find("func.func private", text.index("func.func private @expected") + 1)
    return constants(text[begin : end if end > 0 else None])


def plus(a, b):
    return (a[0] + b[0], a[1] + b[1])


def times(a, b):
    return (a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0])


def total(cells):
    result = (Fraction(0), Fraction(0))
    for cell in cells:
        result = plus(result, cell)
    return result


def indices(dims):
    return itertools.product(*map(range, dims))


def running(combine, operand):
    """Of each column, from its top down to each element."""
    columns = operand.dims[1]
    result = list(operand.elements)
    for i in range(columns, len(result)):
        result[i] = combine(result[i - columns], result[i])
    return result


def number(pair):
    real, imag = (mpmath.mpf(p.numerator) / p.denominator for p in pair)
    return mpmath.mpc(real, imag)


def rational(x) -> Fraction:
    man, exp = x.man_exp
    return Fraction(man) * Fraction(2) ** exp


def pair_of(value):
    value = mpmath.mpc(value)
    return (rational(value.real), rational(value.imag))


def power(text, base, exponent, expected):
    values = zip(base.elements, exponent.elements)
    return [pair_of(number(b) ** number(e)) for b, e in values]


def dot(text, a, b, expected):
    """[4,3] times [3,6]."""
    depth = range(a.dims[1])
    return [
        total(times(a.at(i, k), b.at(k, j)) for k in depth)
        for i, j in indices(expected.dims)
    ]


def window_sums(text, operand, expected):
    """Windows of two dimensions, those of the second file over the upper edges."""
    size = [int(x) for x in re.search(r"window_dimensions = array<i64: (\d+), (\d+)>", text).groups()]
    strides = re.search(r"window_strides = array<i64: (\d+), (\d+)>", text)
    strides = [int(x) for x in strides.groups()] if strides else [1, 1]
    rows, columns = operand.dims
    return [
        total(
            operand.at(i * strides[0] + y, j * strides[1] + x)
            for y, x in indices(size)
            if i * strides[0] + y < rows and j * strides[1] + x < columns
        )
        for i, j in indices(expected.dims)
    ]


def scatter_sums(text, operand, updates, expected):
    """Both updates of each first and last index go to index 1 between them."""
    return [
        plus(operand.at(i, j, k), total(updates.at(i, n, k) for n in range(2)) if j == 1 else (0, 0))
        for i, j, k in indices(expected.dims)
    ]


def selected_sums(text, source, operand, expected):
    """Each source element goes to the first greatest of its window of 1 x 2 x 3."""
    sums = {}
    for i, j, k in indices(source.dims):
        window = [(i, j + y, k + x) for y, x in indices([2, 3])]
        best = max(window, key=lambda at: operand.at(*at)[0])
        sums.setdefault(best, []).append(source.at(i, j, k))
    return [total(sums.get(at, [])) for at in indices(expected.dims)]


def solutions(text, a, b, expected):
    """x of x a = b for upper triangular a."""
    found = {}
    for n, row, j in indices(b.dims):
        known = sum(found[n, row, i] * a.at(n, i, j)[0] for i in range(j))
        found[n, row, j] = (b.at(n, row, j)[0] - known) / a.at(n, j, j)[0]
    return [(x, Fraction(0)) for x in found.values()]


def roots(length, sign):
    return [mpmath.expjpi(mpmath.mpf(2 * sign * k) / length) for k in range(length)]


def fourier(text, operand, expected):
    """Some elements of a transform, by its definition; None for the others."""
    kind, lengths = re.search(r"type =\s+(\w+), length = \[([\d, ]+)\]", text).groups()
    lengths = [int(x) for x in lengths.split(",")]
    tables = [roots(n, -1 if kind == "RFFT" else 1) for n in lengths]
    outer = len(operand.dims) - len(lengths)
    inner = operand.dims[outer:]
    count = len(expected.elements)
    result = [None] * count
    positions = list(indices(expected.dims))
    for offset in range(0, count, count // SAMPLES):
        at = positions[offset]
        value = mpmath.mpc(0)
        for k in indices(inner):
            term = number(operand.at(*at[:outer], *k))
            for table, n, i in zip(tables, at[outer:], k):
                term *= table[n * i % len(table)]
            # The half of a real transform's spectrum that is not there.
            if kind == "IRFFT":
                once = k[-1] == 0 or 2 * k[-1] == lengths[-1]
                term = term.real * (1 if once else 2)
            value += term
        result[offset] = pair_of(value / math.prod(lengths) if kind == "IRFFT" else value)
    return result


def spacing(kind: str, x: Fraction) -> Fraction:
    """Between neighbours of the type about x."""
    _, digits, least = FLOATS[kind]
    exponent = least
    if x != 0:
        exponent = abs(x).numerator.bit_length() - x.denominator.bit_length()
        exponent -= abs(x) < Fraction(2) ** exponent
    return Fraction(2) ** (max(exponent, least) - digits + 1)


def outside(text: str, kind: str, exact, expected) -> bool:
    for a, b in zip(exact, expected):
        allowed = Fraction(1, 1000) if "almost_eq" in text else 3 * spacing(kind, a)
        if abs(a - b) > allowed:
            return True
    return False


EXACT = {
    "cumprod": lambda text, x, expected: running(times, x),
    "cumsum": lambda text, x, expected: running(plus, x),
    "dot_general": dot,
    "fft": fourier,
    "pow": power,
    "reduce_window_add": window_sums,
    "scatter_add": scatter_sums,
    "select_and_scatter_add": selected_sums,
    "triangular_solve": solutions,
}


def proved(path: pathlib.Path) -> bool:
    text = path.read_text()
    arrays = files_constants(text)
    expected = arrays[-1]
    operation = next(f for name, f in EXACT.items() if path.name.startswith(name))
    exact = operation(text, *arrays)
    pairs = [(a, b) for a, b in zip(exact, expected.elements, strict=True) if a is not None]
    wrong = sum(outside(text, expected.kind, a, b) for a, b in pairs)
    print(f"{path.stem}: {wrong} of {len(pairs)} expected values are outside")
    return wrong > 0


def main() -> int:
    mpmath.mp.prec = 200
    data = os.environ.get("ASSAY_DATA", "../shared/data")
    folder = pathlib.Path(data) / "stablehlo" / "testdata"
    if not folder.exists():
        print("skipped: no stablehlo/testdata in ASSAY_DATA")
        return 77
    names = re.findall(r'"(\w+\.mlir)"', REASONS.read_text())
    missing = [name for name in names if not proved(folder / name)]
    print("\n".join(f"{name}: not proved" for name in missing) or f"{len(names)} files proved")
    return 1 if missing or not names else 0


if __name__ == "__main__":
    sys.exit(main())
