#pragma once

#include <optional>

#include "backends/gpu/program/value.h"

namespace hlo::gpu {

/// A reduce-window whose windows hold all elements of a line up to each place,
/// or from it on, by going through each line once; nothing where it is not
/// such, or the order of its steps does not allow it. The operands have the
/// types of the reducer.
std::optional<Value> running_fold(Memory& memory,
                                  const Instruction& instruction,
                                  const Values& operands);

}  // namespace hlo::gpu
