#include "interpreter/definition/numbers/over_root.h"

#include "interpreter/definition/numbers/exact_numbers.h"

namespace hlo::definition {
namespace {

// Codes, and the numbers half way between two, have fewer bits.
constexpr unsigned kBits = 80;

bool is_square(const Whole& x) { return sqrt(x) * sqrt(x) == x; }

// floor(sqrt(x)) for a > 0, floor(-sqrt(x)) for a < 0.
Whole floor_of_root(const Rational& a, const Rational& x) {
  const Whole root = sqrt(floor(x));  // floor(sqrt(floor(x))) = floor(sqrt(x))
  return a > 0 ? root : Whole(-root - 1);
}

// x = c + sqrt(a^2 / v), the root with the sign of a and irrational. Let d be
// the denominator of c; floor(2^k x) = floor(y / d) with y = d 2^k x, and y
// less its root is an integer, so that y may be rounded down to one. With n =
// floor( 2^k x) of enough bits, no code and no half lies between n and n + 1.
Rational near_irrational(const Rational& a, const Rational& v,
                         const Rational& c) {
  const Rational square = a * a / v;
  const Rational d(denominator(c));
  for (int64_t k = kBits - binary_exponent(a) + binary_exponent(v);; k += k) {
    k = std::max<int64_t>(k, kBits);
    const Rational scale = power_of_two(k);
    const Rational scaled = scale * d;
    const Rational rest = c * scaled;
    const Rational root(floor_of_root(a, square * scaled * scaled));
    const Whole n = floor((rest + root) / d);
    if (msb(abs(n) + 1) > kBits) return (Rational(n) + Rational(1, 2)) / scale;
  }
}

}  // namespace

Real over_root(const Real& a, const Real& v, const Real& c) {
  if (v < 0) return Real::nan();
  const bool plain = isfinite(a) && isfinite(v) && isfinite(c);
  if (!plain || is_zero(a) || is_zero(v)) return c + a / (v + 0);
  const Whole top = numerator(rational(v));
  const Whole bottom = denominator(rational(v));
  if (is_square(top) && is_square(bottom)) {
    return c + a / Real(Rational(sqrt(top), sqrt(bottom)));
  }
  return Real(near_irrational(rational(a), rational(v), rational(c)));
}

}  // namespace hlo::definition
