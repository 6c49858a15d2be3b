#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "interpreter/model/element_type.h"

namespace hlo::cpu {

/// How the highest codes of a format are used.
enum class Top : uint8_t {
  kInfinity,
  kOneNan,
  kUnsignedZero,
  kNumbers,
  kPowersOfTwo,  // of e8m0, which has nothing else
};

/// A float type of at most 16 bits.
class NarrowFloat {
 public:
  /// std::logic_error for other types.
  explicit NarrowFloat(ElementType type);

  /// The value of a code.
  float decode(uint32_t code) const {
    return values_ != nullptr ? values_[code] : value_of(code);
  }

  /// The code that is nearest to `value`, of two the even one.
  uint32_t encode(double value) const;

 private:
  NarrowFloat(Top top, int exponent_bits, int mantissa_bits, int bias);
  static NarrowFloat without_values(ElementType type);
  /// By element type; of those with more than 8 bits nothing.
  static std::vector<std::array<float, 256>> all_values();
  float value_of(uint32_t code) const;
  uint32_t nan_code(bool negative) const;
  uint32_t overflow_code(bool negative) const;

  Top top_;
  int mantissa_bits_;
  int bias_;
  uint32_t sign_;
  uint32_t largest_;
  const float* values_ = nullptr;  // of codes of at most 8 bits
};

/// The value of a code of a float type of at most 16 bits.
float decode_narrow(uint32_t code, ElementType type);
/// The code of a float type of at most 16 bits that is nearest to `value`.
uint32_t encode_narrow(double value, ElementType type);

}  // namespace hlo::cpu
