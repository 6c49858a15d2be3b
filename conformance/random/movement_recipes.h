#pragma once

#include <span>

#include "conformance/random/recipe.h"

namespace hlo::conformance {

/// The recipes of operations that move data.
std::span<const NamedRecipe> movement_recipes();

}  // namespace hlo::conformance
