#include "interpreter/definition/functions/principal_angle.h"

#include "interpreter/definition/functions/growing_complex.h"
#include "interpreter/definition/functions/real_functions.h"

namespace hlo::definition {
namespace {

bool is_negative_zero(const Real& x) { return is_zero(x) && signbit(x); }

// i z
Complex turned(const Complex& z) { return {-z.im, z.re}; }

// (x + iy) / sqrt(x^2 + y^2). The sums are exact, their roundings, the root's
// and the quotient's make less than five units.
template <typename F>
ComplexFloat<F> unit_vector(const Complex& y, const Complex& x) {
  return to_float<F>(x + turned(y)) / sqrt(to_float<F>(x * x + y * y));
}

// The logarithm is off by the quotient's error, and by its own.
template <typename F>
F error_of(const ComplexFloat<F>& logarithm) {
  return unit<F>() * (abs(logarithm) + 8);
}

// Where the quotient is a real number: 0 or pi.
Real angle_on_cut(const Complex& y, const Complex& x) {
  using F = Float<50>;
  const Real side = real(unit_vector<F>(y, x)) > 0 ? 1 : -1;
  const bool below = is_negative_zero(y.re) && is_negative_zero(x.im);
  return rounded_to_odd(Function2::kAtan2, Real::zero(below), side);
}

// Next to the cut the quotient does not tell on which side it lies.
template <typename F>
bool may_cross_cut(const ComplexFloat<F>& quotient) {
  return real(quotient) < 0 &&
         abs(imag(quotient)) <= abs(quotient) * unit<F>() * 8;
}

Real real_part(const Complex& y, const Complex& x) {
  const Real across = y.re * x.re + y.im * x.im;
  if (is_zero(across) && norm(x) > norm(y)) return angle_on_cut(y, x);
  return refine([&](auto f) {
    using F = decltype(f);
    const ComplexFloat<F> quotient = unit_vector<F>(y, x);
    const ComplexFloat<F> value = logarithm<F>(quotient);
    return Ball<F>{imag(value),
                   may_cross_cut<F>(quotient) ? F(10) : error_of<F>(value)};
  });
}

Real imaginary_part(const Complex& y, const Complex& x) {
  const Real product = y.im * x.re;
  if (product == y.re * x.im) return copysign(0, product);
  return refine([&](auto f) {
    using F = decltype(f);
    const ComplexFloat<F> value = logarithm<F>(unit_vector<F>(y, x));
    return Ball<F>{-real(value), error_of<F>(value)};
  });
}

}  // namespace

Complex atan2(const Complex& y, const Complex& x) {
  if (!isfinite(x) || !isfinite(y)) return {Real::nan(), Real::nan()};
  const bool above = y == turned(x);
  const bool below = y == -turned(x);
  if (above && below) return {Real::nan(), Real::nan()};
  if (above || below) return {Real::nan(), Real::infinity(below)};
  return {real_part(y, x), imaginary_part(y, x)};
}

}  // namespace hlo::definition
