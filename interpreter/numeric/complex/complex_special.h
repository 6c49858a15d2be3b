#pragma once

#include <optional>

#include "interpreter/numeric/complex/complex_function.h"
#include "interpreter/numeric/complex/complex_parts.h"
#include "interpreter/numeric/format/float_format.h"

namespace hlo::numeric {

/// The function's value where a part is infinite or NaN, or a divisor is 0;
/// nothing where the function of finite numbers is to be used.
std::optional<RoundedComplex> special(ComplexFunction function, Parts z,
                                      const FloatFormat& format);
/// The value of a function of two numbers where a part is infinite or NaN, or a
/// divisor is 0; nothing where the function of finite numbers is to be used.
std::optional<RoundedComplex> special2(ComplexFunction2 function, Parts x,
                                       Parts y, const FloatFormat& format);

}  // namespace hlo::numeric
