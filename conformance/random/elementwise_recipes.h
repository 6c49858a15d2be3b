#pragma once

#include <span>

#include "conformance/random/recipe.h"

namespace hlo::conformance {

/// Writes any element-wise operation: operands of one shape, as its signature
/// says.
void write_elementwise(ProgramWriter& writer, const Op& op);

/// The recipes of element-wise operations beside write_elementwise().
std::span<const NamedRecipe> elementwise_recipes();

}  // namespace hlo::conformance
