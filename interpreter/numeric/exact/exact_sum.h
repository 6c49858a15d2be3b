#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "interpreter/numeric/exact/exact_block.h"
#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/numeric/format/rounded_value.h"

namespace hlo::numeric {

/// The exact sum of any number (up to 2^40) of doubles and of products of two
/// doubles, special values included (spec/numerics.md, sums). Positive and
/// negative terms are kept apart, so that the sum of magnitudes costs nothing.
class ExactSum {
 public:
  /// Adds one number, which may be infinite or NaN.
  void add(double term);
  /// Adds a*b without rounding it; 0*inf is NaN, inf*finite is an infinity.
  void add_product(double a, double b);
  /// Adds n terms that lie one after another; much faster than one by one.
  void add_all(const double* terms, int64_t n);
  /// Adds n products a[i]*b[i]; much faster than one by one.
  void add_products(const double* a, const double* b, int64_t n);
  /// Adds everything that `other` holds.
  void add(const ExactSum& other);
  /// Back to no term at all; cheap after few terms.
  void clear();

  /// The sum rounded once to `format`, ties to even. NaN where a term is NaN or
  /// both infinities occur. An exact zero sum of only -0 terms (at least one)
  /// is -0, any other exact zero is +0.
  Rounded round(const FloatFormat& format) const;
  /// The sum of the magnitudes of the terms in units of 2^unit, rounded upward
  /// to double.
  double magnitude(int unit = 0) const;
  /// The sums of the positive terms and of the magnitudes of the negative ones,
  /// rounded upward to double.
  double positive_sum() const;
  double negative_sum() const;
  /// The exact sum of the finite positive terms, or of the negative ones.
  ExactSum of_sign(bool negative) const;

  /// Whether no term is infinite or NaN.
  bool is_finite() const { return !nan_ && !infinity_[0] && !infinity_[1]; }

  /// Number of non-zero terms.
  int64_t terms() const { return terms_; }

  /// The sum plus (minus) `bound`, rounded outward to the next code of
  /// `format`: ends of the interval [sum - bound, sum + bound]. Beyond the
  /// largest finite code of a format without infinity: that code.
  uint64_t round_down_minus(double bound, const FloatFormat& format) const;
  uint64_t round_up_plus(double bound, const FloatFormat& format) const;

 private:
  // Digits of 32 bits in slots of 64 bits, so that 2^31 additions carry
  // nothing; the least product, 2^-2148, lies above the first digit's unit.
  static constexpr int kDigits = 136;
  static constexpr int kLowest = -2176;  // exponent of the first digit's unit
  // Single digits may be negative.
  using Digits = std::array<int64_t, kDigits>;

  void add_normal(uint64_t bits);
  void add_other(uint64_t bits);
  void add_long_product(double a, double b);
  void add_special(bool nan, bool negative);
  void deposit(uint64_t significand, int exponent, size_t negative,
               int64_t factor = 1);
  void deposit(double value, size_t negative);
  void add(TermBlock& block);
  void carry();
  Rounded round_outward(double bound, int direction,
                        const FloatFormat& format) const;

  std::array<Digits, 2> digits_{};  // of the positive, of the negative terms
  int first_ = kDigits;             // every digit outside [first_, last_] is 0
  int last_ = -1;
  int64_t pending_ = 0;  // deposits since the last carry
  int64_t terms_ = 0;
  bool nan_ = false;
  std::array<bool, 2> infinity_{};
  bool any_negative_zero_ = false;
  bool any_positive_zero_ = false;
};

}  // namespace hlo::numeric
