#pragma once

#include <vector>

#include "interpreter/model/module.h"
#include "interpreter/rules/attributes/verbatim.h"

namespace hlo {

/// What output_to_operand_aliasing says; nothing where the instruction has
/// none, or one that cannot be read.
std::vector<Alias> aliases_of(const Instruction& instruction);
/// The alias names parts of one shape that exist. Errors "aliasing.operand",
/// "aliasing.operand-index", "aliasing.output-index", "aliasing.shape".
void check_alias(const Alias& alias, const std::vector<Shape>& operands,
                 const Shape& result);

}  // namespace hlo
