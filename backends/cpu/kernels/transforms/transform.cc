#include "backends/cpu/kernels/transforms/transform.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace hlo::cpu {
namespace {

size_t largest_factor(size_t n) {
  size_t largest = 1;
  for (size_t p = 2; p * p <= n; ++p) {
    for (; n % p == 0; n /= p) largest = p;
  }
  return std::max(largest, n);
}

ComplexParts parts_at(double* first, size_t count) {
  return {first, first + count};
}

/// Both numbers are finite.
void multiply(double& re, double& im, double by_re, double by_im) {
  const double product = re * by_re - im * by_im;
  im = re * by_im + im * by_re;
  re = product;
}

}  // namespace

/// Bluestein: k t = (k^2 + t^2 - (k - t)^2) / 2 makes a convolution of the
/// transform, whose length may be a power of two.
class Transform::Convolved {
 public:
  explicit Convolved(size_t n)
      : length_(n), padded_(padded(n)), plan_(padded_), kernel_(2 * padded_) {
    const Roots all(2 * n);
    for (size_t k = 0; k < n; ++k) {
      chirp_re_.push_back(all.re[k * k % (2 * n)]);
      chirp_im_.push_back(all.im[k * k % (2 * n)]);
    }
    std::vector<double> numbers(2 * padded_);
    const ComplexParts b = parts_at(numbers.data(), padded_);
    for (size_t k = 0; k < n; ++k) {
      const size_t opposite = (padded_ - k) % padded_;
      b.re[k] = b.re[opposite] = chirp_re_[k];
      b.im[k] = b.im[opposite] = -chirp_im_[k];
    }
    const ComplexParts kernel =
        plan_.apply(b, parts_at(kernel_.data(), padded_), 1);
    if (kernel.re == b.re) kernel_ = std::move(numbers);
  }

  size_t room_numbers(size_t lines) const { return 4 * padded_ * lines; }

  ComplexParts apply(ComplexParts x, size_t lines, double* room) const {
    const size_t count = padded_ * lines;
    const ComplexParts a = parts_at(room, count);
    const ComplexParts other = parts_at(room + 2 * count, count);
    std::vector<double> scales(lines);
    for (size_t g = 0; g < lines; ++g) scales[g] = scale_of(x, lines, g);
    spread(x, lines, scales, a);
    const ComplexParts bins = plan_.apply(a, other, lines);
    for (size_t k = 0; k < padded_; ++k) {
      for (size_t i = k * lines; i < (k + 1) * lines; ++i) {
        multiply(bins.re[i], bins.im[i], kernel_[k], kernel_[padded_ + k]);
      }
    }
    // The inverse is the transform of numbers whose parts are exchanged.
    const ComplexParts sums =
        plan_.apply({bins.im, bins.re}, bins.re == a.re ? other : a, lines);
    gather({sums.im, sums.re}, lines, scales, x);
    return x;
  }

 private:
  static size_t padded(size_t n) {
    size_t length = 1;
    while (length < 2 * n) length *= 2;
    return length;
  }

  /// The power of two near the root of the largest number. Divided by it, no
  /// number leaves the range of double on the way, as none is beyond 2^539.
  double scale_of(ComplexParts x, size_t lines, size_t g) const {
    double largest = 0;
    const auto see = [&](double number) {
      const double magnitude = std::fabs(number);
      if (magnitude > largest) largest = magnitude;
    };
    for (size_t k = 0; k < length_; ++k) {
      see(x.re[k * lines + g]);
      see(x.im[k * lines + g]);
    }
    const bool is_scaled = largest > 0 && std::isfinite(largest);
    return is_scaled ? std::ldexp(1.0, std::ilogb(largest) / 2) : 1;
  }

  /// The numbers times the chirp, and zeros behind them.
  void spread(ComplexParts x, size_t lines, const std::vector<double>& scales,
              ComplexParts a) const {
    for (size_t k = 0; k < length_; ++k) {
      for (size_t g = 0; g < lines; ++g) {
        const size_t i = k * lines + g;
        double re = x.re[i] / scales[g];
        double im = x.im[i] / scales[g];
        multiply(re, im, chirp_re_[k], chirp_im_[k]);
        a.re[i] = re;
        a.im[i] = im;
      }
    }
    const size_t rest = (padded_ - length_) * lines;
    std::fill_n(a.re + length_ * lines, rest, 0);
    std::fill_n(a.im + length_ * lines, rest, 0);
  }

  void gather(ComplexParts a, size_t lines, const std::vector<double>& scales,
              ComplexParts x) const {
    const auto scale = static_cast<double>(padded_);
    for (size_t k = 0; k < length_; ++k) {
      for (size_t g = 0; g < lines; ++g) {
        const size_t i = k * lines + g;
        double re = a.re[i] / scale;
        double im = a.im[i] / scale;
        multiply(re, im, chirp_re_[k], chirp_im_[k]);
        x.re[i] = re * scales[g];
        x.im[i] = im * scales[g];
      }
    }
  }

  size_t length_;
  size_t padded_;
  FactoredTransform plan_;
  std::vector<double> chirp_re_;
  std::vector<double> chirp_im_;
  std::vector<double> kernel_;  // the transform of its conjugate, in parts
};

Transform::Transform(size_t length) : length_(length) {
  if (length <= 1) return;
  if (largest_factor(length) <= kLargestFactor) {
    factored_ = std::make_unique<const FactoredTransform>(length);
  } else {
    convolved_ = std::make_unique<const Convolved>(length);
  }
}

Transform::~Transform() = default;

size_t Transform::room_numbers(size_t lines) const {
  return convolved_ != nullptr ? convolved_->room_numbers(lines)
                               : 2 * length_ * lines;
}

ComplexParts Transform::apply(ComplexParts x, size_t lines, bool inverse,
                              double* room) const {
  if (length_ <= 1) return x;
  // The inverse is the transform of numbers whose parts are exchanged.
  if (inverse) std::swap(x.re, x.im);
  const ComplexParts y =
      convolved_ != nullptr
          ? convolved_->apply(x, lines, room)
          : factored_->apply(x, parts_at(room, length_ * lines), lines);
  return inverse ? ComplexParts{y.im, y.re} : y;
}

}  // namespace hlo::cpu
