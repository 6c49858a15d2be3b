#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "interpreter/numeric/exact/double_double.h"

namespace hlo {

/// A complex number whose parts are sums of two doubles.
struct PairOfParts {
  using Part = numeric::DoubleDouble<numeric::Product::kSplit>;

  Part real;
  Part imaginary;

  PairOfParts operator+(const PairOfParts& other) const {
    return {real + other.real, imaginary + other.imaginary};
  }
};

/// The roots of unity exp(-2 pi i k / order) in pairs of doubles. Both parts
/// of each are off by less than 2^-100; those of quarter turns are exact.
class PairRing {
 public:
  using Element = PairOfParts;

  explicit PairRing(int64_t order);

  int64_t order() const { return order_; }

  /// x times root k. Quarter turns are exact.
  Element times_root(const Element& x, int64_t k) const {
    if (4 * k % order_ == 0) return turned(x, 4 * k / order_);
    return product(x, root(k));
  }

  const Element& root(int64_t k) const {
    return roots_[static_cast<size_t>(k)];
  }

  static Element zero() { return {}; }

  static Element product(const Element& x, const Element& y) {
    return {x.real * y.real - x.imaginary * y.imaginary,
            x.real * y.imaginary + x.imaginary * y.real};
  }

  /// Exact, as n is a power of two.
  static Element over(const Element& x, int64_t n) {
    const double share = 1 / static_cast<double>(n);
    return {numeric::scale(x.real, share), numeric::scale(x.imaginary, share)};
  }

  static PairRing ring_of(int64_t order) { return PairRing(order); }

 private:
  static Element turned(const Element& x, int64_t quarters);

  int64_t order_;
  std::vector<Element> roots_;
};

/// How far each part of the sums may be off that transform_all() makes of
/// numbers whose moduli add up to 1.
double transform_error(std::span<const PairRing> rings);

}  // namespace hlo
