#pragma once

#include <vector>

#include "backends/tpu/machine/tiled_machine.h"
#include "backends/tpu/program/tiled_value.h"

namespace hlo::tpu {

/// How many rows of a line of the sort are ordered in the scratch memory at a
/// time: a power of two, or 0 where there is no room for the registers that
/// merge them.
int64_t rows_of_runs(const Instruction& sort, int64_t scratch);

/// The arrays of a sort whose lines are larger than the scratch memory: runs of
/// rows_of_runs() rows are ordered there and stored, then two neighbours at a
/// time are merged to one of twice the rows, register by register, until a line
/// is one run. The order is the reference's, which merges as well.
std::vector<TiledArray> sorted_by_merging(Machine& machine,
                                          const Instruction& sort,
                                          const Values& operands,
                                          const std::vector<Shape>& shapes);

}  // namespace hlo::tpu
