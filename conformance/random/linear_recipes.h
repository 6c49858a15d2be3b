#pragma once

#include <span>

#include "conformance/random/recipe.h"

namespace hlo::conformance {

/// The recipes of operations of whole arrays.
std::span<const NamedRecipe> linear_recipes();

}  // namespace hlo::conformance
