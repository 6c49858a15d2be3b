#pragma once

#include <functional>
#include <vector>

#include "backends/cpu/arrays/function.h"

namespace hlo::cpu {

/// How the devices run what is no communication: an instruction, and a region
/// that is applied to elements. They throw what their engine throws.
struct EngineCalls {
  RunOne run_one = nullptr;
  Run run = nullptr;
  /// The arrays of a group, two or more, joined element by element by a
  /// combiner, in their order, as floats of the combiner's type. Null: by the
  /// two others, in a type that is wide enough.
  std::function<Array(const Computation&, const std::vector<const Array*>&)>
      combine = nullptr;
};

}  // namespace hlo::cpu
