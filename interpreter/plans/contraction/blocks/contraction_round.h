#pragma once

#include <vector>

#include "interpreter/plans/contraction/blocks/contraction_block.h"

namespace hlo {

/// Rounds the block's sums, whose products are exact in double, and stores
/// those that are certain; the others come back.
template <typename S>
std::vector<Cell> store_certain(const Job& job, const Panel<double>& panel,
                                const RowBlock<double>& block);

}  // namespace hlo
