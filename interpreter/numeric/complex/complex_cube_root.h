#pragma once

#include "interpreter/numeric/complex/complex_parts.h"
#include "interpreter/numeric/format/float_format.h"

namespace hlo::numeric {

/// The principal cube root of a finite number.
RoundedComplex cube_root(Parts z, const FloatFormat& format);

}  // namespace hlo::numeric
