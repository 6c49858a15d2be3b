#pragma once

#include <span>

#include "conformance/certify/rules/application.h"

namespace hlo::conformance {

/// What an addition of floats in any order may give, each term being anything
/// out of its set.
ValueSet float_sum(std::span<const ValueSet> terms, ElementType operand,
                   ElementType type, const Profile& profile);

/// Sums of products of floats, or of integers.
SetTree certify_contraction(const Application& a);

}  // namespace hlo::conformance
