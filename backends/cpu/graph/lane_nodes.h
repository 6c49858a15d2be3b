#pragma once

#include "backends/cpu/graph/graph.h"

namespace hlo::cpu {

/// An operand of bf16 or f16 as an array of f32; others as they are.
Operand widened(Graph& graph, Operand operand);

/// Numbers of f32 rounded to bf16 or f16; as they are for another type.
Operand rounded(Graph& graph, Operand operand, ElementType type);

/// The operand with a view that a pass over tiles can read: copied where the
/// elements of its last dimension lie apart.
Operand readable(Graph& graph, Operand operand);

}  // namespace hlo::cpu
