#pragma once

#include <string>

#include "interpreter/model/module.h"

namespace hlo::stablehlo {

/// " {mhlo.sharding = \"...\"}" where the instruction has a sharding, else
/// nothing.
std::string marks_text(const Instruction& instruction);
/// The attributes of an argument of main, as marks_text has them; nothing for a
/// tuple.
std::string argument_marks(const Instruction& parameter);
/// "result_accuracy = #stablehlo.result_accuracy<...>" of what is asked of the
/// result beyond the default, else nothing.
std::string accuracy_text(const Instruction& instruction);
/// " loc(\"name\")" with the op_name of the metadata, else nothing.
std::string location_text(const Instruction& instruction);

}  // namespace hlo::stablehlo
