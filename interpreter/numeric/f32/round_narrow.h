#pragma once

#include <cstdint>

#include "interpreter/numeric/format/float_format.h"
#include "interpreter/numeric/format/rounded_value.h"
#include "interpreter/numeric/special/function_names.h"

// Correctly rounded functions of single codes of formats up to f32: a kernel in
// double and the rounding test, MPFR where that leaves the result open.
namespace hlo::numeric {

/// f(x) for x given by its bits in `format`, which is narrower than f64,
/// rounded once to the same format.
Rounded round_narrow(Function function, uint64_t x, const FloatFormat& format);
/// f(x, y) for x and y given by their bits in `format`, which is narrower than
/// f64, rounded once to the same format.
Rounded round_narrow2(Function2 function, uint64_t x, uint64_t y,
                      const FloatFormat& format);

}  // namespace hlo::numeric
