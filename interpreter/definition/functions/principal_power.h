#pragma once

#include "interpreter/definition/numbers/complex_number.h"

namespace hlo::definition {

/// z^w = exp(w log z) with the principal logarithm, each part rounded to odd
/// (rounded_to_odd.h); special values are those of spec/numerics.md. The signs
/// of NaN mean nothing.
Complex pow(const Complex& z, const Complex& w);

}  // namespace hlo::definition
