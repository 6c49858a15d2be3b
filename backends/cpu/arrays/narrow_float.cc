#include "backends/cpu/arrays/narrow_float.h"

#include <cmath>
#include <limits>
#include <stdexcept>

namespace hlo::cpu {
namespace {

// How the highest codes of a format are used.
enum class Top : uint8_t { kInfinity, kOneNan, kUnsignedZero, kNumbers };

struct Narrow {
  int exponent_bits;
  int mantissa_bits;
  int bias;
  Top top;

  uint32_t sign() const { return 1U << (exponent_bits + mantissa_bits); }

  uint32_t largest() const {
    switch (top) {
      case Top::kInfinity:
        return (((1U << exponent_bits) - 1) << mantissa_bits) - 1;
      case Top::kOneNan:
        return sign() - 2;
      default:
        return sign() - 1;
    }
  }
};

Narrow narrow(ElementType type) {
  using enum ElementType;
  switch (type) {
    case kF16:
      return {5, 10, 15, Top::kInfinity};
    case kBF16:
      return {8, 7, 127, Top::kInfinity};
    case kF8E5M2:
      return {5, 2, 15, Top::kInfinity};
    case kF8E4M3:
      return {4, 3, 7, Top::kInfinity};
    case kF8E3M4:
      return {3, 4, 3, Top::kInfinity};
    case kF8E4M3FN:
      return {4, 3, 7, Top::kOneNan};
    case kF8E4M3B11FNUZ:
      return {4, 3, 11, Top::kUnsignedZero};
    case kF8E4M3FNUZ:
      return {4, 3, 8, Top::kUnsignedZero};
    case kF8E5M2FNUZ:
      return {5, 2, 16, Top::kUnsignedZero};
    case kF4E2M1FN:
      return {2, 1, 1, Top::kNumbers};
    case kF6E2M3FN:
      return {2, 3, 1, Top::kNumbers};
    case kF6E3M2FN:
      return {3, 2, 3, Top::kNumbers};
    default:
      throw std::logic_error("not a narrow float type");
  }
}

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

uint32_t nan_code(const Narrow& f, bool negative) {
  const uint32_t sign = negative ? f.sign() : 0;
  switch (f.top) {
    case Top::kInfinity:
      return sign | (f.largest() + 1) | (1U << (f.mantissa_bits - 1));
    case Top::kOneNan:
      return sign | (f.largest() + 1);
    case Top::kUnsignedZero:
      return f.sign();
    case Top::kNumbers:
      return negative ? 0 : f.sign();
  }
  throw std::logic_error("unknown format");
}

uint32_t overflow_code(const Narrow& f, bool negative) {
  const uint32_t sign = negative ? f.sign() : 0;
  if (f.top == Top::kInfinity) return sign | (f.largest() + 1);
  if (f.top == Top::kNumbers) return sign | f.largest();
  return nan_code(f, negative);
}

}  // namespace

float decode_narrow(uint32_t code, ElementType type) {
  if (type == ElementType::kF8E8M0FNU) return decode_e8m0(code);
  const Narrow f = narrow(type);
  const bool negative = (code & f.sign()) != 0;
  const uint32_t magnitude = code & (f.sign() - 1);
  if (f.top == Top::kUnsignedZero && code == f.sign()) {
    return std::numeric_limits<float>::quiet_NaN();
  }
  if (magnitude > f.largest()) {
    const bool infinite =
        f.top == Top::kInfinity && magnitude == f.largest() + 1;
    const float value = infinite ? std::numeric_limits<float>::infinity()
                                 : std::numeric_limits<float>::quiet_NaN();
    return negative ? -value : value;
  }
  const auto field = static_cast<int>(magnitude >> f.mantissa_bits);
  uint32_t significand = magnitude & ((1U << f.mantissa_bits) - 1);
  if (field > 0) significand += 1U << f.mantissa_bits;
  const float value =
      std::ldexp(static_cast<float>(significand),
                 (field > 0 ? field : 1) - f.bias - f.mantissa_bits);
  return negative ? -value : value;
}

uint32_t encode_narrow(double value, ElementType type) {
  if (type == ElementType::kF8E8M0FNU) return encode_e8m0(value);
  const Narrow f = narrow(type);
  const bool negative = std::signbit(value);
  if (std::isnan(value)) return nan_code(f, negative);
  if (std::isinf(value)) return overflow_code(f, negative);
  if (value == 0) return negative && f.top != Top::kUnsignedZero ? f.sign() : 0;
  int exponent = 0;
  std::frexp(value, &exponent);
  const int smallest = 1 - f.bias;
  const int unit = std::max(exponent - 1, smallest) - f.mantissa_bits;
  // Exact but for the rounding to an integer, which goes to even.
  const double steps = std::nearbyint(std::ldexp(std::fabs(value), -unit));
  const double whole =
      steps + std::ldexp(unit + f.mantissa_bits - smallest, f.mantissa_bits);
  if (whole > f.largest()) return overflow_code(f, negative);
  const auto magnitude = static_cast<uint32_t>(whole);
  if (magnitude == 0 && f.top == Top::kUnsignedZero) return 0;
  return magnitude | (negative ? f.sign() : 0);
}

}  // namespace hlo::cpu
