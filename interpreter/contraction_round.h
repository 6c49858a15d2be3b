#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "interpreter/contraction_block.h"

namespace hlo {

/// A sum of a block: of a row and a vector of the panel.
struct Cell {
  int64_t row;
  int64_t vector;
};

/// The codes of the sums at `cells`, that is of the exact sums of products
/// rounded once to the components of the job's type.
std::vector<uint64_t> round_exactly(const Job& job, const Panel<double>& panel,
                                    const RowBlock<double>& block,
                                    const std::vector<Cell>& cells);

/// The same for many cells, by sums of all rows with all vectors; nothing for a
/// cell that this leaves uncertain.
std::vector<std::optional<uint64_t>> round_sliced(
    const Job& job, const Panel<double>& panel, const RowBlock<double>& block,
    const std::vector<Cell>& cells);

/// Rounds the block's sums, whose products are exact in double, and stores
/// those that are certain; the others come back.
template <typename S>
std::vector<Cell> store_certain(const Job& job, const Panel<double>& panel,
                                const RowBlock<double>& block);

}  // namespace hlo
