#pragma once

#include <cstdint>

#include "interpreter/model/element_type.h"

namespace hlo::cpu {

/// The value of a code of a float type of at most 16 bits.
float decode_narrow(uint32_t code, ElementType type);
/// The code of a float type of at most 16 bits that is nearest to `value`.
uint32_t encode_narrow(double value, ElementType type);

}  // namespace hlo::cpu
