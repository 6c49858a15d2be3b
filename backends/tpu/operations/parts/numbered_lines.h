#pragma once

#include <vector>

#include "backends/tpu/machine/tiled_machine.h"
#include "backends/tpu/program/tiled_value.h"

namespace hlo::tpu {

/// The arrays of a sort of so many operands that the scratch memory has no room
/// for registers of all (rows_of_runs() is 0). The numbers of the rows of a
/// line are ordered in their place, an array of the machine: neighbours of 1,
/// 2, 4, ... rows are merged, and the elements that the comparator reads are
/// read alone. Then one operand after the other is moved. The order is the
/// reference's, which merges as well.
std::vector<TiledArray> sorted_by_numbers(Machine& machine,
                                          const Instruction& sort,
                                          const Values& operands,
                                          const std::vector<Shape>& shapes);

}  // namespace hlo::tpu
