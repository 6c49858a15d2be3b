#pragma once

#include <cstdint>

#include "conformance/expect/sums/folded_terms.h"
#include "conformance/sets/component_range.h"

namespace hlo::conformance {

/// What an element of the result may be whose terms, real floats, a region
/// multiplies, in its own type, in that of the result, or in anything finer
/// (spec/conformance.md, Sums).
BoundedSet folded_product(const FoldedTerms& terms, int64_t i,
                          ElementType result);

}  // namespace hlo::conformance
