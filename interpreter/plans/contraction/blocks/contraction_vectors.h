#pragma once

#include "interpreter/plans/contraction/blocks/contraction_block.h"

namespace hlo {

/// Computes the whole result by products of single vectors, which is good where
/// one side has few of them. For float types.
void run_vectors(const Job& job, int threads);

}  // namespace hlo
