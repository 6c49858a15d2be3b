#pragma once

#include <optional>
#include <span>

#include "backends/cpu/graph/graph.h"

namespace hlo::cpu {

/// The node of concatenate, of arrays of the result's type.
std::optional<Operand> concatenate_node(Graph& graph,
                                        const Instruction& instruction,
                                        std::span<Operand* const> operands);

}  // namespace hlo::cpu
