#pragma once

#include <span>
#include <utility>

#include "conformance/sets/value_set.h"

namespace hlo::conformance {

/// The sum of anything out of the sets: every value of the type where it may
/// leave the type, or 64 bits with a sign.
ValueSet integer_sum(std::span<const ValueSet> terms, ElementType type);
/// What the product of integers out of the sets may be.
ValueSet integer_product(std::span<const ValueSet> factors, ElementType type);
/// What a sum of products of two may be, whose factors have type `operand`.
ValueSet integer_dot(std::span<const std::pair<ValueSet, ValueSet>> products,
                     ElementType operand, ElementType type);

}  // namespace hlo::conformance
