#pragma once

#include <optional>
#include <span>

#include "backends/cpu/graph/graph.h"

namespace hlo::cpu {

/// The node of a dot or a convolution of f32. The operands of kProduct are
/// [batch, rows, depth] and [batch, depth, columns], those of kConvolution
/// [batch, places, features] (the features one after the other) and
/// [taps and features, features of the result].
std::optional<Operand> contraction_node(Graph& graph,
                                        const Instruction& instruction,
                                        std::span<Operand* const> operands);

}  // namespace hlo::cpu
