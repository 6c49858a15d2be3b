#pragma once

#include <string_view>

#include "conformance/random/program_writer.h"
#include "interpreter/rules/op.h"

namespace hlo::conformance {

/// How a random instruction of an operation is written. What a recipe writes
/// need not be valid: the verifier decides.
using Recipe = void (*)(ProgramWriter&, const Op&);

struct NamedRecipe {
  std::string_view op;
  Recipe recipe;
};

}  // namespace hlo::conformance
