#pragma once

#include <vector>

#include "interpreter/definition/numbers/extended_real.h"
#include "interpreter/model/literal.h"

namespace hlo::definition {

/// The value of an element of a float type.
Real number(const Scalar& x);
/// The element of a float type that is nearest to x; an exact zero is +0.
Scalar element(const Real& x, ElementType type);

/// The values of an array of floats, in row-major order.
std::vector<Real> numbers(const Literal& array);
/// The vector of floats that are nearest to these numbers.
Literal vector_of(const std::vector<Real>& numbers, const Shape& shape);

/// For each index along `dimension` the values of an array of floats that have
/// it, in row-major order.
std::vector<std::vector<Real>> features(const Literal& array,
                                        int64_t dimension);

}  // namespace hlo::definition
