#pragma once

#include <span>

#include "conformance/random/recipe.h"

namespace hlo::conformance {

/// The recipes of control flow.
std::span<const NamedRecipe> control_recipes();

}  // namespace hlo::conformance
