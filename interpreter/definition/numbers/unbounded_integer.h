#pragma once

#include <compare>
#include <concepts>
#include <cstdint>
#include <memory>
#include <type_traits>

namespace hlo::definition {

struct WholeValue;  // exact_numbers.h

/// An integer without bounds. Operators are those of C++: quotients are
/// truncated toward zero, bits those of two's complement with the sign repeated
/// for ever, so that x >> n is floor(x / 2^n).
class Integer {
 public:
  template <std::integral T>
  // cppcheck-suppress noExplicitConstructor; exact
  Integer(T value)
      : Integer(std::is_signed_v<T> && value < T(0),
                static_cast<uint64_t>(value)) {}

  explicit Integer(WholeValue value);

  const WholeValue& value() const { return *value_; }

  // What is divided by is not 0, and 0 <= n.
  friend Integer operator-(const Integer& x);
  friend Integer operator~(const Integer& x);
  friend Integer operator+(const Integer& x, const Integer& y);
  friend Integer operator-(const Integer& x, const Integer& y);
  friend Integer operator*(const Integer& x, const Integer& y);
  friend Integer operator/(const Integer& x, const Integer& y);
  friend Integer operator%(const Integer& x, const Integer& y);
  friend Integer operator&(const Integer& x, const Integer& y);
  friend Integer operator|(const Integer& x, const Integer& y);
  friend Integer operator^(const Integer& x, const Integer& y);
  friend Integer operator<<(const Integer& x, const Integer& n);
  friend Integer operator>>(const Integer& x, const Integer& n);
  friend std::strong_ordering operator<=>(const Integer& x, const Integer& y);

  friend bool operator==(const Integer& x, const Integer& y) {
    return std::is_eq(x <=> y);
  }

 private:
  /// The number of 64 bits, less 2^64 if negative.
  Integer(bool negative, uint64_t bits);

  std::shared_ptr<const WholeValue> value_;
};

inline bool signbit(const Integer& x) { return x < 0; }

inline Integer abs(const Integer& x) { return x < 0 ? -x : x; }

/// -1, 0 or 1
inline int sign(const Integer& x) { return (x > 0) - (x < 0); }

}  // namespace hlo::definition
