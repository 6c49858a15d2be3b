#pragma once

#include "interpreter/run/evaluator.h"

namespace hlo {

/// Runs the programs on a grid of their own. Unless `is_watched`, the observers
/// of the evaluator see none of their instructions.
Literal run_parallel(const Instruction& custom_call, Operands operands,
                     Evaluator& evaluator, bool is_watched = false);

}  // namespace hlo
