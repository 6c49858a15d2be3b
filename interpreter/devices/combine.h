#pragma once

#include <vector>

#include "interpreter/run/network.h"

namespace hlo {

/// For each operand, the values of all members combined by to_apply in the
/// order of the group: x_0, then x_1, ... Floats that are added or multiplied
/// give the exact sum or product, rounded once.
std::vector<Literal> combined(const Meeting& meeting, Evaluator& evaluator);

}  // namespace hlo
