#pragma once

#include <optional>
#include <span>

#include "backends/cpu/graph/graph.h"

namespace hlo::cpu {

/// The node of a reduce or a reduce-window of one f32 array by add, maximum or
/// minimum. The first operand of kFold is [outer, folded, inner], that of
/// kFoldWindows ends with the features that no window moves along.
std::optional<Operand> fold_node(Graph& graph, const Instruction& instruction,
                                 std::span<Operand* const> operands);

}  // namespace hlo::cpu
