#pragma once

#include "interpreter/numeric/complex/complex_parts.h"
#include "interpreter/numeric/format/float_format.h"

namespace hlo::numeric {

/// x^y; finite numbers, x not 0.
RoundedComplex power(Parts x, Parts y, const FloatFormat& format);

}  // namespace hlo::numeric
