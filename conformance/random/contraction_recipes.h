#pragma once

#include <span>

#include "conformance/random/recipe.h"

namespace hlo::conformance {

/// The recipes of sums of products.
std::span<const NamedRecipe> contraction_recipes();

}  // namespace hlo::conformance
