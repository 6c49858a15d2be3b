#pragma once

#include "backends/cpu/arrays/function.h"

namespace hlo::cpu {

/// Numbers in the order of the elements: the total order of floats.
std::vector<int64_t> order_keys(const Array& array);
/// The function of compare.
Functions comparison_functions();

}  // namespace hlo::cpu
