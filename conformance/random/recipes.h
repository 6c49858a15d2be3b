#pragma once

#include <span>
#include <string>
#include <string_view>

#include "conformance/random/writer.h"
#include "interpreter/op.h"

// How random instructions of each operation are written. What a recipe writes
// need not be valid: the verifier decides.

namespace hlo::conformance {

using Recipe = void (*)(ProgramWriter&, const Op&);

struct NamedRecipe {
  std::string_view op;
  Recipe recipe;
};

/// Any element-wise operation: operands of one shape, as its signature says.
void write_elementwise(ProgramWriter& writer, const Op& op);

std::span<const NamedRecipe> elementwise_recipes();
std::span<const NamedRecipe> movement_recipes();
std::span<const NamedRecipe> gather_recipes();
std::span<const NamedRecipe> region_recipes();
std::span<const NamedRecipe> contraction_recipes();
std::span<const NamedRecipe> linear_recipes();
std::span<const NamedRecipe> control_recipes();
std::span<const NamedRecipe> device_recipes();

/// A computation of two scalars of the type, with up to five instructions.
std::string write_reducer(ProgramWriter& writer, ElementType type);
/// A computation of n values of one shape.
std::string write_body(ProgramWriter& writer, const Shape& shape, int64_t n);
/// A computation that compares the first two of its scalars.
std::string write_comparator(ProgramWriter& writer,
                             const std::vector<ElementType>& types);

}  // namespace hlo::conformance
