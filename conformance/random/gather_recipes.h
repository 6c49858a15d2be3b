#pragma once

#include <span>

#include "conformance/random/recipe.h"

namespace hlo::conformance {

/// The recipes of gathers, scatters and slices at run time.
std::span<const NamedRecipe> gather_recipes();

}  // namespace hlo::conformance
