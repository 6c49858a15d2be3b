#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "interpreter/numeric/exact/double_double.h"
#include "interpreter/numeric/format/float_format.h"

namespace hlo {

/// A product of any number of factors, in any order, in twice the working
/// precision: (hi + lo) 2^exponent, either exact or off by at most
/// 4 (roundings + 1) u^2 of it, with u = 2^-53. It neither overflows nor
/// underflows. hi is zero, infinite or NaN where the product is.
class LongProduct {
 public:
  void multiply(double factor);
  void multiply(const LongProduct& factor);

  /// The product rounded once to the format, where that is certain.
  std::optional<uint64_t> round(const numeric::FloatFormat& format) const;

 private:
  using Pair = numeric::DoubleDouble<numeric::Product::kSplit>;

  bool is_number() const;
  /// Whether it is one, if it is scaled to one.
  bool is_power_of_two() const;
  /// Makes 1/2 <= |hi| < 1.
  void scale_to_one();

  // hi stays above 2^-301, so that no part of a product underflows. A product
  // with a double errs by 3 u^2, one with a pair by 7 u^2, which counts twice;
  // those that are exact do not count. Rounding to a tie needs no more: what
  // a tie is made of has few enough bits for all products to be exact.
  Pair value_{1.0};
  int64_t exponent_ = 0;
  int64_t roundings_ = 0;
};

/// The product of finite numbers other than zero, rounded once to the format.
uint64_t round_product(std::span<const double> factors,
                       const numeric::FloatFormat& format);

}  // namespace hlo
