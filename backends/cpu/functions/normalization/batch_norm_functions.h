#pragma once

#include "backends/cpu/arrays/function.h"

namespace hlo::cpu {

/// batch-norm-training, batch-norm-inference, batch-norm-grad.
Functions batch_norm_functions();

}  // namespace hlo::cpu
