#pragma once

#include <span>
#include <string>
#include <vector>

#include "conformance/random/recipe.h"

namespace hlo::conformance {

/// A computation of two scalars of the type, with up to five instructions.
std::string write_reducer(ProgramWriter& writer, ElementType type);
/// A computation of n values of one shape.
std::string write_body(ProgramWriter& writer, const Shape& shape, int64_t n);
/// A computation that compares the first two of its scalars.
std::string write_comparator(ProgramWriter& writer,
                             const std::vector<ElementType>& types);

/// A window over an array of these dimensions: "{size=2x2 stride=1x2}".
std::string write_window(ProgramWriter& writer, const Ints& dims);

/// The recipes of operations that apply a region to elements.
std::span<const NamedRecipe> region_recipes();

}  // namespace hlo::conformance
