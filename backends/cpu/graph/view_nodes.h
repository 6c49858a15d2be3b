#pragma once

#include <optional>
#include <span>

#include "backends/cpu/graph/graph.h"

namespace hlo::cpu {

/// What an instruction is that shows elements of its operand in other places:
/// no work at all, but where a reshape needs a copy.
std::optional<Operand> view_node(Graph& graph, const Instruction& instruction,
                                 std::span<Operand* const> operands);

}  // namespace hlo::cpu
