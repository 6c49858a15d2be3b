#pragma once

#include <vector>

#include "interpreter/plans/updates/updates.h"

namespace hlo {

/// The result: a literal, or a tuple where there are several.
Literal apply(Updating updating, Operands operands, Evaluator& evaluator);

/// Applies the updates in order to `results`, as many literals as `sources`;
/// the region takes an element of each, then of each source. Elements without
/// updates keep their bits; a region that adds floats gives the exact sum of
/// an element and all its updates, rounded once.
void apply_updates(std::vector<Literal>& results,
                   const std::vector<Update>& updates, Operands sources,
                   const Computation& region, Evaluator& evaluator);

}  // namespace hlo
