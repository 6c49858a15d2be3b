#pragma once

#include <optional>

#include "backends/cpu/graph/graph.h"

namespace hlo::cpu {

/// iota: the numbers of its dimension, once, which others repeat.
std::optional<Operand> iota_node(Graph& graph, const Instruction& instruction);

}  // namespace hlo::cpu
