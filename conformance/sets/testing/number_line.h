#pragma once

#include <gmpxx.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "conformance/sets/value_set.h"

// What tests of sets compute for themselves: the numbers of a type by the table
// of spec/types.md, and which codes lie between two exact numbers.
namespace hlo::conformance::testing {

/// 2^exponent.
mpq_class power_of_two(int64_t exponent);
/// The greatest e with 2^e <= |x|.
int64_t exponent_of(const mpq_class& x);

/// The codes of a float type but for its NaNs, in order: the one at 0 is +0,
/// that at -1 is -0 where there is one, and infinities follow the largest
/// finite numbers.
class NumberLine {
 public:
  explicit NumberLine(ElementType type);

  ElementType type() const { return type_; }

  int precision() const { return mantissa_bits_ + 1; }

  bool has_infinity() const { return infinity_ != kNone; }

  bool has_nan() const { return nan_ != kNone; }

  bool has_minus_zero() const { return minus_zero_ != kNone; }

  bool is_signed() const { return sign_ != 0; }

  /// The greatest place of a number, and its value M; that of the number which
  /// an infinity counts as lies as far above M as the number before M below.
  int64_t last() const { return static_cast<int64_t>(largest_); }

  mpq_class largest() const { return value(last()); }

  mpq_class beyond() const;
  /// The least positive number, and the least normal one.
  mpq_class least() const;
  mpq_class least_normal() const;
  int64_t place_of_normal() const;

  /// The place of the number with the other sign.
  int64_t negated(int64_t place) const;
  int64_t zero(bool negative) const;
  /// The first place of all, -inf where there is one.
  int64_t first() const;

  uint64_t code(int64_t place) const;
  /// The number at a place of a finite one.
  mpq_class value(int64_t place) const;

  /// The code of NaN; has_nan() only.
  uint64_t nan() const { return nan_; }

  /// The first place whose number is not below x, and the last one whose number
  /// is not above: last() + 1 and its like on the other side where none is. Of
  /// two zeros both are meant.
  int64_t ceil(const mpq_class& x) const;
  int64_t floor(const mpq_class& x) const;
  /// The place of the number nearest to x, which is no tie; last() + 1 where it
  /// overflows to something else. Zero has x's sign.
  int64_t nearest(const mpq_class& x) const;

  /// NaNs of all kinds: quiet ones of both signs and with another payload, and
  /// signaling ones, as far as the type has them.
  std::vector<uint64_t> quiet_nans() const;
  std::vector<uint64_t> signaling_nans() const;

 private:
  static constexpr uint64_t kNone = ~uint64_t{0};

  mpq_class magnitude(uint64_t code) const;

  ElementType type_;
  int mantissa_bits_;
  int bias_;
  uint64_t largest_;
  uint64_t infinity_;
  uint64_t nan_;
  uint64_t minus_zero_;
  uint64_t sign_;
};

/// Every float type.
std::vector<ElementType> float_types();

/// What a set should hold: the places of ranges, and NaNs.
struct Held {
  enum class Nans : uint8_t { kNone, kQuiet, kOne, kQuietAndOne };
  std::vector<Places> ranges = {};
  Nans nans = Nans::kNone;
  uint64_t nan = 0;  // the one

  static Held at(int64_t place) { return {.ranges = {{place, place}}}; }

  static Held quiet_nan() { return {.nans = Nans::kQuiet}; }

  static Held only_nan(uint64_t code) {
    return {.nans = Nans::kOne, .nan = code};
  }
};

/// Nothing where the set holds just that: around each end of a range, at both
/// zeros, the ends of the type and its NaNs; else what it holds wrongly.
std::string difference(const ValueSet& set, const Held& held,
                       const NumberLine& line);

}  // namespace hlo::conformance::testing
