#pragma once

#include <optional>

#include "interpreter/model/module.h"

namespace hlo::stablehlo {

/// Whether the instruction is made of constants alone, by few operations
/// without effect.
bool is_closed(const Instruction& instruction);
/// The instruction's value where it is closed and small.
std::optional<Literal> closed_value(const Instruction& instruction);

}  // namespace hlo::stablehlo
