#pragma once

#include <bit>
#include <cstdint>

#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/numeric/format/rounded_value.h"

namespace hlo::numeric {

/// A real number: (-1)^negative * significand * 2^exponent, where `sticky`
/// says that it is larger in magnitude by less than one unit of the
/// significand. Zero only if significand is 0 and sticky is not set.
struct Scaled {
  uint64_t significand = 0;
  int64_t exponent = 0;
  bool sticky = false;
  bool negative = false;
};

/// The number rounded once to nearest, ties to even, as encode() does it. A
/// sticky number needs a significand of at least 2^62.
Rounded round_scaled(const Scaled& number, const FloatFormat& format);
/// The value as sign, significand and exponent; finite values only.
Scaled split(double value);

/// a + b rounded to odd: another rounding to at most 51 bits of it rounds the
/// exact sum. No overflow.
inline double add_to_odd(double a, double b) {
  const double sum = a + b;
  const double b_part = sum - a;
  const double error = (a - (sum - b_part)) + (b - b_part);
  auto bits = std::bit_cast<uint64_t>(sum);
  if (error == 0 || (bits & 1) != 0) return sum;
  bits = (error > 0) == (sum > 0) ? bits + 1 : bits - 1;
  return std::bit_cast<double>(bits);
}

}  // namespace hlo::numeric
