#pragma once

#include "interpreter/definition/numbers/extended_real.h"
#include "interpreter/model/literal.h"

namespace hlo::definition {

/// The element in another type, as spec/ops/convert.md says; complex elements
/// to complex types only. An element of that type is itself, bit for bit.
Scalar convert(const Scalar& x, ElementType type);
/// The number in a type that is not complex: rounded once to a float type,
/// truncated to an integer and limited to the type's range.
Scalar convert(const Real& x, ElementType type);

}  // namespace hlo::definition
