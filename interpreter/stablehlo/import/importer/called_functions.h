#pragma once

#include <vector>

#include "interpreter/stablehlo/syntax.h"

namespace hlo::stablehlo {

/// Functions that `entry` needs, each after those that it calls. Errors
/// "stablehlo.callee", "stablehlo.recursion".
std::vector<const Function*> called_functions(const Program& program,
                                              const Function& entry);
/// The entry: main, or the only function, or the first that no other calls.
const Function& entry_function(const Program& program);

/// Whether the text leaves sizes of the function's values open: `?`.
bool is_open(const Function& function);

}  // namespace hlo::stablehlo
