#include "interpreter/definition/functions/composed_complex.h"

#include <algorithm>

#include "interpreter/definition/functions/growing_complex.h"
#include "interpreter/definition/functions/mpc_functions.h"
#include "interpreter/definition/functions/real_functions.h"
#include "interpreter/definition/numbers/exact_numbers.h"

namespace hlo::definition {
namespace {

using enum numeric::Function;

// exp and 2^x of this are beyond every format, even times a small sine.
constexpr double kLargest = 4000;
// exp(-kLeast) is below every format.
constexpr double kLeast = 1000;

Real limited(const Real& x, double least, double largest) {
  return x < least ? least : (x > largest ? largest : x);
}

Complex nan() { return {Real::nan(), Real::nan()}; }

// The square root of a rational number, rounded to odd: of its integer part at
// a scale where that has enough bits.
Real square_root(const Rational& x) {
  const int64_t shift = kOddBits - binary_exponent(x) / 2;
  const Rational scaled = x * power_of_two(2 * shift);
  Whole root = sqrt(floor(scaled));
  if (root * root != scaled) bit_set(root, 0);
  return Real(Rational(root * power_of_two(-shift)));
}

// The number of at most 53 significant bits in each part that is nearest.
template <typename F>
Complex shortened(const ComplexFloat<F>& z) {
  const auto part = [](const F& x) {
    return Real(Rational(static_cast<Float<16>>(x)));
  };
  return {part(real(z)), part(imag(z))};
}

template <typename F>
Disc<F> cube_root_disc(const Complex& z) {
  return exponential_disc<F>(logarithm<F>(to_float<F>(z)) / 3, 1);
}

Complex cube_root_at_infinity(const Complex& z) {
  const Real infinity = Real::infinity(false);
  if (!isinf(z)) return nan();
  if (isinf(z.im)) return {infinity, z.im};
  if (isnan(z.im)) return {infinity, Real::nan()};
  return {infinity, copysign(signbit(z.re) ? infinity : 0, z.im)};
}

// sqrt(z) has an error of one unit, so has |z|, and so has the quotient.
template <typename F>
Disc<F> rsqrt_disc(const Complex& z) {
  const ComplexFloat<F> w = to_float<F>(z);
  return disc<F>(conj(sqrt(w)) / abs(w), 4);
}

// y log 2 and its like are known up to three units.
Complex finite_exp2(const Complex& z) {
  const Complex near{limited(z.re, -kLargest, kLargest), z.im};
  return refine_parts([&](auto f) {
    using F = decltype(f);
    return exponential_disc<F>(to_float<F>(near) * log(F(2)), 0);
  });
}

// With u = exp(-z) the sum 1 + u is off by |u| + |1 + u| units.
template <typename F>
Disc<F> logistic_disc(const Complex& z) {
  const ComplexFloat<F> u = exp(-to_float<F>(z));
  const ComplexFloat<F> sum = 1 + u;
  return disc<F>(1 / sum, 2 * abs(u) / abs(sum) + 4);
}

Real angle_over_log2(const Complex& z) {
  if (is_zero(z.im) && !signbit(z.re)) return z.im;
  return refine([&](auto f) {
    using F = decltype(f);
    const F value = atan2(to_float<F>(z.im), to_float<F>(z.re)) / log(F(2));
    return Ball<F>{value, abs(value) * unit<F>() * 4};
  });
}

// Where infinite parts are, they alone make the angle.
Complex direction(const Complex& z) {
  const auto part = [](const Real& x) { return copysign(isinf(x) ? 1 : 0, x); };
  return {part(z.re), part(z.im)};
}

}  // namespace

Complex sign(const Complex& z) {
  if (is_zero(z)) return {0, 0};
  const Real size = norm(z);
  const auto part = [&](const Real& x) {
    if (!isfinite(size)) return x / size;
    if (is_zero(x)) return x;
    return copysign(square_root(rational(x * x / size)), x);
  };
  return {part(z.re), part(z.im)};
}

// Exact parts: r^2 = z makes r a number of finitely many bits, and conj r /
// |r|^2 is another one where r lies on an axis or a diagonal, that is z on an
// axis, only.
Complex rsqrt(const Complex& z) {
  if (is_zero(z)) return {Real::infinity(false), Real::nan()};
  if (isinf(z)) return {0, copysign(0, -z.im)};
  if (!isfinite(z)) return nan();
  if (is_zero(z.im)) {
    const Real size = square_root(1 / rational(fabs(z.re)));
    return z.re > 0 ? Complex{size, -z.im} : Complex{0, copysign(size, -z.im)};
  }
  if (is_zero(z.re)) {
    const Real size = square_root(1 / rational(2 * fabs(z.im)));
    return {size, copysign(size, -z.im)};
  }
  return refine_parts([&](auto f) { return rsqrt_disc<decltype(f)>(z); });
}

// On an axis a part is half a real cube root. Elsewhere, if a part c of w, w^3
// = z, is rational, then w is: z + conj z = 8 c^3 - 6 c |w|^2 makes |w|^2
// rational, and w, of degree 2, lies in the field of z. The odd factors of its
// parts divide those of z, which leaves them 53 bits.
Complex cbrt(const Complex& z) {
  if (!isfinite(z)) return cube_root_at_infinity(z);
  const auto half = [](const Real& x) {
    return rounded_to_odd(kCbrt, fabs(x)) / 2;
  };
  const auto around = [&](auto f) { return cube_root_disc<decltype(f)>(z); };
  if (is_zero(z.im) && is_zero(z.re)) return {0, z.im};
  if (is_zero(z.im) && z.re > 0) return {half(z.re) * 2, z.im};
  if (is_zero(z.im)) return {half(z.re), refine_imag(around)};
  if (is_zero(z.re)) return {refine_real(around), copysign(half(z.im), z.im)};
  const Complex exact = shortened<Float<50>>(around(Float<50>()).value);
  return exact * exact * exact == z ? exact : refine_parts(around);
}

Complex exp2(const Complex& z) {
  if (is_zero(z.im) && isfinite(z)) {
    return {rounded_to_odd(kExponential2, z.re), z.im};
  }
  if (isfinite(z)) return finite_exp2(z);
  if (!isinf(z.re) || !isfinite(z.im) || is_zero(z.im)) return exp(z);
  const Complex turned = finite_exp2({0, z.im});
  const Real size = signbit(z.re) ? 0 : Real::infinity(false);
  return {copysign(size, turned.re), copysign(size, turned.im)};
}

Complex expm1(const Complex& z) {
  const Complex power = exp(z);
  if (!isfinite(z)) return {power.re - 1, power.im};
  if (is_zero(z.im)) {
    return {rounded_to_odd(kExponentialMinusOne, z.re), z.im};
  }
  const Complex near{limited(z.re, -kLeast, kLargest), z.im};
  const Real re = refine([&](auto f) {
    using F = decltype(f);
    const F value = real(exp(to_float<F>(near)));
    return Ball<F>{value - 1, (abs(value) + 1) * 2 * unit<F>()};
  });
  return {re, power.im};
}

Complex logistic(const Complex& z) {
  if (isinf(z.re)) {
    const Complex trifle = exp(Complex{Real::infinity(true), z.im});
    return {signbit(z.re) ? trifle.re : Real(1), trifle.im};
  }
  if (!isfinite(z)) return nan();
  if (is_zero(z.im)) return {rounded_to_odd(kLogistic, z.re), z.im};
  const Complex near{limited(z.re, -kLeast, kLeast), z.im};
  const auto around = [&](auto f) { return logistic_disc<decltype(f)>(near); };
  return {is_zero(z.re) ? 0.5 : refine_real(around), refine_imag(around)};
}

Complex log2(const Complex& z) {
  if (isnan(z.re) || isnan(z.im)) return log(z);
  return {rounded_to_odd(kLog2, norm(z)) / 2,
          angle_over_log2(isinf(z) ? direction(z) : z)};
}

// |1 + z|^2 is 1 + (|z|^2 + 2x), an exact number.
Complex log1p(const Complex& z) {
  if (is_zero(z)) return z;
  if (!isfinite(z)) return log({1 + z.re, z.im});
  return {rounded_to_odd(kLogPlusOne, norm(z) + 2 * z.re) / 2,
          rounded_to_odd(Function2::kAtan2, z.im, 1 + z.re)};
}

Complex arc_kernel(const Complex& z) {
  if (isinf(z)) return {fabs(z.im), Real::infinity(false)};
  if (!isfinite(z)) return nan();
  return {sqrt(Complex{1, 0} - z * z).re, fabs(asin(z).im)};
}

}  // namespace hlo::definition
