#pragma once

#include "interpreter/model/module.h"

// What the operations are that begin something beside the program, or wait for
// other devices.

namespace hlo::conformance {

/// Whether it begins to copy its operand.
bool starts_copy(const Instruction& instruction);

/// The computation that it begins with all its operands; null where it does
/// something else.
const Computation* begun_by(const Instruction& instruction);

/// Evaluate error "evaluate.undefined" where the computations that `control`
/// may run wait for other devices: those that do not know whether they run
/// cannot say what the others get.
void require_alone(const Instruction& control);

}  // namespace hlo::conformance
