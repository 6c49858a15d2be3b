#pragma once

#include <cstdint>
#include <vector>

#include "interpreter/definition/numbers/complex_number.h"
#include "interpreter/model/literal.h"

namespace hlo::definition {

/// The value of an element of a float or complex type.
Complex number_of(const Scalar& x);
/// The element of a float or complex type whose parts are those of z, each
/// rounded once; an exact zero is +0. A float has the real part.
Scalar element_of(const Complex& z, ElementType type);

/// The bits of the numbers' parts as integers with one scale: the largest
/// exponent less the smallest, and those of a significand of the type. Zeros,
/// infinities and NaN do not count.
int64_t bits_of_integers(const std::vector<Complex>& numbers, ElementType type);

}  // namespace hlo::definition
