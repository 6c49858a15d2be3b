#pragma once

#include "interpreter/model/module.h"
#include "interpreter/stablehlo/import/importer/conversion.h"

namespace hlo::stablehlo {

/// select_and_scatter as reduce-window and scatter, for regions that use values
/// of outside.
Values select_and_scatter_of_outside(const Conversion& c, const Window& window);
/// What the region makes of all operands of a group, as all-gather and maps,
/// for regions that use values of outside. `groups` begins with
/// replica_groups.
Values combined_of_outside(const Conversion& c, const Attributes& groups);
/// The number of the device in its group.
Instruction* place_in_group(const Conversion& c, const Attributes& groups);

}  // namespace hlo::stablehlo
