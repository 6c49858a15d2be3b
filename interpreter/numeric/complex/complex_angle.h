#pragma once

#include "interpreter/numeric/complex/complex_parts.h"
#include "interpreter/numeric/format/float_format.h"

namespace hlo::numeric {

/// -i log((x + iy) / sqrt(x^2 + y^2)); finite numbers, x^2 + y^2 not 0.
RoundedComplex complex_angle(Parts y, Parts x, const FloatFormat& format);

}  // namespace hlo::numeric
