#pragma once

#include <cstdint>
#include <vector>

#include "interpreter/rules/dimensions/updates_rule.h"

namespace hlo {

/// The result of scatter and of select-and-scatter: `initial`, a literal for
/// each result, to which updates are applied whose sources are the operands
/// from `first_source` on, one for each result.
struct Updating {
  std::vector<Literal> initial;
  std::vector<Update> updates;
  int64_t first_source = 0;
  const Computation* region = nullptr;
};

/// What the operation's plan says, or its definition where it has no plan.
Updating updating_of(const Instruction& instruction, Operands operands,
                     Evaluator& evaluator);

}  // namespace hlo
