#pragma once

#include "interpreter/rules/op.h"

namespace hlo::definition {

/// The value of an instruction from its operation's definition, element by
/// element: any operation but those that run computations through Op::control
/// and those between devices.
Literal define(const Instruction& instruction, Operands operands,
               Evaluator& evaluator);

}  // namespace hlo::definition
