#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "interpreter/plans/contraction/blocks/contraction_block.h"

namespace hlo {

/// The codes of the exact sums at many cells, rounded once, by sums of all rows
/// with all vectors; nothing for a cell that this leaves uncertain.
std::vector<std::optional<uint64_t>> round_sliced(
    const Job& job, const Panel<double>& panel, const RowBlock<double>& block,
    const std::vector<Cell>& cells);

}  // namespace hlo
