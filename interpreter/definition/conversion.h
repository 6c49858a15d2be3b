#pragma once

#include "interpreter/model/literal.h"

namespace hlo::definition {

/// The element in another type, as spec/ops/convert.md says; complex elements
/// to complex types only. An element of that type is itself, bit for bit.
Scalar convert(const Scalar& x, ElementType type);

}  // namespace hlo::definition
