#pragma once

#include <optional>

#include "interpreter/plans/fold/fold.h"

namespace hlo {

/// The result (a tuple where the fold has several inputs), or nothing where the
/// reducer is no straight program. A reducer that adds floats gives the exact
/// sum rounded once; see spec/ops/reduce.md.
std::optional<Literal> apply(const Fold& fold, const Instruction& instruction,
                             Operands operands, Evaluator& evaluator);

}  // namespace hlo
