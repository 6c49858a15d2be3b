#pragma once

#include <cstdint>
#include <vector>

#include "interpreter/plans/sort/lines.h"
#include "interpreter/rules/op.h"

namespace hlo {

/// sort_lines by a stable merge sort that asks the comparator for each pair.
/// Many merges run side by side, so that a comparator that compiles is run on
/// many pairs at once.
std::vector<int64_t> merge_sort(const Lines& lines, Operands operands,
                                const Computation& comparator,
                                Evaluator& evaluator);

}  // namespace hlo
