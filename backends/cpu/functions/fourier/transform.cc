#include "backends/cpu/functions/fourier/transform.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

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

size_t largest_factor(size_t n) {
  size_t largest = 1;
  while (n > 1) {
    const size_t p = least_factor(n);
    largest = std::max(largest, p);
    n /= p;
  }
  return largest;
}

void conjugate(std::span<Complex> x) {
  for (Complex& z : x) z = std::conj(z);
}

}  // namespace

/// By the factors of the length.
class Transform::Factored {
 public:
  explicit Factored(size_t n) : all_(roots(n)) {}

  /// Writes the transform of as many numbers as there are roots.
  void apply(const Complex* x, Complex* to) const {
    apply(x, all_.size(), 1, to);
  }

 private:
  /// The transform of n numbers that lie `stride` apart; stride * n is the
  /// length.
  void apply(const Complex* x, size_t n, size_t stride, Complex* to) const {
    if (n == 1) {
      *to = *x;
      return;
    }
    const size_t p = least_factor(n);
    const size_t m = n / p;
    for (size_t j = 0; j < p; ++j) {
      apply(x + j * stride, m, stride * p, to + j * m);
    }
    p == 2 ? join_halves(m, stride, to) : join(p, m, stride, to);
  }

  void join_halves(size_t m, size_t stride, Complex* to) const {
    for (size_t k = 0; k < m; ++k) {
      const Complex other = times(to[m + k], all_[k * stride]);
      to[m + k] = to[k] - other;
      to[k] += other;
    }
  }

  /// Transforms of p parts of m numbers as that of all.
  void join(size_t p, size_t m, size_t stride, Complex* to) const {
    const size_t n = p * m;
    Complex parts[kLargestFactor];
    for (size_t k = 0; k < m; ++k) {
      for (size_t j = 0; j < p; ++j) parts[j] = to[j * m + k];
      for (size_t bin = k; bin < n; bin += m) {
        Complex sum = parts[0];
        for (size_t j = 1; j < p; ++j) {
          sum += times(parts[j], all_[j * bin % n * stride]);
        }
        to[bin] = sum;
      }
    }
  }

  std::vector<Complex> all_;
};

/// Bluestein: k t = (k^2 + t^2 - (k - t)^2) / 2 makes a convolution of the
/// transform, whose length may be a power of two.
class Transform::Convolved {
 public:
  explicit Convolved(size_t n)
      : padded_(padded(n)), plan_(padded_), chirp_(n), kernel_(padded_) {
    for (size_t k = 0; k < n; ++k) chirp_[k] = root(k * k % (2 * n), 2 * n);
    std::vector<Complex> b(padded_);
    b[0] = std::conj(chirp_[0]);
    for (size_t k = 1; k < n; ++k) {
      b[k] = b[padded_ - k] = std::conj(chirp_[k]);
    }
    plan_.apply(b.data(), kernel_.data());
  }

  void apply(std::span<Complex> x) const {
    // Near 1 no product on the way leaves the range of double.
    double largest = 0;
    for (const Complex& z : x) {
      largest = std::fmax(largest, std::fabs(z.real()));
      largest = std::fmax(largest, std::fabs(z.imag()));
    }
    const bool is_scaled = largest > 0 && std::isfinite(largest);
    const int exponent = is_scaled ? std::ilogb(largest) : 0;
    std::vector<Complex> a(padded_);
    std::vector<Complex> other(padded_);
    for (size_t k = 0; k < x.size(); ++k) {
      a[k] = times(scaled(x[k], -exponent), chirp_[k]);
    }
    plan_.apply(a.data(), other.data());
    // The inverse is the conjugate of the transform of the conjugate.
    for (size_t k = 0; k < padded_; ++k) {
      other[k] = std::conj(times(other[k], kernel_[k]));
    }
    plan_.apply(other.data(), a.data());
    const auto scale = static_cast<double>(padded_);
    for (size_t k = 0; k < x.size(); ++k) {
      x[k] = scaled(times(std::conj(a[k]) / scale, chirp_[k]), exponent);
    }
  }

 private:
  static size_t padded(size_t n) {
    size_t length = 1;
    while (length < 2 * n) length *= 2;
    return length;
  }

  size_t padded_;
  Factored plan_;
  std::vector<Complex> chirp_;
  std::vector<Complex> kernel_;  // the transform of its conjugate
};

Transform::Transform(size_t length) : length_(length) {
  if (length <= 1) return;
  if (largest_factor(length) <= kLargestFactor) {
    factored_ = std::make_unique<const Factored>(length);
  } else {
    convolved_ = std::make_unique<const Convolved>(length);
  }
}

Transform::~Transform() = default;

void Transform::apply(std::span<Complex> x, bool inverse) const {
  if (length_ <= 1) return;
  if (inverse) conjugate(x);
  if (factored_ != nullptr) {
    const std::vector<Complex> from(x.begin(), x.end());
    factored_->apply(from.data(), x.data());
  } else {
    convolved_->apply(x);
  }
  if (inverse) conjugate(x);
}

}  // namespace hlo::cpu
