"""Bounds that the comments of kernels_*.h cite.

    kernel_bounds.py

proves them with rational numbers and fails if one does not hold.
"""

import sys
from fractions import Fraction

from mpmath import mp

# Coefficients of the start of CbrtKernel, highest power first.
CBRT = [
    "0x1.a2dfec4a72870p-6", "-0x1.60a3892bd13e0p-3", "0x1.fb6e95d10c7dfp-2",
    "-0x1.a3eba8ab9e21bp-1", "0x1.0c452fa1d5b51p+0", "0x1.b17799571fb4fp-2",
]


def polynomial(coefficients: list[Fraction], x: Fraction) -> Fraction:
    value = Fraction(0)
    for c in coefficients:
        value = value * x + c
    return value


def derivative(coefficients: list[Fraction]) -> list[Fraction]:
    degree = len(coefficients) - 1
    return [c * (degree - i) for i, c in enumerate(coefficients[:-1])]


def cbrt_start() -> bool:
    """|p(m) / cbrt(m) - 1| < d = 2^-18 for m in [sqrt(1/2), sqrt(2)].

    That holds if |f(m)| < m (3d - 3d^2) for f(m) = p(m)^3 - m. On an interval of
    radius r around c, |f| <= |f(c)| + |f'(c)| r + bend r^2 / 2, where `bend` bounds
    f'' = 6 p p'^2 + 3 p^2 p'' by the sums of the magnitudes of all terms.
    """
    p = [Fraction(float.fromhex(c)) for c in CBRT]
    slope, low, high = derivative(p), Fraction(7071, 10000), Fraction(14143, 10000)
    magnitudes = [polynomial([abs(c) for c in q], high)
                  for q in (p, slope, derivative(slope))]
    bend = 6 * magnitudes[0] * magnitudes[1] ** 2 + 3 * magnitudes[0] ** 2 * magnitudes[2]
    cells, d = 8192, Fraction(1, 2**18)
    r = (high - low) / (2 * cells)
    for i in range(cells):
        c = low + r * (2 * i + 1)
        value = polynomial(p, c)
        change = abs(3 * value**2 * polynomial(slope, c) - 1) * r + bend * r**2 / 2
        if abs(value**3 - c) + change >= (c - r) * (3 * d - 3 * d**2):
            return False
    return True


def least_distance(alpha: Fraction, limit: int) -> Fraction:
    """The least |M alpha - n| for integers 1 <= M < limit and n.

    It belongs to the denominator of a convergent (best approximations of the
    second kind).
    """
    before, now = 0, 1
    rest = alpha - alpha.numerator // alpha.denominator
    while rest != 0:
        inverse = 1 / rest
        digit = inverse.numerator // inverse.denominator
        before, now = now, digit * now + before
        if now >= limit:
            break
        rest = inverse - digit
    best = before if now >= limit else now
    product = best * alpha
    return abs(product - round(product))


def quarter_turns() -> bool:
    """M 2^e 2/pi is at least 2^-32 from every integer for M < 2^24, e >= -24."""
    mp.prec = 600
    per_radian = Fraction(int(mp.floor(2 / mp.pi * 2**500)), 2**500)
    least = min(least_distance(per_radian * Fraction(2) ** e, 2**24)
                for e in range(-24, 105))
    return least > Fraction(1, 2**32) + Fraction(1, 2**300)


def main() -> int:
    failed = [check.__name__ for check in (cbrt_start, quarter_turns) if not check()]
    print("\n".join(f"{name} does not hold" for name in failed) or "all bounds hold")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
