#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "backends/cpu/kernels/testing/numbers.h"
#include "backends/cpu/plan/execute.h"

namespace hlo::cpu {

/// The memory of each array that the plan gives of those arguments of f32;
/// Unsupported where an instruction has no kernel.
inline std::vector<Bytes> leaves_of(const StepPlan& plan,
                                    const std::vector<Numbers>& arguments) {
  std::vector<const std::byte*> memory;
  for (const Numbers& numbers : arguments) {
    memory.push_back(reinterpret_cast<const std::byte*>(numbers.data()));
  }
  const auto function = [](const Instruction& instruction, Operands) -> Array {
    throw Unsupported(instruction.name);
  };
  std::vector<Bytes> leaves;
  for (Array& leaf : execute(plan, memory, function)) {
    leaves.push_back(std::move(leaf.bytes));
  }
  return leaves;
}

}  // namespace hlo::cpu
