#pragma once

#include <cmath>
#include <cstdint>
#include <optional>

#include "interpreter/numeric/exact/double_double.h"
#include "interpreter/numeric/format/float_codes.h"

namespace hlo {

/// A sum in twice the working precision: the exact sum differs from hi + lo by
/// at most `bound(terms)`. Invariant: hi + lo + (what the additions to lo lost)
/// is the exact sum; `lost` bounds the magnitudes that were added to lo.
/// Without overflow only: otherwise hi, lo or lost is not finite.
struct CompensatedSum {
  /// Whether the rounding error of the product is a double: the product is far
  /// above the subnormals, or zero.
  static bool has_exact_error(double a, double b) {
    return std::fabs(a * b) > 0x1p-900 || a == 0 || b == 0;
  }

  // -0 is the neutral element of addition.
  double hi = -0.0;
  double lo = 0.0;
  double lost = 0.0;

  void add(double term) {
    const double sum = hi + term;
    const double virtual_term = sum - hi;
    const double error = (hi - (sum - virtual_term)) + (term - virtual_term);
    hi = sum;
    lo += error;
    lost += std::fabs(error);
  }

  /// Adds a * b, if the rounding error of the product is a double and nothing
  /// overflows: see has_exact_error().
  void add_product(double a, double b) {
    const auto product = numeric::two_product<numeric::Product::kSplit>(a, b);
    add(product.hi);
    lo += product.lo;
    lost += std::fabs(product.lo);
  }

  void add(const CompensatedSum& other) {
    add(other.hi);
    lo += other.lo;
    lost += other.lost;
  }

  /// After at most `terms` additions. Each addition to lo errs by at most
  /// 2^-53 of a partial sum that `lost` bounds; 2^-20 covers the rounding of
  /// `lost` and of this product.
  double bound(int64_t terms) const {
    return static_cast<double>(terms + 2) * 0x1p-53 * lost * (1 + 0x1p-20);
  }
};

/// Codes only grow with their numbers on one side of zero: there are formats
/// in which both negative and large numbers have the code of NaN.
inline bool same_sign(double a, double b) {
  return (a > 0) == (b > 0) && (a < 0) == (b < 0);
}

/// The code of `format` nearest to a real number within `bound` of hi + lo, if
/// all such numbers (and both of their doubles) share it.
std::optional<uint64_t> round_if_certain(double hi, double lo, double bound,
                                         const numeric::FloatFormat& format);

}  // namespace hlo
