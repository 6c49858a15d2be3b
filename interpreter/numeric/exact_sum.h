#pragma once

#include <array>
#include <cstdint>

#include "interpreter/numeric/float_format.h"
#include "interpreter/numeric/rounded.h"

namespace hlo::numeric {

/// The exact sum of any number (up to 2^40) of doubles and of products of two
/// doubles, special values included (accuracy.md B6 to B8).
class ExactSum {
 public:
  void add(double term);
  /// Adds a*b without rounding it; 0*inf is NaN, inf*finite is an infinity.
  void add_product(double a, double b);
  void clear();

  /// The sum rounded once to `format`, ties to even. NaN where a term is NaN or
  /// both infinities occur. An exact zero sum of only -0 terms (at least one)
  /// is -0, any other exact zero is +0.
  Rounded round(const FloatFormat& format) const;
  /// The same for the sum of the magnitudes of the terms, rounded upward to
  /// double.
  double magnitude() const;

  /// Number of non-zero terms.
  int64_t terms() const { return terms_; }

  /// The sum plus (minus) `bound`, rounded outward to the next code of
  /// `format`: ends of the interval [sum - bound, sum + bound].
  uint64_t round_down_minus(double bound, const FloatFormat& format) const;
  uint64_t round_up_plus(double bound, const FloatFormat& format) const;

 private:
  // Digits of 32 bits in 64-bit slots, so that 2^31 additions carry nothing.
  static constexpr int kDigits = 136;
  void add_scaled(uint64_t mantissa, int exponent, bool negative,
                  std::array<int64_t, kDigits>& digits);
  std::array<int64_t, kDigits> sum_{};
  std::array<int64_t, kDigits> magnitude_{};
  int64_t terms_ = 0;
  int64_t pending_ = 0;
  bool nan_ = false;
  bool positive_infinity_ = false;
  bool negative_infinity_ = false;
  bool all_negative_zero_ = true;
  bool any_term_ = false;
};

}  // namespace hlo::numeric
