#include "interpreter/numeric/format/float_format.h"

#include <array>
#include <cstddef>
#include <stdexcept>

namespace hlo::numeric {
namespace {

using enum ElementType;
using enum Specials;

// In the order of ElementType, from kF16 on.
constexpr std::array<FloatFormat, 15> kFormats = {{
    {kF16, 5, 10, 15, kIeee},
    {kBF16, 8, 7, 127, kIeee},
    {kF32, 8, 23, 127, kIeee},
    {kF64, 11, 52, 1023, kIeee},
    {kF8E5M2, 5, 2, 15, kIeee},
    {kF8E4M3, 4, 3, 7, kIeee},
    {kF8E3M4, 3, 4, 3, kIeee},
    {kF8E4M3FN, 4, 3, 7, kFn},
    {kF8E4M3B11FNUZ, 4, 3, 11, kFnuz},
    {kF8E4M3FNUZ, 4, 3, 8, kFnuz},
    {kF8E5M2FNUZ, 5, 2, 16, kFnuz},
    {kF8E8M0FNU, 8, 0, 127, kE8M0},
    {kF4E2M1FN, 2, 1, 1, kFinite},
    {kF6E2M3FN, 2, 3, 1, kFinite},
    {kF6E3M2FN, 3, 2, 3, kFinite},
}};

constexpr uint64_t ones(int count) {
  return count == 64 ? ~uint64_t{0} : (uint64_t{1} << count) - 1;
}

uint64_t magnitude(uint64_t bits, const FloatFormat& format) {
  return bits & ~format.sign_mask();
}

}  // namespace

int FloatFormat::max_exponent() const {
  const int top = (1 << exponent_bits) - 1;
  return (specials == kIeee || specials == kE8M0 ? top - 1 : top) - bias;
}

uint64_t FloatFormat::sign_mask() const {
  return specials == kE8M0 ? 0 : uint64_t{1} << (width() - 1);
}

uint64_t FloatFormat::quiet_nan() const {
  switch (specials) {
    case kIeee:
      return infinity() | (uint64_t{1} << (mantissa_bits - 1));
    case kFn:
    case kE8M0:
      return ones(exponent_bits + mantissa_bits);
    case kFnuz:
      return sign_mask();
    case kFinite:
      break;
  }
  throw std::logic_error("the format has no NaN");
}

uint64_t FloatFormat::infinity() const {
  if (!has_infinity()) throw std::logic_error("the format has no infinity");
  return ones(exponent_bits) << mantissa_bits;
}

uint64_t FloatFormat::max_finite() const {
  if (specials == kIeee) return infinity() - 1;
  const uint64_t top = ones(exponent_bits + mantissa_bits);
  return specials == kFn || specials == kE8M0 ? top - 1 : top;
}

const FloatFormat& format(ElementType type) {
  const size_t row = static_cast<size_t>(type) - static_cast<size_t>(kF16);
  if (row >= kFormats.size()) throw std::logic_error("not a float type");
  return kFormats[row];
}

bool is_nan(uint64_t bits, const FloatFormat& format) {
  switch (format.specials) {
    case kIeee:
      return magnitude(bits, format) > format.infinity();
    case kFn:
    case kE8M0:
      return magnitude(bits, format) == format.quiet_nan();
    case kFnuz:
      return bits == format.quiet_nan();
    case kFinite:
      break;
  }
  return false;
}

bool is_infinity(uint64_t bits, const FloatFormat& format) {
  return format.has_infinity() && magnitude(bits, format) == format.infinity();
}

bool is_signaling_nan(uint64_t bits, const FloatFormat& format) {
  if (format.specials != kIeee || !is_nan(bits, format)) return false;
  return (bits >> (format.mantissa_bits - 1) & 1) == 0;
}

bool sign_bit(uint64_t bits, const FloatFormat& format) {
  // The FNUZ NaN is the sign bit alone; its sign is not one.
  if (format.specials == kFnuz && bits == format.sign_mask()) return false;
  return (bits & format.sign_mask()) != 0;
}

uint64_t nan_code(bool negative, const FloatFormat& format) {
  // A format without NaN takes minus zero for it; the sign flips that too.
  if (!format.has_nan()) return negative ? 0 : format.sign_mask();
  if (!negative || !format.has_negative_zero()) return format.quiet_nan();
  return format.quiet_nan() | format.sign_mask();
}

uint64_t zero_code(bool negative, const FloatFormat& format) {
  if (format.specials == Specials::kE8M0) return format.quiet_nan();
  return negative && format.has_negative_zero() ? format.sign_mask() : 0;
}

Rounded overflow(bool negative, const FloatFormat& format) {
  const uint64_t sign = negative ? format.sign_mask() : 0;
  if (format.has_infinity())
    return {format.infinity() | sign, negative ? 1 : -1};
  if (format.has_nan()) return {nan_code(negative, format), 0};
  return {format.max_finite() | sign, negative ? -1 : 1};
}

int64_t ordinal(uint64_t bits, const FloatFormat& format) {
  const auto steps = static_cast<int64_t>(magnitude(bits, format));
  return sign_bit(bits, format) ? -steps : steps;
}

std::optional<uint64_t> from_ordinal(int64_t ordinal,
                                     const FloatFormat& format) {
  const uint64_t top =
      format.has_infinity() ? format.infinity() : format.max_finite();
  const uint64_t steps = ordinal < 0 ? -static_cast<uint64_t>(ordinal)
                                     : static_cast<uint64_t>(ordinal);
  if (steps > top) return std::nullopt;
  if (ordinal >= 0) return steps;
  if (format.specials == kE8M0) return std::nullopt;
  return steps | format.sign_mask();
}

int64_t total_order(uint64_t bits, const FloatFormat& format) {
  const auto code = static_cast<int64_t>(bits);
  if (format.specials == Specials::kE8M0) return code;
  const uint64_t sign = uint64_t{1} << (format.width() - 1);
  if ((bits & sign) == 0) return code;
  const auto magnitude = static_cast<int64_t>(bits & ~sign);
  // Without -0 the codes lie one lower; the one NaN is the lowest.
  if (format.specials != Specials::kFnuz) return ~magnitude;
  return magnitude == 0 ? -static_cast<int64_t>(sign) : -magnitude;
}

}  // namespace hlo::numeric
