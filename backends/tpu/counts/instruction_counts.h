#pragma once

#include <map>
#include <string>

#include "backends/tpu/machine/tiled_machine.h"
#include "interpreter/rules/op.h"

namespace hlo::tpu {

/// Gives the instruction all that the machine has counted since anything was
/// given. Null: no instruction asked for it.
void give_counts(Machine& machine, const Instruction* instruction);

/// Adds the counters of each instruction.
void add(std::map<const Instruction*, Counters>& sum,
         const std::map<const Instruction*, Counters>& more);

/// A table of the counters of the instructions of these computations, in their
/// order: those that count anything, and all together (spec/tpu.md).
std::string instruction_table(
    const Computations& computations,
    const std::map<const Instruction*, Counters>& counters);

}  // namespace hlo::tpu
