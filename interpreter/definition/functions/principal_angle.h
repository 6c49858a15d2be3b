#pragma once

#include "interpreter/definition/numbers/complex_number.h"

namespace hlo::definition {

/// -i log((x + iy) / sqrt(x^2 + y^2)) with the principal logarithm and root,
/// each part rounded to odd (rounded_to_odd.h); special values and cuts are
/// those of spec/ops/atan2.md.
Complex atan2(const Complex& y, const Complex& x);

}  // namespace hlo::definition
