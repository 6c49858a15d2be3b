#pragma once

#include <vector>

#include "conformance/explain/story/explanation.h"

namespace hlo::conformance {

/// Runs the module and tells where the element comes from (spec/explain.md).
/// Evaluate errors "explain.*", and those of the program.
Explanation explain(const Module& module,
                    std::vector<std::vector<Literal>> arguments,
                    const ExplainRequest& request);

}  // namespace hlo::conformance
