#pragma once

#include <optional>

#include "backends/tpu/generations/generation.h"
#include "interpreter/model/module.h"

namespace hlo::tpu {

/// Whether the instruction fills its array from nothing, or from one element:
/// in any layout alike.
bool fills_any_layout(const Instruction& instruction);

/// The result's shape in the order of dimensions that its first operand has, as
/// the operation takes them: a transpose permutes them, a reshape keeps those
/// that it does not split or merge within a tile, as a bitcast does, whose
/// elements may be of another type, a slice, a reverse or a pad keeps all.
/// Registers then hold the lanes that they held before. Nothing for others, and
/// where another order pads less, or the operand lies in no tiles.
std::optional<Shape> carried_layout(const Generation& generation,
                                    const Instruction& instruction,
                                    const Shape& operand);

}  // namespace hlo::tpu
