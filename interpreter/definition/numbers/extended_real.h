#pragma once

#include <compare>
#include <cstdint>
#include <memory>

#include "interpreter/definition/numbers/unbounded_integer.h"

namespace hlo::definition {

struct RationalValue;  // exact_numbers.h

/// A rational number, a zero with a sign, an infinity or NaN: operations are
/// those of IEEE 754 with unbounded precision, so that nothing is rounded. An
/// exact zero sum is +0, as rounding to nearest gives it. NaN has a sign, which
/// -x, fabs and copysign change and everything else makes +.
///
/// The functions beside it are called as those of std:: for double are, so that
/// one template says a rule for both.
class Real {
 public:
  // cppcheck-suppress noExplicitConstructor; exact
  Real(double value);
  explicit Real(const Integer& value);
  /// The number; zero becomes +0.
  explicit Real(const RationalValue& value);

  static Real zero(bool negative);
  static Real infinity(bool negative);
  static Real nan(bool negative = false);

  const RationalValue& value() const { return *value_; }

  friend bool isnan(const Real& x) { return x.kind_ == Kind::kNan; }

  friend bool isinf(const Real& x) { return x.kind_ == Kind::kInfinite; }

  friend bool isfinite(const Real& x) { return x.kind_ == Kind::kFinite; }

  friend bool signbit(const Real& x) { return x.negative_; }

  friend Real copysign(const Real& x, const Real& sign) {
    return signbit(x) == signbit(sign) ? x : -x;
  }

  friend Real operator-(const Real& x);
  friend Real operator+(const Real& x, const Real& y);
  friend Real operator*(const Real& x, const Real& y);
  friend Real operator/(const Real& x, const Real& y);
  friend std::partial_ordering operator<=>(const Real& x, const Real& y);

  friend Real operator-(const Real& x, const Real& y) { return x + -y; }

  friend bool operator==(const Real& x, const Real& y) {
    return std::is_eq(x <=> y);
  }

 private:
  enum class Kind : uint8_t { kFinite, kInfinite, kNan };

  Real(Kind kind, bool negative, RationalValue value);

  /// The number, or the zero of that sign.
  Real(const RationalValue& value, bool negative_zero);

  Kind kind_;
  bool negative_;
  std::shared_ptr<const RationalValue> value_;
};

/// Whether x is +0 or -0.
inline bool is_zero(const Real& x) { return x == 0; }

inline Real fabs(const Real& x) { return signbit(x) ? -x : x; }

inline Real abs(const Real& x) { return fabs(x); }

// To an integer: a zero keeps the sign of x, and so does an infinity.
Real floor(const Real& x);
Real ceil(const Real& x);
Real trunc(const Real& x);
/// The nearest integer, halves away from zero.
Real round(const Real& x);
/// The nearest integer, halves to the even one.
Real rint(const Real& x);

inline Real nearbyint(const Real& x) { return rint(x); }

/// The integer x, which is finite, without its fraction.
Integer integer_part(const Real& x);

/// The greatest e with 2^e <= |x|, for a finite x other than 0.
int64_t ilogb(const Real& x);
/// x 2^exponent
Real ldexp(const Real& x, int64_t exponent);

/// x - y trunc(x / y), a zero with the sign of x.
Real fmod(const Real& x, const Real& y);

}  // namespace hlo::definition
