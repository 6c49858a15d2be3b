#pragma once

#include "backends/cpu/arrays/function.h"

namespace hlo::cpu {

/// The functions of operations that apply a region to many elements.
Callers fold_functions();

}  // namespace hlo::cpu
