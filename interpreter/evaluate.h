#pragma once

#include <vector>

#include "interpreter/devices/devices.h"
#include "interpreter/run/evaluator.h"

namespace hlo {

/// The reference: plans where one takes the instruction, else its definition.
extern const Valuation kReference;

/// The value of one instruction whose operands are given: any operation but
/// those that run computations through Op::control. Regions are applied.
Literal evaluate_instruction(const Instruction& instruction, Operands operands,
                             Evaluator& evaluator);

/// The results of the entry computation on each device of the module. There is
/// one list of arguments for all devices, or one for each.
GridResult evaluate_devices(const Module& module,
                            std::vector<std::vector<Literal>> arguments,
                            const EvaluatorOptions& options = {});

/// The result of the entry computation, of device 0 where there are several
/// (evaluate_devices).
Literal evaluate(const Module& module, std::vector<Literal> arguments,
                 const EvaluatorOptions& options = {});

}  // namespace hlo
