#pragma once

#include "interpreter/numeric/complex_parts.h"
#include "interpreter/numeric/formats.h"

namespace hlo::numeric {

/// The principal cube root of a finite number.
RoundedComplex cube_root(Parts z, const FloatFormat& format);

}  // namespace hlo::numeric
