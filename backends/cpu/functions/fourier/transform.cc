#include "backends/cpu/functions/fourier/transform.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace hlo::cpu {
namespace {

using Complex = std::complex<double>;

constexpr size_t kLargestFactor = 50;  // which is summed term by term

/// exp(-2 pi i k / n), of an angle that is reduced to an eighth of the circle
/// exactly.
Complex root(size_t k, size_t n) {
  k %= n;
  const size_t octant = 8 * k / n;
  const auto at = static_cast<double>(k);
  const auto all = static_cast<double>(n);
  const auto turned = [&](double eighths) {
    return 2 * std::numbers::pi * ((at - eighths * all / 8) / all);
  };
  switch (octant) {
    case 0:
      return {std::cos(turned(0)), -std::sin(turned(0))};
    case 1:
    case 2:
      return {-std::sin(turned(2)), -std::cos(turned(2))};
    case 3:
    case 4:
      return {-std::cos(turned(4)), std::sin(turned(4))};
    case 5:
    case 6:
      return {std::sin(turned(6)), std::cos(turned(6))};
    default:
      return {std::cos(turned(8)), -std::sin(turned(8))};
  }
}

std::vector<Complex> roots(size_t n) {
  std::vector<Complex> all(n);
  for (size_t k = 0; k < n; ++k) all[k] = root(k, n);
  return all;
}

/// The product of numbers that are finite.
Complex times(Complex a, Complex b) {
  return {a.real() * b.real() - a.imag() * b.imag(),
          a.real() * b.imag() + a.imag() * b.real()};
}

Complex scaled(Complex z, int exponent) {
  return {std::scalbn(z.real(), exponent), std::scalbn(z.imag(), exponent)};
}

size_t least_factor(size_t n) {
  for (size_t p = 2; p * p <= n; ++p) {
    if (n % p == 0) return p;
  }
  return n;
}

/// Transforms of n numbers that lie `stride` apart; `all` are the roots of
/// stride * n.
class Factored {
 public:
  explicit Factored(size_t n) : all_(roots(n)) {}

  std::vector<Complex> apply(const Complex* x, size_t n, size_t stride) const {
    if (n == 1) return {*x};
    const size_t p = least_factor(n);
    const size_t m = n / p;
    std::vector<std::vector<Complex>> parts;
    for (size_t j = 0; j < p; ++j) {
      parts.push_back(apply(x + j * stride, m, stride * p));
    }
    std::vector<Complex> result(n);
    for (size_t k = 0; k < n; ++k) {
      Complex sum = parts[0][k % m];
      for (size_t j = 1; j < p; ++j) {
        sum += times(parts[j][k % m], all_[j * k % n * stride]);
      }
      result[k] = sum;
    }
    return result;
  }

 private:
  std::vector<Complex> all_;
};

size_t largest_factor(size_t n) {
  size_t largest = 1;
  while (n > 1) {
    const size_t p = least_factor(n);
    largest = std::max(largest, p);
    n /= p;
  }
  return largest;
}

std::vector<Complex> by_factors(const std::vector<Complex>& x) {
  return Factored(x.size()).apply(x.data(), x.size(), 1);
}

/// Bluestein: k t = (k^2 + t^2 - (k - t)^2) / 2 makes a convolution of the
/// transform, whose length may be a power of two.
std::vector<Complex> by_convolution(std::vector<Complex> x) {
  const size_t n = x.size();
  // Near 1 no product on the way leaves the range of double.
  double largest = 0;
  for (const Complex& z : x) {
    largest = std::fmax(largest, std::fabs(z.real()));
    largest = std::fmax(largest, std::fabs(z.imag()));
  }
  const bool is_scaled = largest > 0 && std::isfinite(largest);
  const int exponent = is_scaled ? std::ilogb(largest) : 0;
  for (Complex& z : x) z = scaled(z, -exponent);
  size_t padded = 1;
  while (padded < 2 * n) padded *= 2;
  std::vector<Complex> chirp(n);
  for (size_t k = 0; k < n; ++k) chirp[k] = root(k * k % (2 * n), 2 * n);
  std::vector<Complex> a(padded);
  std::vector<Complex> b(padded);
  for (size_t k = 0; k < n; ++k) a[k] = times(x[k], chirp[k]);
  b[0] = std::conj(chirp[0]);
  for (size_t k = 1; k < n; ++k) b[k] = b[padded - k] = std::conj(chirp[k]);
  const Factored plan(padded);
  a = plan.apply(a.data(), padded, 1);
  b = plan.apply(b.data(), padded, 1);
  // The inverse is the conjugate of the transform of the conjugate.
  for (size_t k = 0; k < padded; ++k) a[k] = std::conj(times(a[k], b[k]));
  a = plan.apply(a.data(), padded, 1);
  std::vector<Complex> result(n);
  const auto scale = static_cast<double>(padded);
  for (size_t k = 0; k < n; ++k) {
    result[k] = scaled(times(std::conj(a[k]) / scale, chirp[k]), exponent);
  }
  return result;
}

}  // namespace

void transform(std::vector<Complex>& x, bool inverse) {
  if (x.size() <= 1) return;
  if (inverse) {
    for (Complex& z : x) z = std::conj(z);
  }
  x = largest_factor(x.size()) <= kLargestFactor ? by_factors(x)
                                                 : by_convolution(x);
  if (inverse) {
    for (Complex& z : x) z = std::conj(z);
  }
}

}  // namespace hlo::cpu
