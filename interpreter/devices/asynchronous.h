#pragma once

#include <optional>
#include <vector>

#include "interpreter/run/network.h"

// What the halves of asynchronous operations share.

namespace hlo {

/// The state of an asynchronous computation whose first operands are `bound`.
/// Once all are, it begins to run beside the program, unless it did before:
/// then `before` is its state, or null.
Literal bind_operands(const Instruction& instruction,
                      std::vector<Literal> bound, const Literal* before,
                      Evaluator& evaluator);
/// What runs since the state that operand 0 of `done` is was made. Nothing
/// where it has not begun, or where the state holds no word of context and
/// comes out of a tuple.
std::optional<Future> begun_before(const Instruction& done,
                                   const Literal& state, Evaluator& evaluator);

}  // namespace hlo
