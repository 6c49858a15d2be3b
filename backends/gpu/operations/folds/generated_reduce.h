#pragma once

#include <optional>

#include "backends/gpu/operations/folds/reduction_text.h"
#include "backends/gpu/program/value.h"

namespace hlo::gpu {

/// The value of a reduce whose inputs' elements are the terms, by a kernel that
/// is generated for it; nothing where none shall be. Throws Unsupported.
std::optional<Value> generated_reduce(Memory& memory,
                                      const Instruction& instruction,
                                      const Terms& terms, const Values& inits);

}  // namespace hlo::gpu
