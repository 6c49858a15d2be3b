#include "interpreter/definition/numbers/extended_real.h"

#include <cmath>
#include <utility>

#include "interpreter/definition/numbers/exact_numbers.h"

namespace hlo::definition {
namespace {

// The result of a rounding of numbers to integers.
template <typename Rounding>
Real rounded_by(const Rounding& rounded, const Real& x) {
  if (isnan(x)) return Real::nan();
  if (!isfinite(x)) return x;
  return copysign(Real(Rational(rounded(rational(x)))), x);
}

Whole magnitude_floor(const Rational& x) { return floor(Rational(abs(x))); }

int sign_of_infinity(const Real& x) {
  if (!isinf(x)) return 0;
  return signbit(x) ? -1 : 1;
}

}  // namespace

Real::Real(double value)
    : Real(
          std::isfinite(value)
              ? Kind::kFinite
              : (std::isinf(value) ? Kind::kInfinite : Kind::kNan),
          std::signbit(value),
          RationalValue{std::isfinite(value) ? Rational(value) : Rational(0)}) {
}

Real::Real(const Integer& value)
    : Real(RationalValue{Rational(whole(value))}) {}

Real::Real(const RationalValue& value) : Real(value, false) {}

Real::Real(const RationalValue& value, bool negative_zero)
    : Real(Kind::kFinite, value.number == 0 ? negative_zero : value.number < 0,
           value) {}

Real::Real(Kind kind, bool negative, RationalValue value)
    : kind_(kind),
      negative_(negative),
      value_(std::make_shared<const RationalValue>(std::move(value))) {}

Real Real::zero(bool negative) { return {RationalValue{0}, negative}; }

Real Real::infinity(bool negative) {
  return {Kind::kInfinite, negative, RationalValue{0}};
}

Real Real::nan(bool negative) {
  return {Kind::kNan, negative, RationalValue{0}};
}

Real operator-(const Real& x) {
  return {x.kind_, !x.negative_, {-rational(x)}};
}

Real operator+(const Real& x, const Real& y) {
  if (isnan(x) || isnan(y)) return Real::nan();
  if (isinf(x) && isinf(y) && x != y) return Real::nan();
  if (isinf(x)) return x;
  if (isinf(y)) return y;
  return {{rational(x) + rational(y)}, x.negative_ && y.negative_};
}

Real operator*(const Real& x, const Real& y) {
  const bool negative = x.negative_ != y.negative_;
  if (isnan(x) || isnan(y)) return Real::nan();
  if (isfinite(x) && isfinite(y)) {
    return {{rational(x) * rational(y)}, negative};
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
  return {{rational(x) / rational(y)}, negative};
}

std::partial_ordering operator<=>(const Real& x, const Real& y) {
  if (isnan(x) || isnan(y)) return std::partial_ordering::unordered;
  if (isinf(x) || isinf(y)) return sign_of_infinity(x) <=> sign_of_infinity(y);
  return rational(x).compare(rational(y)) <=> 0;
}

Real floor(const Real& x) {
  return rounded_by([](const Rational& r) { return floor(r); }, x);
}

Real ceil(const Real& x) {
  return rounded_by([](const Rational& r) { return Whole(-floor(-r)); }, x);
}

Real trunc(const Real& x) { return rounded_by(magnitude_floor, x); }

Real round(const Real& x) { return trunc(x + copysign(0.5, x)); }

Real rint(const Real& x) { return rounded_by(nearest_even, x); }

Integer integer_part(const Real& x) {
  return Integer(Whole(numerator(rational(x)) / denominator(rational(x))));
}

int64_t ilogb(const Real& x) { return binary_exponent(rational(x)); }

Real ldexp(const Real& x, int64_t exponent) {
  return x * Real(power_of_two(exponent));
}

Real fmod(const Real& x, const Real& y) {
  if (isinf(y) && isfinite(x)) return x;
  const Real rest = x - y * trunc(x / y);
  return isnan(rest) ? rest : copysign(rest, x);
}

}  // namespace hlo::definition
