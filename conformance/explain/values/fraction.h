#pragma once

#include <gmp.h>

#include <cstdint>
#include <string>

#include "interpreter/numeric/rounded.h"

namespace hlo::conformance {

/// A rational number, without any rounding.
class Fraction {
 public:
  Fraction() { mpq_init(value_); }

  /// A finite number.
  explicit Fraction(double value);
  static Fraction of(int64_t value);
  static Fraction of(uint64_t value);
  static Fraction power_of_two(int64_t exponent);

  ~Fraction() { mpq_clear(value_); }

  Fraction(const Fraction& other) : Fraction() {
    mpq_set(value_, other.value_);
  }

  Fraction(Fraction&& other) noexcept : Fraction() {
    mpq_swap(value_, other.value_);
  }

  Fraction& operator=(Fraction other) noexcept {
    mpq_swap(value_, other.value_);
    return *this;
  }

  mpq_ptr get() { return value_; }

  mpq_srcptr get() const { return value_; }

  int sign() const { return mpq_sgn(value_); }

  /// The integer nearest to it on the side of zero.
  Fraction truncated() const;

  friend Fraction operator+(const Fraction& a, const Fraction& b);
  friend Fraction operator-(const Fraction& a, const Fraction& b);
  friend Fraction operator*(const Fraction& a, const Fraction& b);
  /// b is not zero.
  friend Fraction operator/(const Fraction& a, const Fraction& b);

  friend bool operator==(const Fraction& a, const Fraction& b) {
    return mpq_equal(a.value_, b.value_) != 0;
  }

  friend bool operator<(const Fraction& a, const Fraction& b) {
    return mpq_cmp(a.value_, b.value_) < 0;
  }

  /// Rounded once to nearest even, as numeric::encode() does it.
  numeric::Rounded round(const numeric::FloatFormat& format) const;

 private:
  mpq_t value_;
};

/// A decimal of at most `digits` digits, cut off toward zero: "0.333..." where
/// that is not the whole number.
std::string to_decimal(const Fraction& value, int digits);
/// The number as a decimal where 40 digits hold it, else as a quotient of
/// integers or a multiple of a power of two, whichever is short, beside its
/// first digits: "1/3 = 0.333...".
std::string to_text(const Fraction& value);
/// The first digits that all numbers between the two share: "0.2368828...".
std::string shared_digits(const Fraction& low, const Fraction& high);

}  // namespace hlo::conformance
