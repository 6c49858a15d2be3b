#pragma once

#include "interpreter/model/module.h"

namespace hlo::conformance {

/// Puts operations in the place of the custom-calls that XLA's own passes make
/// of them, where their form says which they are: "TopK", with a comparison
/// that puts the largest or the smallest first.
void resolve_xla_calls(Module& module);

}  // namespace hlo::conformance
