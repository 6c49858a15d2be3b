#include "interpreter/definition/functions/principal_power.h"

#include <optional>

#include "interpreter/definition/functions/growing_complex.h"
#include "interpreter/definition/functions/mpc_functions.h"

namespace hlo::definition {
namespace {

// exp of this is beyond every format, even times a small sine.
constexpr double kFarExponent = 4000;

// The eighth of a turn at which z lies, from -3 to 4.
std::optional<int> octant(const Complex& z) {
  const int below = signbit(z.im) ? -1 : 1;
  if (is_zero(z.im)) return z.re > 0 ? 0 : 4 * below;
  if (is_zero(z.re)) return 2 * below;
  if (fabs(z.re) != fabs(z.im)) return std::nullopt;
  return (z.re > 0 ? 1 : 3) * below;
}

// The angle of z^w in eighths of a turn where it is a multiple of the angle of
// z. No other angle is a multiple of a right one: for |z| = 1 elsewhere the
// angle of z is none of pi, and the parts of w log z are independent over the
// algebraic numbers (Baker).
std::optional<Real> octants(const Complex& z, const Complex& w) {
  const std::optional<int> at = octant(z);
  if (!at || (!is_zero(w.im) && norm(z) != 1)) return std::nullopt;
  return fmod(*at * w.re, 8);
}

// w log z, off by less than three units of its modulus and two of |w|.
template <typename F>
ComplexFloat<F> exponent(const Complex& z, const Complex& w) {
  return logarithm<F>(to_float<F>(z)) * to_float<F>(w);
}

bool is_far(const Complex& z, const Complex& w) {
  return abs(real(exponent<Float<50>>(z, w))) > kFarExponent;
}

// exp(w log z) with a limit for its size: the signs of the parts are asked.
template <typename F>
Disc<F> far_power(const Complex& z, const Complex& w) {
  const ComplexFloat<F> t = exponent<F>(z, w);
  const F size = real(t) < 0 ? -kFarExponent : kFarExponent;
  return disc<F>(exp(ComplexFloat<F>(size, imag(t))),
                 4 * (abs(t) + 2 * abs(to_float<F>(w))) + 2);
}

// Parts that are zeros are found first, as no precision shows them.
Complex finite_power(const Complex& z, const Complex& w) {
  const Real turned = octants(z, w).value_or(1);
  const bool upright = fabs(turned) == 2 || fabs(turned) == 6;
  const bool level = is_zero(fmod(turned, 4));
  const Real zero = Real::zero(signbit(z.im) != (w.re < 0));
  if (!is_far(z, w)) {
    const Complex power = moderate_power(z, w);
    return {upright ? 0 : power.re, level ? zero : power.im};
  }
  const auto around = [&](auto f) { return far_power<decltype(f)>(z, w); };
  return {upright ? 0 : refine_real(around),
          level ? zero : refine_imag(around)};
}

Complex power_of_zero(const Complex& w) {
  if (w.re > 0) return {0, 0};
  if (w.re < 0) return {Real::infinity(false), Real::nan()};
  return {Real::nan(), Real::nan()};
}

}  // namespace

Complex pow(const Complex& z, const Complex& w) {
  if (is_zero(w) || z == Complex{1, 0}) return {1, 0};
  if (z == Complex{Real::infinity(false), 0} && is_zero(w.im) && w.re != 0) {
    return {w.re > 0 ? Real::infinity(false) : 0, 0};
  }
  if (!isfinite(z) || !isfinite(w)) return exp(w * log(z));
  return is_zero(z) ? power_of_zero(w) : finite_power(z, w);
}

}  // namespace hlo::definition
