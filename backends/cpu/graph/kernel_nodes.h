#pragma once

#include <optional>
#include <span>

#include "backends/cpu/graph/graph.h"

namespace hlo::cpu {

/// What an instruction of arrays is where a view says it or a kernel computes
/// it; nullopt where its function does. Operands that are copied to be read
/// are replaced by their copies.
std::optional<Operand> kernel_node(Graph& graph, const Instruction& instruction,
                                   std::span<Operand* const> operands);

}  // namespace hlo::cpu
