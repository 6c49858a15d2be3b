#pragma once

#include "interpreter/stablehlo/import/importer/conversion.h"

namespace hlo::stablehlo {

/// The results of a call of the target `hlo.<opcode>`, whose backend_config is
/// a module that applies the instruction to parameters: that instruction, on
/// tuples of the leaves that the call has as operands. Error
/// "stablehlo.carried".
Values carried_instruction(const Conversion& c);

}  // namespace hlo::stablehlo
