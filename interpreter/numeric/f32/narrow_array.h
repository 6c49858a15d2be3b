#pragma once

#include <cstdint>

#include "interpreter/numeric/format/float_format.h"
#include "interpreter/numeric/special/function_names.h"

namespace hlo::numeric {

/// The codes of f(x), as round_narrow gives them, for n values of a format up
/// to f32 in arrays of the type's storage.
void round_narrow_array(Function function, const void* x, void* result,
                        int64_t n, const FloatFormat& format);
/// The codes of f(x, y), as round_narrow2 gives them, for n pairs of values of
/// a format up to f32 in arrays of the type's storage.
void round_narrow2_array(Function2 function, const void* x, const void* y,
                         void* result, int64_t n, const FloatFormat& format);

}  // namespace hlo::numeric
