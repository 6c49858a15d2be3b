#include "interpreter/numeric/format/rounding.h"

#include <bit>

namespace hlo::numeric {
namespace {

struct Magnitude {
  uint64_t code;
  int side;  // of the number, seen from the code
};

// significand * 2^exponent with its top bit set; the code may exceed the
// largest finite one by one.
Magnitude round_magnitude(uint64_t significand, int exponent, bool sticky,
                          const FloatFormat& format) {
  const int top = exponent + 63;
  const int least = format.min_exponent();
  const int shift = 63 - format.mantissa_bits + (top < least ? least - top : 0);
  const uint64_t half = shift > 64 ? 0 : uint64_t{1} << (shift - 1);
  uint64_t kept = shift > 63 ? 0 : significand >> shift;
  const uint64_t rest =
      shift > 63 ? significand : significand & ((half << 1) - 1);
  const bool tie = rest == half && !sticky && shift <= 64;
  const bool up = shift <= 64 && (tie ? (kept & 1) != 0 : rest >= half);
  const int side = rest == 0 && !sticky ? 0 : (up ? -1 : 1);
  kept += up ? 1 : 0;
  if (top > least) {
    kept += static_cast<uint64_t>(top - least) << format.mantissa_bits;
  }
  return {kept, side};
}

Rounded round_e8m0(const Scaled& number, const FloatFormat& format) {
  const int64_t top =
      number.exponent + 63 - std::countl_zero(number.significand);
  if (number.negative) return {format.quiet_nan(), 0};
  if (top < format.min_exponent()) return {0, -1};
  const uint64_t rest = number.significand
                        << (std::countl_zero(number.significand)) << 1;
  const bool up = rest >= uint64_t{1} << 63;
  const int64_t code = top - format.min_exponent() + (up ? 1 : 0);
  if (code > static_cast<int64_t>(format.max_finite())) {
    return {format.quiet_nan(), 0};
  }
  const bool exact = rest == 0 && !number.sticky;
  return {static_cast<uint64_t>(code), exact ? 0 : (up ? -1 : 1)};
}

}  // namespace

Rounded round_scaled(const Scaled& number, const FloatFormat& format) {
  if (number.significand == 0) return {zero_code(number.negative, format), 0};
  if (format.specials == Specials::kE8M0) return round_e8m0(number, format);
  const int up = std::countl_zero(number.significand);
  const int64_t top = number.exponent - up + 63;
  if (top > format.max_exponent()) return overflow(number.negative, format);
  const int sign = number.negative ? -1 : 1;
  if (top < format.min_exponent() - format.mantissa_bits - 2) {
    return {zero_code(number.negative, format), sign};
  }
  const auto [code, side] =
      round_magnitude(number.significand << up, static_cast<int>(top - 63),
                      number.sticky, format);
  if (code > format.max_finite()) return overflow(number.negative, format);
  if (code == 0) return {zero_code(number.negative, format), side * sign};
  return {number.negative ? code | format.sign_mask() : code, side * sign};
}

Scaled split(double value) {
  constexpr int kMantissa = 52;
  const auto bits = std::bit_cast<uint64_t>(value);
  const int field = static_cast<int>(bits >> kMantissa & 0x7ff);
  const uint64_t mantissa = bits & ((uint64_t{1} << kMantissa) - 1);
  const uint64_t hidden = field == 0 ? 0 : uint64_t{1} << kMantissa;
  return {mantissa | hidden, (field == 0 ? 1 : field) - 1075, false,
          bits >> 63 != 0};
}

}  // namespace hlo::numeric
