#pragma once

#include <span>

#include "conformance/sets/value_set.h"

namespace hlo::conformance {

/// What the product of floats of a type may be, each being anything out of its
/// set, in any order and by any tree.
ValueSet float_product(std::span<const ValueSet> factors, ElementType type);

}  // namespace hlo::conformance
