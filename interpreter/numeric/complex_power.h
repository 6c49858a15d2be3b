#pragma once

#include "interpreter/numeric/complex_parts.h"
#include "interpreter/numeric/formats.h"

namespace hlo::numeric {

/// x^y; finite numbers, x not 0.
RoundedComplex power(Parts x, Parts y, const FloatFormat& format);

}  // namespace hlo::numeric
