#pragma once

#include <span>

#include "conformance/random/recipe.h"

namespace hlo::conformance {

/// The recipes of element-wise operations whose operands are not all of one
/// shape and type.
std::span<const NamedRecipe> elementwise_recipes();

}  // namespace hlo::conformance
