#pragma once

#include "interpreter/model/module.h"

namespace hlo::stablehlo {

/// Drops the elements of the states of transfers and starts that nothing uses:
/// a state is used once, by its done.
void drop_unused_elements(Module& module);

}  // namespace hlo::stablehlo
