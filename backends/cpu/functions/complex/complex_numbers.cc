#include "backends/cpu/functions/complex/complex_numbers.h"

#include <cmath>
#include <limits>
#include <type_traits>

#include "backends/cpu/functions/complex/complex_wide.h"

namespace hlo::cpu {
namespace {

using Wide = long double;
using Complex = std::complex<Wide>;

constexpr Wide kNan = std::numeric_limits<Wide>::quiet_NaN();
constexpr Wide kInfinity = std::numeric_limits<Wide>::infinity();

template <typename T>
bool has_nan(const std::complex<T>& z) {
  return std::isnan(z.real()) || std::isnan(z.imag());
}

template <typename T>
std::complex<T> narrow(const Complex& z) {
  return {static_cast<T>(z.real()), static_cast<T>(z.imag())};
}

/// log |z|, near 1 without what cancels.
Wide log_magnitude(const Complex& z) {
  const Wide size = std::hypot(z.real(), z.imag());
  if (size < 0.5L || size > 2) return std::log(size);
  const Wide larger = std::fmax(std::fabs(z.real()), std::fabs(z.imag()));
  const Wide smaller = std::fmin(std::fabs(z.real()), std::fabs(z.imag()));
  return std::log1p((larger - 1) * (larger + 1) + smaller * smaller) / 2;
}

/// x^y of a base that is not 0 and an exponent that is not, both finite.
template <typename T>
std::complex<T> finite_power(std::complex<T> base, std::complex<T> exponent) {
  const Complex x(base);
  const Complex y(exponent);
  const Wide size = log_magnitude(x);
  const Wide angle = std::arg(x);
  const Wide real = y.real() * size - y.imag() * angle;
  const Wide turn = y.real() * angle + y.imag() * size;
  // What the products lose is a share of the logarithm of the result.
  constexpr Wide kMost = std::is_same_v<T, float> ? 0x1p30L : 0x1p7L;
  const Wide terms = std::fabs(y.real() * size) + std::fabs(y.imag() * angle) +
                     std::fabs(y.real() * angle) + std::fabs(y.imag() * size);
  // Where the length overflows each part counts by itself, and its sign is all
  // that is left of it.
  static const Wide kLongest = std::log(Wide{std::numeric_limits<T>::max()});
  const bool is_by_an_axis =
      real > kLongest && (std::fabs(std::sin(turn)) < 0x1p-5L ||
                          std::fabs(std::cos(turn)) < 0x1p-5L);
  const bool turns = y.real() * angle != 0 || y.imag() * size != 0;
  if (!(terms < kMost) || (turns && is_by_an_axis)) {
    return std::complex<T>(
        wide_power(std::complex<double>(base), std::complex<double>(exponent)));
  }
  if (turn == 0) return narrow<T>({std::exp(real), turn});
  const Wide length = std::exp(real);
  return narrow<T>({length * std::cos(turn), length * std::sin(turn)});
}

}  // namespace

template <typename T>
std::complex<T> recovered_product(std::complex<T> x, std::complex<T> y) {
  return narrow_parts<T>(Wider<T>(x) * Wider<T>(y));
}

template <typename T>
std::complex<T> wide_quotient(std::complex<T> x, std::complex<T> y) {
  return narrow_parts<T>(Wider<T>(x) / Wider<T>(y));
}

/// 1 + exp(-z) loses its digits near the poles, on the imaginary axis; where it
/// is large its inverse is small, and not 0.
template <typename T>
std::complex<T> complex_logistic(std::complex<T> z) {
  if (std::isfinite(z.imag()) && std::fabs(z.real()) <= 1) {
    return (std::complex<T>(1) + std::tanh(z / T{2})) / T{2};
  }
  const Wider<T> one(1);
  return narrow_parts<T>(one / (one + std::exp(-Wider<T>(z))));
}

template <typename T>
std::complex<T> exp_minus_one(std::complex<T> z) {
  if (!is_finite(z)) {
    const std::complex<T> power = std::exp(z);
    return {power.real() - 1, power.imag()};
  }
  const Wide x = z.real();
  const Wide y = z.imag();
  const Wide half = std::sin(y / 2);
  const Wide real = std::expm1(x) * std::cos(y) - 2 * half * half;
  return narrow<T>({real, y == 0 ? y : std::exp(x) * std::sin(y)});
}

template <typename T>
std::complex<T> log_of_one_plus(std::complex<T> z) {
  if (z == std::complex<T>(0)) return z;
  if (!is_finite(z)) return std::log(std::complex<T>(1 + z.real(), z.imag()));
  const Wide x = z.real();
  const Wide y = z.imag();
  const bool is_small = std::hypot(x, y) <= 0.5L;
  const Wide real = is_small ? std::log1p(x * (x + 2) + y * y) / 2
                             : log_magnitude({1 + x, y});
  return narrow<T>({real, std::atan2(y, 1 + x)});
}

template <typename T>
std::complex<T> complex_power(std::complex<T> base, std::complex<T> exponent) {
  const std::complex<T> zero(0);
  const std::complex<T> one(1);
  if (exponent == zero || base == one) return one;
  const bool is_real = base.imag() == 0 && exponent.imag() == 0;
  if (base.real() == kInfinity && is_real && !std::isnan(exponent.real())) {
    return exponent.real() > 0 ? std::complex<T>(base.real()) : zero;
  }
  if (!is_finite(base) || !is_finite(exponent)) {
    return narrow_parts<T>(
        std::exp(Wider<T>(exponent) * std::log(Wider<T>(base))));
  }
  if (base != zero) return finite_power(base, exponent);
  if (exponent.real() > 0) return zero;
  return narrow<T>({exponent.real() < 0 ? kInfinity : kNan, kNan});
}

template <typename T>
std::complex<T> complex_angle(std::complex<T> y, std::complex<T> x) {
  if (!is_finite(y) || !is_finite(x)) return narrow<T>({kNan, kNan});
  return std::complex<T>(
      wide_angle(std::complex<double>(y), std::complex<double>(x)));
}

template <typename T>
std::complex<T> complex_cube_root(std::complex<T> z) {
  const Complex wide(z);
  const Wide size = std::cbrt(std::hypot(wide.real(), wide.imag()));
  const Wide angle = std::arg(wide) / 3;
  if (z.imag() == 0 && z.real() >= 0) return narrow<T>({size, wide.imag()});
  if (std::isinf(size)) {
    const bool is_flat = z.real() > 0 && !std::isinf(z.imag());
    if (has_nan(z) && !std::isinf(z.imag())) {
      return narrow<T>({kInfinity, kNan});
    }
    return narrow<T>(
        {kInfinity, std::copysign(is_flat ? 0 : kInfinity, wide.imag())});
  }
  return narrow<T>({size * std::cos(angle), size * std::sin(angle)});
}

template <typename T>
std::complex<T> arc_kernel(std::complex<T> z) {
  const Complex wide(z);
  if (std::isinf(z.real()) || std::isinf(z.imag())) {
    return narrow<T>({std::fabs(wide.imag()), kInfinity});
  }
  const Wide x = std::fabs(wide.real());
  const Wide y = std::fabs(wide.imag());
  const Wide p = (1 - x) * (1 + x) + y * y;
  const Wide q = 2 * x * y;
  const Wide size = std::hypot(p, q);
  const Wide sum = p >= 0 ? size + p : q == 0 ? 0 : q * (q / (size - p));
  return narrow<T>({std::sqrt(sum / 2), std::fabs(std::asin(wide).imag())});
}

#define HLO_CPU_COMPLEX_FUNCTIONS(T)                                        \
  template std::complex<T> recovered_product(std::complex<T>,               \
                                             std::complex<T>);              \
  template std::complex<T> wide_quotient(std::complex<T>, std::complex<T>); \
  template std::complex<T> complex_logistic(std::complex<T>);               \
  template std::complex<T> exp_minus_one(std::complex<T>);                  \
  template std::complex<T> log_of_one_plus(std::complex<T>);                \
  template std::complex<T> complex_power(std::complex<T>, std::complex<T>); \
  template std::complex<T> complex_angle(std::complex<T>, std::complex<T>); \
  template std::complex<T> complex_cube_root(std::complex<T>);              \
  template std::complex<T> arc_kernel(std::complex<T>);
HLO_CPU_COMPLEX_FUNCTIONS(float)
HLO_CPU_COMPLEX_FUNCTIONS(double)
#undef HLO_CPU_COMPLEX_FUNCTIONS

}  // namespace hlo::cpu
