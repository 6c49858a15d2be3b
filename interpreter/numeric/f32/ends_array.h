#pragma once

#include <cstdint>

#include "interpreter/numeric/format/float_format.h"
#include "interpreter/numeric/special/function_names.h"

namespace hlo::numeric {

/// round_narrow of each code by the ends of its values, for formats up to f32
/// in storage of type Code (uint8_t, uint16_t or uint32_t); round_narrow
/// itself where they round to two codes. No overlap.
template <typename Code>
void round_by_ends(Function function, const Code* x, Code* result, int64_t n,
                   const FloatFormat& format);

}  // namespace hlo::numeric
