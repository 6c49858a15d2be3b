#include "backends/cpu/kernels/transforms/factored_transform.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <tuple>
#include <utility>

#include "backends/cpu/kernels/transforms/transform_pass.h"

namespace hlo::cpu {
namespace {

/// exp(-2 pi i k / n)
std::pair<double, double> root(size_t k, size_t n) {
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

/// Fours first, which take the fewest operations, then primes.
std::vector<size_t> factors_of(size_t n) {
  std::vector<size_t> factors;
  for (; n % 4 == 0; n /= 4) factors.push_back(4);
  for (size_t p = 2; n > 1; ++p) {
    for (; n % p == 0; n /= p) factors.push_back(p);
  }
  return factors;
}

}  // namespace

Roots::Roots(size_t n) : re(n), im(n) {
  for (size_t k = 0; k < n; ++k) std::tie(re[k], im[k]) = root(k, n);
}

FactoredTransform::FactoredTransform(size_t length)
    : length_(length), roots_(length), factors_(factors_of(length)) {}

ComplexParts FactoredTransform::apply(ComplexParts x, ComplexParts room,
                                      size_t lines) const {
  ComplexParts from = x;
  ComplexParts to = room;
  size_t left = length_;
  for (const size_t factor : factors_) {
    left /= factor;
    const size_t done = length_ / left / factor;
    transform_pass({.factor = factor,
                    .parts = left,
                    .beside = done * lines,
                    .re = roots_.re.data(),
                    .im = roots_.im.data(),
                    .length = length_,
                    .from = from,
                    .to = to});
    std::swap(from, to);
  }
  return from;
}

}  // namespace hlo::cpu
