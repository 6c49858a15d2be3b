#pragma once

#include <cmath>
#include <complex>
#include <type_traits>

// Functions of complex numbers, near the exact value by the size of the result
// (spec/numerics.md, Complex numbers). Instantiated for float and double.

namespace hlo::cpu {

/// Has the products of four numbers of T in its range, and more digits.
template <typename T>
using Wider = std::complex<
    std::conditional_t<std::is_same_v<T, float>, double, long double>>;

/// Each part rounded.
template <typename T>
std::complex<T> narrow_parts(const Wider<T>& z) {
  return {static_cast<T>(z.real()), static_cast<T>(z.imag())};
}

/// A product with its infinities recovered as in Annex G of C, but only those
/// of operands.
template <typename T>
std::complex<T> recovered_product(std::complex<T> x, std::complex<T> y);
/// A quotient without overflow on the way.
template <typename T>
std::complex<T> wide_quotient(std::complex<T> x, std::complex<T> y);

template <typename T>
bool is_finite(const std::complex<T>& z) {
  return std::isfinite(z.real()) && std::isfinite(z.imag());
}

/// The textbook formula where its parts are finite.
template <typename T>
std::complex<T> complex_product(std::complex<T> x, std::complex<T> y) {
  const std::complex<T> textbook(x.real() * y.real() - x.imag() * y.imag(),
                                 x.real() * y.imag() + x.imag() * y.real());
  return is_finite(textbook) ? textbook : recovered_product(x, y);
}

/// The textbook formula in f64 for f32, where its parts are finite, as those of
/// infinite numbers are not: no product of numbers of f32 leaves that range.
template <typename T>
std::complex<T> complex_quotient(std::complex<T> x, std::complex<T> y) {
  if constexpr (std::is_same_v<T, float>) {
    const double a = x.real();
    const double b = x.imag();
    const double c = y.real();
    const double d = y.imag();
    const double size = c * c + d * d;
    const std::complex<double> textbook((a * c + b * d) / size,
                                        (b * c - a * d) / size);
    if (is_finite(textbook)) return narrow_parts<float>(textbook);
  }
  return wide_quotient(x, y);
}

template <typename T>
std::complex<T> complex_logistic(std::complex<T> z);
template <typename T>
std::complex<T> exp_minus_one(std::complex<T> z);
template <typename T>
std::complex<T> log_of_one_plus(std::complex<T> z);
template <typename T>
std::complex<T> complex_power(std::complex<T> base, std::complex<T> exponent);
/// The angle of the point (x, y) of complex coordinates.
template <typename T>
std::complex<T> complex_angle(std::complex<T> y, std::complex<T> x);
/// The principal root.
template <typename T>
std::complex<T> complex_cube_root(std::complex<T> z);
/// sqrt(1 - z^2), its real part, and the size of the imaginary part of asin z.
template <typename T>
std::complex<T> arc_kernel(std::complex<T> z);

}  // namespace hlo::cpu
