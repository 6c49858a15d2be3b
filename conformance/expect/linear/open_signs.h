#pragma once

#include <array>

#include "interpreter/numeric/complex/complex_function.h"

namespace hlo::conformance {

/// Whether Annex G of C leaves the sign of the result's real and imaginary
/// part open at this point, an infinity or zero there: where an angle is
/// infinite or NaN (spec/numerics.md, Complex numbers).
std::array<bool, 2> open_signs(numeric::ComplexFunction function,
                               std::array<double, 2> z);

}  // namespace hlo::conformance
