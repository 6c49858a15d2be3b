#pragma once

#include <memory>
#include <vector>

#include "backends/tpu/machine/tiled_machine.h"
#include "backends/tpu/program/tiled_value.h"

namespace hlo::tpu {

/// An instruction on arrays of just the sizes that its operands have at run
/// time (spec/dynamic_sizes.md).
struct Fitted {
  Instruction instruction;
  std::vector<std::unique_ptr<Instruction>> parameters;  // its operands
  std::vector<Value> operands;

  Values pointers() const;
};

/// Whether some operand is smaller at run time than its bounds.
bool are_sized(const Values& operands);
/// Evaluate error "evaluate.sizes" where the operation makes nothing of such
/// arrays, or a rule of it does not hold at those sizes.
Fitted fitted(Machine& machine, const Instruction& instruction,
              const Values& operands);
/// The least of the sizes of those operands that have the result's dimensions:
/// what an element-wise result has.
std::vector<int64_t> least_sizes(const Shape& result, const Values& operands);

}  // namespace hlo::tpu
