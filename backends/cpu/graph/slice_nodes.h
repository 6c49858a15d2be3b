#pragma once

#include <optional>
#include <span>

#include "backends/cpu/graph/graph.h"

namespace hlo::cpu {

/// The node of a dynamic-slice or dynamic-update-slice whose indices are
/// scalars of s32, u32 or s64.
std::optional<Operand> slice_node(Graph& graph, const Instruction& instruction,
                                  std::span<Operand* const> operands);

}  // namespace hlo::cpu
