#pragma once

#include <optional>

#include "interpreter/rules/op.h"

namespace hlo {

/// The value of a while (nothing for other instructions) whose state is made of
/// scalars, by compiled condition and body; nothing where they are more than a
/// program can be, or run loops of their own. It spends the steps that the
/// evaluator would: error "evaluate.steps".
std::optional<Literal> run_scalar_loop(const Instruction& loop,
                                       Operands operands, Evaluator& evaluator);

}  // namespace hlo
