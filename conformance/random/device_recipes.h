#pragma once

#include <span>

#include "conformance/random/recipe.h"

namespace hlo::conformance {

/// The recipes of operations between devices.
std::span<const NamedRecipe> device_recipes();

}  // namespace hlo::conformance
