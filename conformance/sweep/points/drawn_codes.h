#pragma once

#include <cstdint>

#include "interpreter/numeric/format/float_format.h"

// Codes that a sweep draws, the same on every run.
namespace hlo::conformance {

/// Bits that look random, of a number.
uint64_t mixed(uint64_t k);
/// A code of sign and mantissa of `bits` whose exponent field is within 8 of
/// that of another code.
uint64_t beside(uint64_t code, uint64_t bits,
                const numeric::FloatFormat& format);

}  // namespace hlo::conformance
