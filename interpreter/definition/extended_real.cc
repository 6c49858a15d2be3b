#include "interpreter/definition/extended_real.h"

#include <cmath>

namespace hlo::definition {
namespace {

// The result of a rounding of numbers to integers.
template <typename Rounding>
Real to_integer(const Real& x, const Rounding& rounded) {
  if (isnan(x)) return Real::nan();
  if (!isfinite(x)) return x;
  return copysign(Real(Rational(rounded(x.rational()))), x);
}

Integer magnitude_floor(const Rational& x) { return floor(Rational(abs(x))); }

int sign_of_infinity(const Real& x) {
  if (!isinf(x)) return 0;
  return signbit(x) ? -1 : 1;
}

}  // namespace

Rational power_of_two(int64_t exponent) {
  const Integer power = Integer(1) << std::abs(exponent);
  return exponent < 0 ? Rational(1, power) : Rational(power);
}

Integer floor(const Rational& x) {
  const Integer toward_zero = numerator(x) / denominator(x);
  return toward_zero > x ? Integer(toward_zero - 1) : toward_zero;
}

Integer nearest_even(const Rational& x) {
  const Integer up = floor(Rational(x + Rational(1, 2)));
  const bool tie = up - x == Rational(1, 2);
  return tie && bit_test(up, 0) ? Integer(up - 1) : up;
}

int64_t binary_exponent(const Rational& x) {
  const Rational magnitude = abs(x);
  const auto bits = [](const Integer& n) {
    return static_cast<int64_t>(msb(n));
  };
  const int64_t e = bits(numerator(magnitude)) - bits(denominator(magnitude));
  return magnitude < power_of_two(e) ? e - 1 : e;
}

Real::Real(double value)
    : Real(std::isfinite(value)
               ? Kind::kFinite
               : (std::isinf(value) ? Kind::kInfinite : Kind::kNan),
           std::signbit(value),
           std::isfinite(value) ? Rational(value) : Rational(0)) {}

Real::Real(Rational value, bool negative_zero)
    : kind_(Kind::kFinite),
      negative_(value == 0 ? negative_zero : value < 0),
      value_(std::move(value)) {}

Real operator-(const Real& x) {
  return {x.kind_, !x.negative_, Rational(-x.value_)};
}

Real operator+(const Real& x, const Real& y) {
  if (isnan(x) || isnan(y)) return Real::nan();
  if (isinf(x) && isinf(y) && x != y) return Real::nan();
  if (isinf(x)) return x;
  if (isinf(y)) return y;
  return {Rational(x.value_ + y.value_), x.negative_ && y.negative_};
}

Real operator*(const Real& x, const Real& y) {
  const bool negative = x.negative_ != y.negative_;
  if (isnan(x) || isnan(y)) return Real::nan();
  if (isfinite(x) && isfinite(y)) {
    return {Rational(x.value_ * y.value_), negative};
  }
  if (is_zero(x) || is_zero(y)) return Real::nan();
  return Real::infinity(negative);
}

Real operator/(const Real& x, const Real& y) {
  const bool negative = x.negative_ != y.negative_;
  if (isnan(x) || isnan(y)) return Real::nan();
  if (isinf(x) && isinf(y)) return Real::nan();
  if (is_zero(x) && is_zero(y)) return Real::nan();
  if (isinf(x) || is_zero(y)) return Real::infinity(negative);
  if (isinf(y)) return Real::zero(negative);
  return {Rational(x.value_ / y.value_), negative};
}

std::partial_ordering operator<=>(const Real& x, const Real& y) {
  if (isnan(x) || isnan(y)) return std::partial_ordering::unordered;
  if (isinf(x) || isinf(y)) return sign_of_infinity(x) <=> sign_of_infinity(y);
  return x.value_.compare(y.value_) <=> 0;
}

Real floor(const Real& x) {
  return to_integer(x, [](const Rational& r) { return floor(r); });
}

Real ceil(const Real& x) {
  return to_integer(x, [](const Rational& r) { return Integer(-floor(-r)); });
}

Real trunc(const Real& x) { return to_integer(x, magnitude_floor); }

Real round(const Real& x) {
  return trunc(x + copysign(Real(Rational(1, 2)), x));
}

Real rint(const Real& x) { return to_integer(x, nearest_even); }

Real fmod(const Real& x, const Real& y) {
  if (isinf(y) && isfinite(x)) return x;
  const Real rest = x - y * trunc(x / y);
  return isnan(rest) ? rest : copysign(rest, x);
}

}  // namespace hlo::definition
