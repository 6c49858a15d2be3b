#pragma once

#include "interpreter/model/module.h"

namespace hlo {

/// epsilon of a batch-norm as the f32 that XLA and StableHLO keep.
double epsilon_of(const Instruction& norm);

}  // namespace hlo
