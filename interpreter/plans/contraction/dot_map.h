#pragma once

#include "interpreter/plans/contraction/contraction.h"

namespace hlo {

/// The sums of a dot: a group is a batch, and the last contracting dimension
/// makes the runs.
Contraction dot_products(const Instruction& dot);

}  // namespace hlo
