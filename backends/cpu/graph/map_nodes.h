#pragma once

#include <optional>
#include <span>

#include "backends/cpu/graph/graph.h"

namespace hlo::cpu {

/// The node of an element-wise operation on f32, bf16, f16, s32 and
/// pred.
std::optional<Operand> map_node(Graph& graph, const Instruction& instruction,
                                std::span<Operand* const> operands);

}  // namespace hlo::cpu
