#pragma once

#include "interpreter/plans/contraction/blocks/contraction_block.h"

namespace hlo {

/// Puts the sums of the block into the result: integers are cut to their type,
/// floats rounded once.
void store_sums(const Job& job, const Panel<uint32_t>& panel,
                const RowBlock<uint32_t>& block);
void store_sums(const Job& job, const Panel<uint64_t>& panel,
                const RowBlock<uint64_t>& block);
void store_sums(const Job& job, const Panel<double>& panel,
                const RowBlock<double>& block);

}  // namespace hlo
