#include "backends/cpu/arrays/narrow_float.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

namespace hlo::cpu {

namespace {

constexpr uint32_t kE8M0Nan = 0xff;

float decode_e8m0(uint32_t code) {
  if (code == kE8M0Nan) return std::numeric_limits<float>::quiet_NaN();
  return std::ldexp(1.0F, static_cast<int>(code) - 127);
}

uint32_t encode_e8m0(double value) {
  if (!(value > 0) || std::isinf(value)) return kE8M0Nan;
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);  // in [0.5, 1)
  const int code = exponent - 1 + (fraction >= 0.75 ? 1 : 0) + 127;
  if (code < 0) return 0;
  return code >= 255 ? kE8M0Nan : static_cast<uint32_t>(code);
}

uint32_t largest_code(Top top, int exponent_bits, int mantissa_bits) {
  const uint32_t sign = 1U << (exponent_bits + mantissa_bits);
  switch (top) {
    case Top::kInfinity:
      return (((1U << exponent_bits) - 1) << mantissa_bits) - 1;
    case Top::kOneNan:
      return sign - 2;
    default:
      return sign - 1;
  }
}

}  // namespace

NarrowFloat::NarrowFloat(Top top, int exponent_bits, int mantissa_bits,
                         int bias)
    : top_(top),
      mantissa_bits_(mantissa_bits),
      bias_(bias),
      sign_(1U << (exponent_bits + mantissa_bits)),
      largest_(largest_code(top, exponent_bits, mantissa_bits)) {}

NarrowFloat NarrowFloat::without_values(ElementType type) {
  using enum ElementType;
  switch (type) {
    case kF16:
      return {Top::kInfinity, 5, 10, 15};
    case kBF16:
      return {Top::kInfinity, 8, 7, 127};
    case kF8E5M2:
      return {Top::kInfinity, 5, 2, 15};
    case kF8E4M3:
      return {Top::kInfinity, 4, 3, 7};
    case kF8E3M4:
      return {Top::kInfinity, 3, 4, 3};
    case kF8E4M3FN:
      return {Top::kOneNan, 4, 3, 7};
    case kF8E4M3B11FNUZ:
      return {Top::kUnsignedZero, 4, 3, 11};
    case kF8E4M3FNUZ:
      return {Top::kUnsignedZero, 4, 3, 8};
    case kF8E5M2FNUZ:
      return {Top::kUnsignedZero, 5, 2, 16};
    case kF4E2M1FN:
      return {Top::kNumbers, 2, 1, 1};
    case kF6E2M3FN:
      return {Top::kNumbers, 2, 3, 1};
    case kF6E3M2FN:
      return {Top::kNumbers, 3, 2, 3};
    case kF8E8M0FNU:
      return {Top::kPowersOfTwo, 8, 0, 127};
    default:
      throw std::logic_error("not a narrow float type");
  }
}

std::vector<std::array<float, 256>> NarrowFloat::all_values() {
  std::vector<std::array<float, 256>> values(all_types().size());
  for (const TypeInfo& own : all_types()) {
    if (!is_float(own.type) || own.bits > 8) continue;
    for (uint32_t code = 0; code < 1U << own.bits; ++code) {
      values.at(static_cast<size_t>(own.type)).at(code) =
          without_values(own.type).value_of(code);
    }
  }
  return values;
}

NarrowFloat::NarrowFloat(ElementType type) : NarrowFloat(without_values(type)) {
  static const auto values = all_values();
  if (bits(type) <= 8) values_ = values[static_cast<size_t>(type)].data();
}

uint32_t NarrowFloat::nan_code(bool negative) const {
  const uint32_t sign = negative ? sign_ : 0;
  switch (top_) {
    case Top::kInfinity:
      return sign | (largest_ + 1) | (1U << (mantissa_bits_ - 1));
    case Top::kOneNan:
      return sign | (largest_ + 1);
    case Top::kUnsignedZero:
      return sign_;
    case Top::kNumbers:
      return negative ? 0 : sign_;
    case Top::kPowersOfTwo:
      return kE8M0Nan;
  }
  throw std::logic_error("unknown format");
}

uint32_t NarrowFloat::overflow_code(bool negative) const {
  const uint32_t sign = negative ? sign_ : 0;
  if (top_ == Top::kInfinity) return sign | (largest_ + 1);
  if (top_ == Top::kNumbers) return sign | largest_;
  return nan_code(negative);
}

float NarrowFloat::value_of(uint32_t code) const {
  if (top_ == Top::kPowersOfTwo) return decode_e8m0(code);
  const bool negative = (code & sign_) != 0;
  const uint32_t magnitude = code & (sign_ - 1);
  if (top_ == Top::kUnsignedZero && code == sign_) {
    return std::numeric_limits<float>::quiet_NaN();
  }
  if (magnitude > largest_) {
    const bool infinite = top_ == Top::kInfinity && magnitude == largest_ + 1;
    const float value = infinite ? std::numeric_limits<float>::infinity()
                                 : std::numeric_limits<float>::quiet_NaN();
    return negative ? -value : value;
  }
  const auto field = static_cast<int>(magnitude >> mantissa_bits_);
  uint32_t significand = magnitude & ((1U << mantissa_bits_) - 1);
  if (field > 0) significand += 1U << mantissa_bits_;
  const float value =
      std::ldexp(static_cast<float>(significand),
                 (field > 0 ? field : 1) - bias_ - mantissa_bits_);
  return negative ? -value : value;
}

// By integers: what the format has no digits for is cut off the double's.
uint32_t NarrowFloat::encode(double value) const {
  constexpr int kDigits = 52;
  constexpr uint64_t kOne = uint64_t{1} << kDigits;
  if (top_ == Top::kPowersOfTwo) return encode_e8m0(value);
  const bool negative = std::signbit(value);
  if (std::isnan(value)) return nan_code(negative);
  const auto bits_of_value = std::bit_cast<uint64_t>(std::fabs(value));
  // Subnormal doubles are as if they were twice the least normal one: less than
  // any format's least number.
  const int exponent = static_cast<int>(bits_of_value >> kDigits) - 1023;
  const int least = 1 - bias_;
  const int lost = kDigits - mantissa_bits_ + std::max(least - exponent, 0);
  uint64_t magnitude = 0;  // where more than all digits are lost
  if (lost <= kDigits + 1) {
    const uint64_t digits = (bits_of_value & (kOne - 1)) | kOne;
    const uint64_t half = uint64_t{1} << (lost - 1);
    const uint64_t odd = (digits >> lost) & 1;
    magnitude = (digits + half - 1 + odd) >> lost;
    magnitude += static_cast<uint64_t>(std::max(exponent - least, 0))
                 << mantissa_bits_;
  }
  if (magnitude > largest_) return overflow_code(negative);
  const bool has_sign =
      negative && (magnitude != 0 || top_ != Top::kUnsignedZero);
  return static_cast<uint32_t>(magnitude) | (has_sign ? sign_ : 0);
}

float decode_narrow(uint32_t code, ElementType type) {
  return NarrowFloat(type).decode(code);
}

uint32_t encode_narrow(double value, ElementType type) {
  return NarrowFloat(type).encode(value);
}

}  // namespace hlo::cpu
