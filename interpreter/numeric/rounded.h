#pragma once

#include <cstdint>

#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/numeric/format/rounded_value.h"
#include "interpreter/numeric/special/function_names.h"

namespace hlo::numeric {

/// f(x) for x given by its bits in `format`, rounded once to nearest even in
/// the same format; special values as spec/numerics.md says. The result does
/// not depend on the host.
Rounded round_function(Function function, uint64_t x,
                       const FloatFormat& format);
/// The codes of f(x) that round_function gives for n values x, in arrays of the
/// type's storage.
void round_function_array(Function function, const void* x, void* result,
                          int64_t n, const FloatFormat& format);

/// f(x, y) for x and y given by their bits in `format`, rounded once as
/// round_function does it.
Rounded round_function2(Function2 function, uint64_t x, uint64_t y,
                        const FloatFormat& format);
/// The codes of f(x, y) that round_function2 gives for n pairs, in arrays of
/// the type's storage.
void round_function2_array(Function2 function, const void* x, const void* y,
                           void* result, int64_t n, const FloatFormat& format);

}  // namespace hlo::numeric
