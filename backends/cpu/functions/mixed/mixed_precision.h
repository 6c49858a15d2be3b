#pragma once

#include "backends/cpu/arrays/function.h"

namespace hlo::cpu {

/// The value of an element-wise instruction whose operands, all f64 now, have
/// more digits than its float type: `function` runs it in f64, but for the
/// sums, products and quotients that two roundings would change.
Array narrowed(const Instruction& instruction, Operands operands,
               Function function);

}  // namespace hlo::cpu
