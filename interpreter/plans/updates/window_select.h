#pragma once

#include <vector>

#include "interpreter/plans/fold/fold.h"
#include "interpreter/plans/updates/updates.h"

namespace hlo {

/// Which element each window selects: for every place of the windows over
/// operands[0] that covers an element, {the element's position, the place}.
/// The first cell is chosen first; a later one replaces the choice where
/// windows.reducer(choice, cell) is false.
std::vector<Update> select_cells(const Fold& windows, Operands operands,
                                 Evaluator& evaluator);

}  // namespace hlo
