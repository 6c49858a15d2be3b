#pragma once

#include <vector>

#include "backends/cpu/devices/engine_calls.h"

namespace hlo::cpu {

/// The arrays of a group joined element by element by `combiner`, in their
/// order: floats in the combiner's type, others in their own. Evaluate error
/// "collective.combiner".
Array combination(const Computation& combiner,
                  const std::vector<const Array*>& arrays,
                  const EngineCalls& calls);

}  // namespace hlo::cpu
