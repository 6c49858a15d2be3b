#pragma once

#include <cstdint>

#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/numeric/format/rounded_value.h"

namespace hlo::numeric {

/// A complex number: the codes of its parts in the component's format.
struct ComplexBits {
  uint64_t re = 0;
  uint64_t im = 0;
};

/// A complex number whose parts are rounded, each for itself.
struct RoundedComplex {
  Rounded re;
  Rounded im;

  ComplexBits bits() const { return {re.bits, im.bits}; }
};

/// The exact result that is a value of the format.
inline Rounded exactly(double value, const FloatFormat& format) {
  return {encode(value, format), 0};
}

/// The number, or where `negative` its negative.
inline Rounded with_sign(Rounded magnitude, bool negative,
                         const FloatFormat& format) {
  if (!negative) return magnitude;
  return {magnitude.bits ^ format.sign_mask(), -magnitude.side};
}

/// The exact values of a complex number's parts.
struct Parts {
  double re = 0;
  double im = 0;

  friend bool operator==(const Parts&, const Parts&) = default;
};

}  // namespace hlo::numeric
