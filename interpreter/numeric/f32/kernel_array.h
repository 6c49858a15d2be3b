#pragma once

#include <cstdint>

#include "interpreter/numeric/format/float_format.h"
#include "interpreter/numeric/special/function_names.h"

namespace hlo::numeric {

/// round_narrow of each code, for formats up to f32 in storage of type Code
/// (uint8_t, uint16_t or uint32_t): kernels in double, a rounding test, and
/// round_narrow itself for what is left open. No overlap.
template <typename Code>
void round_by_kernel(Function function, const Code* x, Code* result, int64_t n,
                     const FloatFormat& format);
/// round_narrow2 of each pair of codes, by a kernel in double where there is
/// one. No overlap.
template <typename Code>
void round_by_kernel(Function2 function, const Code* x, const Code* y,
                     Code* result, int64_t n, const FloatFormat& format);

}  // namespace hlo::numeric
