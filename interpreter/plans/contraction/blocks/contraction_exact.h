#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "interpreter/numeric/exact/exact_sum.h"
#include "interpreter/plans/contraction/blocks/contraction_block.h"

namespace hlo {

/// The codes of the sums at `cells`, that is of the exact sums of products
/// rounded once to the components of the job's type.
std::vector<uint64_t> round_exactly(const Job& job, const Panel<double>& panel,
                                    const RowBlock<double>& block,
                                    const std::vector<Cell>& cells);

/// The exact sum, starting at +0, of the products of the elements at left[k] of
/// lhs and right[k] of rhs for all k where both exist (are not -1): its real or
/// its imaginary part. Both literals have the same float or complex type.
numeric::ExactSum sum_products(const Literal& lhs,
                               std::span<const int64_t> left,
                               const Literal& rhs,
                               std::span<const int64_t> right, bool imaginary);

}  // namespace hlo
