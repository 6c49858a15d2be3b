#pragma once

#include "interpreter/stablehlo/export/export_writer.h"

namespace hlo::stablehlo {

/// The call of the custom-call target `hlo.<opcode>` with the instruction as a
/// module of its own in its backend_config.
Leaves export_verbatim(Writer& writer, const Instruction& instruction);

}  // namespace hlo::stablehlo
