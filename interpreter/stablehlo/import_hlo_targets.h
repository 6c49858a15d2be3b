#pragma once

#include "interpreter/stablehlo/importer.h"

namespace hlo::stablehlo {

/// The results of a call of the target `hlo.<opcode>`, whose backend_config is
/// a module that applies the instruction to parameters: that instruction, on
/// tuples of the leaves that the call has as operands. Error
/// "stablehlo.carried".
Values carried_instruction(const Conversion& c);
/// Drops the elements of the states of transfers and starts that nothing uses:
/// a state is used once, by its done.
void drop_unused_elements(Module& module);

}  // namespace hlo::stablehlo
